import type { Clock } from '../base/clock.ts';
import { hasCode } from '../base/errors.ts';
import type { Ids } from '../base/ids.ts';

const FIRST_MS = 250;
/** A terminal that is there must be usable within 5 s. */
const LONGEST_MS = 3000;
/** Longest pause for a terminal that refuses tilld, or for a wrong terminal. */
const LONGEST_REFUSED_MS = 10_000;
/** How long after a loss, or after a port came, the tries follow quickly. */
const EAGER_FOR_MS = 10_000;
const EAGER_MS = 300;
/** Longest time for opening, registering and identifying together. */
const LONGEST_TRY_MS = 20_000;
/** Least such time soon after a plug. */
const LONGEST_EAGER_TRY_MS = 2500;
/** Error codes that mean: no terminal is there, or not yet. */
const ABSENT = [
  'LINK_REFUSED',
  'LINK_CLOSED',
  'LINK_LOST',
  'TERMINAL_LINK_LOST',
  'TERMINAL_NO_ANSWER',
  'TERMINAL_STOPPED',
];

/**
 * How soon tilld tries a terminal again that is away: every 0.3 s for the first 10 s, then with growing pauses.
 * Only an absent terminal is tried quickly: one that refuses (a password, another till) must not be asked too often.
 */
export class ReconnectInterval {
  readonly #clock: Clock;
  readonly #ids: Ids;
  #failures = 0;
  #isRefused = false;
  #eagerUntil = 0;
  /** How long the last connect took, ms; null: there was none yet. */
  #metMs: number | null = null;

  constructor(clock: Clock, ids: Ids) {
    this.#clock = clock;
    this.#ids = ids;
  }

  /** The terminal was lost, or a device was plugged in. */
  hurry(): void {
    this.#failures = 0;
    this.#isRefused = false;
    this.#eagerUntil = this.#clock.monotonic() + EAGER_FOR_MS;
  }

  failed(error: unknown): void {
    this.#failures += 1;
    this.#isRefused = !ABSENT.some((code) => hasCode(error, code));
  }

  /** The terminal was connected; it took `ms`. */
  met(ms: number): void {
    this.#metMs = ms;
    this.#failures = 0;
    this.#isRefused = false;
    this.#eagerUntil = 0;
  }

  /**
   * How long a try may take, ms. Soon after a plug a terminal often loses the first frame, and its driver would repeat it too late for the
   * terminal to be back in time. A terminal that connected quickly before is connected anew instead.
   */
  timeLimit(): number {
    if (this.#metMs === null || !this.#isEager()) return LONGEST_TRY_MS;
    return Math.min(LONGEST_TRY_MS, Math.max(LONGEST_EAGER_TRY_MS, 4 * this.#metMs));
  }

  /** Milliseconds until the next try, with jitter, so that many agents do not connect at the same time. */
  next(): number {
    return Math.round(this.#base() * (0.75 + this.#ids.random() / 2));
  }

  #base(): number {
    if (!this.#isRefused && this.#isEager()) return EAGER_MS;
    const longest = this.#isRefused ? LONGEST_REFUSED_MS : LONGEST_MS;
    return Math.min(longest, FIRST_MS * 2 ** Math.min(this.#failures, 10));
  }

  #isEager(): boolean {
    return this.#clock.monotonic() < this.#eagerUntil;
  }
}
