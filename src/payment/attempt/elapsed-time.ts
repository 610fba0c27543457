import type { Clock } from '../../base/clock.ts';

/** What a clock outside showed, and the elapsed time at that moment; both in ms. */
export interface ClockReading {
  readonly shownMs: number;
  readonly elapsedMs: number;
}

/** What is carried over a restart: the elapsed time, and the newest reading of each witness. */
export interface KeptTime {
  readonly elapsedMs: number;
  readonly witnesses: Readonly<Record<string, ClockReading>>;
}

/** Where it is carried over. */
export interface KeptTimeStore {
  /** What was kept last; of a database that never kept any, the end of its newest payment. */
  read(): KeptTime;
  write(kept: KeptTime): void;
  /** A witness has shown time that had passed before this run, or in a sleep: what began in this run began so much later. */
  jumped?(ms: number): void;
}

/**
 * The time that guards, limits and waits are measured in. It runs with the monotonic clock and goes on after a restart where it stood; what
 * passed between two runs, or while the machine slept, counts only once a witness outside has shown how long it was.
 * Why no wall clock: one that is set must neither let the same basket be sold again nor refuse the next customer. It only labels.
 *
 * INVARIANT: it never goes back, and within a run nothing but the first word of each witness makes it jump.
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
   * Takes what a clock outside shows. Its first word in a run tells how long the agent was away, if the run before had heard it, too.
   * @param witness whose clock: the service, a terminal, this machine's while it is synchronised
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

  /** Writes down what a restart needs. What is lost of it at a crash makes guards hold longer, never shorter. */
  keep(): void {
    this.#store.write({ elapsedMs: this.now(), witnesses: Object.fromEntries(this.#witnesses) });
  }
}
