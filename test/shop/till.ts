import type { Agent } from './agent.ts';
import type { Machine } from './machine.ts';
import type { Place } from './place.ts';

/** A till of the shop: a machine with its state folder, the tilld that runs there now, and its counters. */
export interface Till {
  readonly name: string;
  readonly folder: string;
  readonly machine: Machine;
  readonly places: readonly Place[];
  agent: Agent;
  /** Copies of its disk, oldest first. */
  readonly copies: (DiskCopy & KnownThen)[];
}

/** What the state folder and the folder outside it held at one moment. */
export interface DiskCopy {
  readonly folder: string;
  readonly outside: string;
}

interface KnownThen {
  /** How many payments had ever been made in the shop. */
  readonly payments: number;
}
