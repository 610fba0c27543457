import type { Families } from './families/list.ts';
import type { Random } from './random.ts';
import type { Cashiers } from './till.ts';
import type { World } from './world.ts';

/** How a day goes: what is bad, how often, and how long the pauses are. */
export interface Scenario {
  /** Which terminals stand there; default: of all families. */
  readonly families?: Families;
  readonly faultChance: number;
  readonly pauseMs: readonly [least: number, most: number];
  /** How often somebody uses the keys of a terminal without the till, and how likely while an outcome is not known. */
  readonly handChance?: number;
  readonly boldness?: number;
  /** Besides: how often the database is copied, or replaced by a copy. */
  readonly memoryChance?: number;
  /** How often the service does something besides, a rolled key as often as an outage. */
  readonly serviceChance?: number;
  /** How its people and faults come; absent: one bad day, until enough has happened. */
  readonly play?: (world: World, random: Random, cashiers: Cashiers, scenario: Scenario) => Promise<void>;
}
