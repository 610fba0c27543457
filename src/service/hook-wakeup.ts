import type { Clock, Timer } from '../base/clock.ts';
import { remember } from './remember.ts';

/** How long more webhooks of the same burst are waited for. */
const GATHER_MS = 50;
/** The minimum time between two wakeups. */
const GAP_MS = 1_000;
/** After this long without a webhook, webhooks are not relied on. */
const LATELY_MS = 600_000;
/** The webhook of newer work may still be on its way. */
const ON_ITS_WAY_MS = 5_000;

/** Work as a poll listed it. */
export interface ListedWork {
  readonly id: string;
  /** Its age by the service's own clock, ms; null: not known. */
  readonly ageMs: number | null;
}

/**
 * What webhooks do: they trigger the next poll at once, and while they come, polls are less frequent.
 * Why they must prove themselves: only a poll notices a webhook that never comes (a failed tunnel, a disabled endpoint).
 *
 * INVARIANTS:
 * - a burst of webhooks makes one poll, and two wakeups are at least a second apart;
 * - polls are less frequent only within ten minutes of a webhook, and not after a poll found work without a webhook.
 */
export class HookWakeup {
  readonly #clock: Clock;
  readonly #relaxedMs: number;
  readonly #announced = new Set<string>();
  readonly #listeners = new Set<(cancels: boolean) => void>();
  #heardAt: number | null = null;
  #notifiedAt: number | null = null;
  #cancels = false;
  #timer: Timer | null = null;

  /** `relaxedMs`: between two polls while webhooks are relied on. */
  constructor(clock: Clock, relaxedMs = 30_000) {
    this.#clock = clock;
    this.#relaxedMs = relaxedMs;
  }

  /** Calls `listener` at each wakeup; `cancels`: a payment was cancelled. */
  subscribe(listener: (cancels: boolean) => void): void {
    this.#listeners.add(listener);
  }

  /** A genuine webhook; `paymentId`: its payment, null where it is about something else. */
  heard(paymentId: string | null, cancels: boolean): void {
    const now = this.#clock.monotonic();
    this.#heardAt = now;
    if (paymentId === null) return;
    remember(this.#announced, paymentId);
    this.#cancels ||= cancels;
    if (this.#timer) return;
    const sinceLast = this.#notifiedAt === null ? GAP_MS : now - this.#notifiedAt;
    this.#timer = this.#clock.timer('hook wakeup', Math.max(GATHER_MS, GAP_MS - sinceLast), () =>
      this.#notifyNow(),
    );
  }

  /** Compares the work that a poll found with the webhooks. */
  listed(work: readonly ListedWork[]): void {
    const isUnannounced = ({ id, ageMs }: ListedWork) =>
      !this.#announced.has(id) && ageMs !== null && ageMs > ON_ITS_WAY_MS;
    if (work.some(isUnannounced)) this.#heardAt = null;
  }

  /** Whether webhooks are relied on now. */
  get trusted(): boolean {
    return this.#heardAt !== null && this.#clock.monotonic() - this.#heardAt < LATELY_MS;
  }

  /** The time between two polls that would otherwise be `usualMs` apart. */
  intervalMs(usualMs: number): number {
    return this.trusted ? Math.max(usualMs, this.#relaxedMs) : usualMs;
  }

  /** No wakeup after this; idempotent. */
  stop(): void {
    this.#timer?.stop();
    this.#timer = null;
    this.#listeners.clear();
  }

  #notifyNow(): void {
    const cancels = this.#cancels;
    this.#timer = null;
    this.#cancels = false;
    this.#notifiedAt = this.#clock.monotonic();
    for (const listener of this.#listeners) listener(cancels);
  }
}
