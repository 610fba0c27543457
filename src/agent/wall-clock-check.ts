import type { Clock } from '../base/clock.ts';
import type { ElapsedTime } from '../payment/attempt/elapsed-time.ts';

/** A smaller difference does not disturb a person who reads times. */
const TOLERATED_MS = 60_000;

export interface WallClockCheckDeps {
  readonly clock: Clock;
  readonly elapsed: ElapsedTime;
  /** Whether the system keeps its clock synchronised. */
  readonly isSynchronised: () => Promise<boolean>;
  /** How far the service's clock is ahead of this machine's, in ms; null: not known. */
  readonly skewMs: () => number | null;
}

/** Compares the wall clock with its witnesses: it labels payments, and staff rely on it. Guards do not. */
export class WallClockCheck {
  readonly #deps: WallClockCheckDeps;
  readonly #startedAt: { readonly wall: number; readonly monotonic: number };
  #isSynchronised = false;

  constructor(deps: WallClockCheckDeps) {
    this.#deps = deps;
    this.#startedAt = { wall: deps.clock.now(), monotonic: deps.clock.monotonic() };
  }

  /** Asks the system; a synchronised clock is a witness of the time between two process runs. */
  async look(): Promise<void> {
    const { clock, elapsed, isSynchronised } = this.#deps;
    this.#isSynchronised = await isSynchronised();
    if (this.#isSynchronised) elapsed.heard('system clock', clock.now());
  }

  /** The message for staff; null: nothing contradicts the clock. */
  trouble(): string | null {
    const skewMs = this.#deps.skewMs();
    if (skewMs !== null)
      return isMuch(skewMs)
        ? `The clock of this machine is ${spanOf(skewMs)} ${skewMs > 0 ? 'behind' : 'ahead of'} the service's. ${HARMLESS}`
        : null;
    const setMs = this.#setMs();
    if (this.#isSynchronised || !isMuch(setMs)) return null;
    return `The clock of this machine was set ${spanOf(setMs)} ${setMs > 0 ? 'ahead' : 'back'} while tilld ran, or the machine slept. ${HARMLESS}`;
  }

  /** How far the wall clock moved ahead of the monotonic clock. */
  #setMs(): number {
    const { clock } = this.#deps;
    const { wall, monotonic } = this.#startedAt;
    return clock.now() - wall - (clock.monotonic() - monotonic);
  }
}

const HARMLESS =
  'Times on lists and receipts may be wrong; no payment is taken twice or refused because of it. Set the clock: timedatectl set-ntp true';

function isMuch(ms: number): boolean {
  return Math.abs(ms) > TOLERATED_MS;
}

const UNITS = [
  ['days', 86_400_000],
  ['hours', 3_600_000],
  ['minutes', 60_000],
] as const;

function spanOf(ms: number): string {
  const size = Math.abs(ms);
  const [name, unit] = UNITS.find(([, one]) => size >= 2 * one) ?? (['seconds', 1000] as const);
  return `${Math.round(size / unit)} ${name}`;
}
