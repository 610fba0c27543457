import { refuse } from './errors.ts';
import type { ServiceClock } from './service-clock.ts';
import type { SandboxSettings } from './settings.ts';

/** Requests per minute and burst: the interface has one table by plan and one by environment, which contradict each other. */
const PLANS = {
  starter: [60, 10],
  growth: [600, 50],
  enterprise: [6000, 200],
  test_mode: [100, 200],
  production: [1000, 2000],
  unlimited: [100_000_000, 1_000_000],
} as const;

/** A bucket at the time `at` (monotonic ms). */
interface Bucket {
  readonly tokens: number;
  readonly at: number;
}

/** A token bucket per API key: it holds `burst` tokens and refills `perMinute` of them a minute. */
export class RateLimit {
  readonly #clock: ServiceClock;
  readonly #perMinute: number;
  readonly #burst: number;
  readonly #buckets = new Map<string, Bucket>();

  constructor(plan: SandboxSettings['plan'], clock: ServiceClock) {
    this.#clock = clock;
    [this.#perMinute, this.#burst] = PLANS[plan];
  }

  /**
   * Takes a token and returns the `X-RateLimit-*` headers; `Reset` is the second at which the bucket is full again.
   * `publishes` false: no such headers (one statement of the interface says that the limiter sends none today).
   * @throws Refusal 429 `rate_limit_exceeded` with `Retry-After` and `details.retry_after` in whole seconds.
   */
  take(key: string, publishes = true): Readonly<Record<string, string>> {
    const tokens = this.#tokensOf(key);
    const left = tokens >= 1 ? tokens - 1 : tokens;
    this.#buckets.set(key, { tokens: left, at: this.#clock.monotonic() });
    const headers = publishes ? this.#headers(left) : {};
    if (tokens < 1) throw tooMany(Math.max(1, Math.ceil((1 - tokens) * this.#msPerToken() * 0.001)), headers);
    return headers;
  }

  #tokensOf(key: string): number {
    const bucket = this.#buckets.get(key);
    if (!bucket) return this.#burst;
    return Math.min(this.#burst, bucket.tokens + (this.#clock.monotonic() - bucket.at) / this.#msPerToken());
  }

  #headers(tokens: number): Readonly<Record<string, string>> {
    const fullAt = this.#clock.now() + (this.#burst - tokens) * this.#msPerToken();
    return {
      'X-RateLimit-Limit': String(this.#perMinute),
      'X-RateLimit-Remaining': String(Math.floor(tokens)),
      'X-RateLimit-Reset': String(Math.ceil(fullAt / 1000)),
    };
  }

  #msPerToken(): number {
    return 60_000 / this.#perMinute;
  }
}

/** The 429 of the interface. */
export function tooMany(seconds: number, headers: Readonly<Record<string, string>> = {}) {
  return refuse(429, 'rate_limit_exceeded', 'Too many requests.', {
    type: 'rate_limit_error',
    details: { retry_after: seconds },
    headers: { ...headers, 'Retry-After': String(seconds) },
  });
}
