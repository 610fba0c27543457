import type { Clock, Timer } from '../base/clock.ts';
import { remember } from './remember.ts';

/** So long is waited for more of the same burst. */
const GATHER_MS = 50;
/** Between two rings. */
const GAP_MS = 1_000;
/** Without a word for so long, the bell is not relied on. */
const LATELY_MS = 600_000;
/** What the service made this lately may still be on its way here. */
const ON_ITS_WAY_MS = 5_000;

/** Work as a poll listed it. */
export interface ListedWork {
  readonly id: string;
  /** How old it was by the service's own clock, in ms; null: it cannot be told. */
  readonly ageMs: number | null;
}

/**
 * What webhooks are to us: they make the next poll happen at once, and while they come, polls may be seldom.
 * Why trust has to be earned: a hook that never comes (a tunnel that fell, an endpoint that was switched off) is noticed by nobody else.
 *
 * INVARIANTS:
 * - a burst of hooks makes one poll, and no two rings are closer than a second;
 * - polls are seldom only within ten minutes of a hook, and not after a poll found work that no hook had told of.
 */
export class HookBell {
  readonly #clock: Clock;
  readonly #relaxedMs: number;
  readonly #told = new Set<string>();
  #ring: (cancels: boolean) => void = () => undefined;
  #heardAt: number | null = null;
  #rungAt: number | null = null;
  #cancels = false;
  #timer: Timer | null = null;

  /** `relaxedMs`: between two polls while the bell is relied on. */
  constructor(clock: Clock, relaxedMs = 30_000) {
    this.#clock = clock;
    this.#relaxedMs = relaxedMs;
  }

  /** Says what a ring does; `cancels`: something was cancelled. */
  onRing(ring: (cancels: boolean) => void): void {
    this.#ring = ring;
  }

  /** A genuine hook; `paymentId`: the payment it is about, null where it is about something else. */
  heard(paymentId: string | null, cancels: boolean): void {
    const now = this.#clock.monotonic();
    this.#heardAt = now;
    if (paymentId === null) return;
    remember(this.#told, paymentId);
    this.#cancels ||= cancels;
    if (this.#timer) return;
    const sinceRing = this.#rungAt === null ? GAP_MS : now - this.#rungAt;
    this.#timer = this.#clock.timer('hook bell', Math.max(GATHER_MS, GAP_MS - sinceRing), () =>
      this.#ringNow(),
    );
  }

  /** Compares what a poll found with what the hooks told. */
  listed(work: readonly ListedWork[]): void {
    const untold = ({ id, ageMs }: ListedWork) =>
      !this.#told.has(id) && ageMs !== null && ageMs > ON_ITS_WAY_MS;
    if (work.some(untold)) this.#heardAt = null;
  }

  /** Whether hooks are relied on now. */
  get trusted(): boolean {
    return this.#heardAt !== null && this.#clock.monotonic() - this.#heardAt < LATELY_MS;
  }

  /** Between two polls that would else be `usualMs` apart. */
  intervalMs(usualMs: number): number {
    return this.trusted ? Math.max(usualMs, this.#relaxedMs) : usualMs;
  }

  /** No ring after this; idempotent. */
  stop(): void {
    this.#timer?.stop();
    this.#timer = null;
    this.#ring = () => undefined;
  }

  #ringNow(): void {
    const cancels = this.#cancels;
    this.#timer = null;
    this.#cancels = false;
    this.#rungAt = this.#clock.monotonic();
    this.#ring(cancels);
  }
}
