import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import type { Device } from '../../terminal/device.ts';

/** Longest lease, in ms. */
export const LONGEST_DRAIN_MS = 900_000;

/** What is held, and which terminals still work. */
export interface DrainView {
  /** When the lease ends by itself, epoch ms; null: none is held. */
  readonly endsAt: number | null;
  /** Devices on whose terminals a payment, a close or a recovery still runs or waits. */
  readonly busy: readonly Device[];
}

export interface DrainLeaseDeps {
  readonly busy: () => readonly Device[];
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Empties the terminals before a restart: while it is held nothing new begins, and what was accepted before goes on to its end. It is a lease,
 * kept in memory: an upgrade that dies, and a restart, leave a shop that sells.
 *
 * INVARIANT: it is read where a request enters, before anything is written, and never again on the request's way.
 */
export class DrainLease {
  readonly #deps: DrainLeaseDeps;
  /** Monotonic. */
  #endsAt = 0;

  constructor(deps: DrainLeaseDeps) {
    this.#deps = deps;
  }

  get isHeld(): boolean {
    return this.#deps.clock.monotonic() < this.#endsAt;
  }

  /** Begins the lease, or renews it, for `ms` from now; at most {@link LONGEST_DRAIN_MS}. */
  begin(ms: number): void {
    const { clock, log } = this.#deps;
    if (!this.isHeld) log.warn({ seconds: ms / 1000 }, 'drained: nothing new begins at any terminal');
    this.#endsAt = clock.monotonic() + Math.min(ms, LONGEST_DRAIN_MS);
  }

  /** Gives it back before its time. */
  end(): void {
    if (this.isHeld) this.#deps.log.info({}, 'drain ended: payments are taken again');
    this.#endsAt = 0;
  }

  view(): DrainView {
    const { busy, clock } = this.#deps;
    const left = this.#endsAt - clock.monotonic();
    return { endsAt: left > 0 ? clock.now() + left : null, busy: busy() };
  }

  /**
   * @param nothing what did not happen, for staff: `Nothing was charged.`
   * @throws DRAINING
   */
  check(nothing: string): void {
    if (this.isHeld) throw new AppError('DRAINING', `${nothing} ${DRAINED}`, { retry: 'safe' });
  }
}

/** For staff, and for the status. */
export const DRAINED = 'tilld is about to be restarted. Wait a moment, then try again.';
