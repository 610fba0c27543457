import type { Clock } from '../base/clock.ts';
import type { ElapsedTime } from '../payment/attempt/elapsed-time.ts';

/** Less than this is no trouble for people who read times. */
const TOLERATED_MS = 60_000;

export interface ClockWatchPorts {
  readonly clock: Clock;
  readonly elapsed: ElapsedTime;
  /** Whether the system keeps its clock right. */
  readonly isSynchronised: () => Promise<boolean>;
  /** How far the service's clock is ahead of this machine's, ms; null: it was not heard. */
  readonly skewMs: () => number | null;
}

/** Holds the wall clock against its witnesses: it labels payments, and people go by it. Guards do not. */
export class ClockWatch {
  readonly #ports: ClockWatchPorts;
  readonly #startedAt: { readonly wall: number; readonly monotonic: number };
  #isSynchronised = false;

  constructor(ports: ClockWatchPorts) {
    this.#ports = ports;
    this.#startedAt = { wall: ports.clock.now(), monotonic: ports.clock.monotonic() };
  }

  /** Asks the system; a clock that it keeps right is a witness of the time between two runs. */
  async look(): Promise<void> {
    const { clock, elapsed, isSynchronised } = this.#ports;
    this.#isSynchronised = await isSynchronised();
    if (this.#isSynchronised) elapsed.heard('system clock', clock.now());
  }

  /** What people must know of it, in words; null: nothing contradicts it. */
  trouble(): string | null {
    const skewMs = this.#ports.skewMs();
    if (skewMs !== null)
      return isMuch(skewMs)
        ? `The clock of this machine is ${spanOf(skewMs)} ${skewMs > 0 ? 'behind' : 'ahead of'} the service's. ${HARMLESS}`
        : null;
    const setMs = this.#setMs();
    if (this.#isSynchronised || !isMuch(setMs)) return null;
    return `The clock of this machine was set ${spanOf(setMs)} ${setMs > 0 ? 'ahead' : 'back'} while tilld ran, or the machine slept. ${HARMLESS}`;
  }

  /** How far the wall clock went ahead of the one that nothing sets. */
  #setMs(): number {
    const { clock } = this.#ports;
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
