import type { Clock, Timer } from '../../base/clock.ts';

/** The service's own clock: the machine's clock plus the configured skew. */
export class ServiceClock {
  readonly #clock: Clock;
  readonly #skewMs: () => number;

  constructor(clock: Clock, skewMs: () => number) {
    this.#clock = clock;
    this.#skewMs = skewMs;
  }

  /** Epoch ms by the service's clock. */
  now(): number {
    return this.#clock.now() + this.#skewMs();
  }

  /** The value of the `Date` header. */
  httpDate(): string {
    return new Date(this.now()).toUTCString();
  }

  monotonic(): number {
    return this.#clock.monotonic();
  }

  timer(name: string, ms: number, fn: () => void): Timer {
    return this.#clock.timer(name, ms, fn);
  }
}

/** ISO 8601 UTC, or null. */
export function iso(at: number): string;
export function iso(at: number | null): string | null;
export function iso(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}
