import type { Clock } from '../../base/clock.ts';

/** What an outside clock showed, and the elapsed time at that moment; both in ms. */
export interface ClockReading {
  readonly shownMs: number;
  readonly elapsedMs: number;
}

/** The state that a restart needs: the elapsed time, and the newest reading of each witness. */
export interface KeptTime {
  readonly elapsedMs: number;
  readonly witnesses: Readonly<Record<string, ClockReading>>;
}

/** Where that state is stored. */
export interface KeptTimeStore {
  /** The newest stored state; of a database without one, the end of its newest payment. */
  read(): KeptTime;
  write(kept: KeptTime): void;
  /** A witness has shown time that had passed before this run, or in a sleep: what began in this run began so much later. */
  jumped?(ms: number): void;
}

/**
 * The time in which guards, limits and waits are measured. It runs with the monotonic clock and continues after a restart where it stopped.
 * Time between two process runs, or in a sleep of the machine, counts only once an outside witness has shown how long it was.
 * Why no wall clock: a clock that is set must neither let the same basket be sold again nor refuse the next customer. It only labels.
 *
 * INVARIANT: it never goes back, and within a run only the first reading of each witness makes it jump.
 */
export class ElapsedTime {
  readonly #clock: Clock;
  readonly #store: KeptTimeStore;
  readonly #before: KeptTime;
  readonly #witnesses: Map<string, ClockReading>;
  readonly #heard = new Set<string>();
  /** What is added to the monotonic clock, ms. */
  #offsetMs: number;

  constructor(clock: Clock, store: KeptTimeStore) {
    this.#clock = clock;
    this.#store = store;
    this.#before = store.read();
    this.#witnesses = new Map(Object.entries(this.#before.witnesses));
    this.#offsetMs = this.#before.elapsedMs - clock.monotonic();
  }

  /** Ms since an arbitrary start; whole. */
  now(): number {
    return Math.floor(this.#clock.monotonic() + this.#offsetMs);
  }

  /**
   * Takes a reading of an outside clock. Its first reading in a run shows how long tilld was off, if the run before had one, too.
   * @param witness whose clock: the service's, or this machine's while it is synchronised
   * @param shownMs in ms since any start, the same in every run
   * @param passedMs from one of its readings to another; where its clock shows no year it is not their difference
   */
  heard(witness: string, shownMs: number, passedMs = (from: number, to: number) => to - from): void {
    const known = this.#before.witnesses[witness];
    if (known && !this.#heard.has(witness)) {
      const missed = passedMs(known.shownMs, shownMs) - (this.now() - known.elapsedMs);
      if (missed > 0) {
        this.#offsetMs += missed;
        this.#store.jumped?.(Math.ceil(missed));
      }
    }
    this.#heard.add(witness);
    this.#witnesses.set(witness, { shownMs, elapsedMs: this.now() });
  }

  /** Stores what a restart needs. What a crash loses of it makes guards hold longer, never shorter. */
  keep(): void {
    this.#store.write({ elapsedMs: this.now(), witnesses: Object.fromEntries(this.#witnesses) });
  }
}
