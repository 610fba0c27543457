import type { ProcessMoment } from '../base/process-moment.ts';
import type { SyncWindow } from './connector.ts';
import type { Cursor } from './cursor.ts';
import type { Lateness } from './lateness.ts';
import type { Place } from './place.ts';
import type { Scan } from './scan.ts';

/** One resource of one slot, for example `provider_a/invoices`. */
export interface StreamKey {
  readonly slot: string;
  readonly resource: string;
}

export function nameOf({ slot, resource }: StreamKey): string {
  return `${slot}/${resource}`;
}

/**
 * What a run is for. `changes`: what is new since the cursor. `sweep`: everything, because only that shows what is gone, or because the
 * source cannot be asked for changes. `full`: everything, into a new generation beside the old one.
 */
export type RunKind = 'changes' | 'sweep' | 'full';

/**
 * How far a run is. `scan`: its window is read. `tail`: what changed while a long scan was read, for a row may have moved past it.
 * `reach`: an older window, for a record of it that could not be read; the cursor has moved already, and this window moves nothing.
 * `settle`: all is read; deletes are applied, or the generations swapped.
 */
export type Leg = 'scan' | 'tail' | 'reach' | 'settle';

/** A run under way, as the disk knows it: whoever is killed goes on here. */
export interface Progress {
  readonly kind: RunKind;
  readonly leg: Leg;
  /** The generation that is written. */
  readonly generation: number;
  /** What is read now: all of the leg, or a piece of it. */
  readonly window: SyncWindow;
  /** Where the leg begins and ends, and the first scan in it. */
  readonly bounds: SyncWindow;
  readonly firstScan: number;
  /** Where a window begins that is read after this one, up to where this one begins; null: at the beginning. Absent: there is none. */
  readonly reach?: number | null;
  /** How long a piece should be, ms; null: the leg was not cut into pieces. */
  readonly widthMs: number | null;
  /** Our clock when the upper bound of the first leg was frozen. */
  readonly startedAt: number;
  /** The same moment without a clock that may be set; null or absent: not known. */
  readonly begunIn?: ProcessMoment | null;
  /** The source's own clock at the first answer of this leg bounds the cursor, too; null: not told yet. */
  readonly ceiling: number | null;
  /** The highest place seen so far in this run. */
  readonly top: Place | null;
  readonly scan: Scan;
}

/** Everything that a stream remembers beside its rows: at most 4 KiB of JSON, whatever the source does. */
export interface StreamState {
  readonly cursor: Cursor | null;
  /** The lower bound of the first sync, for ever; null: from the beginning. Undefined before the first sync. */
  readonly horizon?: number | null;
  /** The upper bound of the last complete window, by the source's clock. */
  readonly readTo: number | null;
  readonly lateness: Lateness;
  /** The source's clock minus ours at its last answer. */
  readonly clockOffsetMs: number;
  /** Complete sweeps so far, and when the last one ended by our clock. */
  readonly sweeps: number;
  readonly sweptAt: number | null;
  /** The last complete scan did not show rows that are kept: another one decides soon. */
  readonly hasSuspects: boolean;
  /** The last sweep lacked too many rows to prove anything. */
  readonly isDoubted: boolean;
  /** The source showed rows newer than the upper bound that it was given. */
  readonly ignoresTo: boolean;
  /** The number of the newest generation that was begun. */
  readonly generations: number;
  /** The number of the last scan; a row carries the number of the scan that saw it last. */
  readonly scans: number;
  readonly progress: Progress | null;
}

export const NEW_STREAM: StreamState = {
  cursor: null,
  readTo: null,
  lateness: [],
  clockOffsetMs: 0,
  sweeps: 0,
  sweptAt: null,
  hasSuspects: false,
  isDoubted: false,
  ignoresTo: false,
  generations: 1,
  scans: 0,
  progress: null,
};

/** Of the state as JSON; the store refuses more. */
export const MOST_STATE_BYTES = 4096;
