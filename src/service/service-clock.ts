import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { ServiceTime } from '../outbox/report-port.ts';

const WARN_ABOVE_MS = 30_000;

/**
 * The service's own clock, from the `Date` of its answers (whole seconds), continued by the monotonic clock, so that a clock jump of the machine
 * changes no age.
 */
export class ServiceClock implements ServiceTime {
  readonly #clock: Clock;
  readonly #log: Log;
  #anchor: { readonly serviceMs: number; readonly monotonic: number } | null = null;
  #skewed = false;

  constructor(clock: Clock, log: Log) {
    this.#clock = clock;
    this.#log = log;
  }

  /** Records the `Date` of an answer; null changes nothing. */
  observe(dateMs: number | null): void {
    if (dateMs === null) return;
    this.#anchor = { serviceMs: dateMs, monotonic: this.#clock.monotonic() };
    this.#warn();
  }

  now(): number | null {
    return (
      this.#anchor && Math.round(this.#anchor.serviceMs + this.#clock.monotonic() - this.#anchor.monotonic)
    );
  }

  /** How far the service is ahead of this machine, in ms; null before its first answer. */
  skewMs(): number | null {
    const now = this.now();
    return now === null ? null : now - this.#clock.now();
  }

  #warn(): void {
    const skewMs = this.skewMs() ?? 0;
    const skewed = Math.abs(skewMs) > WARN_ABOVE_MS;
    if (skewed && !this.#skewed)
      this.#log.warn({ skewMs }, 'this machine and the service disagree about the time');
    if (!skewed && this.#skewed)
      this.#log.info({ skewMs }, 'this machine and the service agree about the time again');
    this.#skewed = skewed;
  }
}
