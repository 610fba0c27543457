import type { HttpReply, HttpRequest } from '../../../src/net/http-client.ts';
import type { ServiceGauge } from '../service.ts';

/** Requests a minute and at once that the plan grants. */
export interface Allowance {
  readonly perMinute: number;
  readonly burst: number;
}

/** What the allowance came to while reports were pending and the service was there. */
export interface Use {
  /** What the rate granted in that time; the burst, which is saved up from before, is not in it. */
  readonly granted: number;
  readonly used: number;
  /** Of all requests: those that found the bucket empty. */
  readonly exceededPercent: number;
  /** Of `granted`: what was not used. */
  readonly idlePercent: number;
  /** The longest time without a request, ms. */
  readonly longestIdleMs: number;
}

/**
 * Stands at the door of the service and counts: every request against a bucket of its own, and when each result was taken.
 * The time that counts is between `begin` and `pause`: reports are pending, and they could go.
 */
export class Gauge implements ServiceGauge {
  /** When the service had the result of a payment, by the payment's id there; ms of the history. */
  readonly tookResultAt = new Map<string, number>();
  readonly #allowance: Allowance;
  readonly #elapsed: () => number;
  #tokens: number;
  #at: number;
  #lastAt = 0;
  #since: number | null = null;
  #countedMs = 0;
  #used = 0;
  #over = 0;
  #longestIdleMs = 0;

  constructor(allowance: Allowance, elapsed: () => number) {
    this.#allowance = allowance;
    this.#elapsed = elapsed;
    this.#tokens = allowance.burst;
    this.#at = elapsed();
  }

  begin(): void {
    this.#since ??= this.#elapsed();
    this.#lastAt = this.#elapsed();
  }

  pause(): void {
    if (this.#since === null) return;
    this.#countedMs += this.#elapsed() - this.#since;
    this.#since = null;
  }

  arrives(): void {
    const { perMinute, burst } = this.#allowance;
    const now = this.#elapsed();
    this.#tokens = Math.min(burst, this.#tokens + ((now - this.#at) * perMinute) / 60_000);
    this.#at = now;
    const isOver = this.#tokens < 1;
    if (!isOver) this.#tokens -= 1;
    if (this.#since === null) return;
    this.#used += 1;
    if (isOver) this.#over += 1;
    this.#longestIdleMs = Math.max(this.#longestIdleMs, now - this.#lastAt);
    this.#lastAt = now;
  }

  answered({ method, path }: HttpRequest, { status }: HttpReply): void {
    const id = method === 'POST' ? /^\/terminal-payments\/([^/]+)\/result$/.exec(path)?.[1] : undefined;
    if (id === undefined || status !== 200 || this.tookResultAt.has(id)) return;
    this.tookResultAt.set(id, this.#elapsed());
  }

  get use(): Use {
    const counted = this.#countedMs + (this.#since === null ? 0 : this.#elapsed() - this.#since);
    const granted = (counted * this.#allowance.perMinute) / 60_000;
    return {
      granted,
      used: this.#used,
      exceededPercent: percent(this.#over, this.#used),
      idlePercent: Math.max(0, percent(granted - this.#used, granted)),
      longestIdleMs: this.#longestIdleMs,
    };
  }
}

/** Null-safe, with two digits. */
function percent(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.round((part * 10_000) / whole) / 100;
}
