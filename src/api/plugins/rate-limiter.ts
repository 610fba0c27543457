import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';

export interface RateLimit {
  readonly perMinute: number;
  readonly burst: number;
}

interface Bucket {
  tokens: number;
  at: number;
}

const MAX_BUCKETS = 1024;

/**
 * A token bucket per caller, so that one faulty till cannot block the others.
 *
 * INVARIANTS:
 * - a bucket holds between 0 and `burst` tokens and gains `perMinute` of them evenly;
 * - at most 1024 buckets are kept; removing the oldest only makes it full again.
 */
export class RateLimiter {
  readonly #limit: RateLimit;
  readonly #clock: Clock;
  readonly #buckets = new Map<string, Bucket>();

  constructor(limit: RateLimit, clock: Clock) {
    this.#limit = limit;
    this.#clock = clock;
  }

  /**
   * Takes one token and returns the three headers of the response.
   * @throws RATE_LIMITED when there is none; `context.headers` carries them and `Retry-After`.
   */
  take(caller: string): Record<string, string> {
    const bucket = this.#refilled(caller);
    if (bucket.tokens < 1) throw this.#refusal(bucket);
    bucket.tokens -= 1;
    return this.#headers(bucket);
  }

  #refilled(caller: string): Bucket {
    const now = this.#clock.monotonic();
    const bucket = this.#buckets.get(caller) ?? { tokens: this.#limit.burst, at: now };
    bucket.tokens = Math.min(this.#limit.burst, bucket.tokens + Math.max(0, now - bucket.at) * this.#perMs());
    bucket.at = now;
    this.#buckets.delete(caller);
    this.#buckets.set(caller, bucket);
    const oldest = this.#buckets.keys().next();
    if (this.#buckets.size > MAX_BUCKETS && !oldest.done) this.#buckets.delete(oldest.value);
    return bucket;
  }

  #refusal(bucket: Bucket): AppError {
    const retryAfter = Math.max(1, Math.ceil((1 - bucket.tokens) / this.#perMs() / 1000));
    return new AppError('RATE_LIMITED', `Too many requests: wait ${retryAfter} s`, {
      retry: 'safe',
      context: {
        details: { retry_after: retryAfter },
        headers: { ...this.#headers(bucket), 'retry-after': String(retryAfter) },
      },
    });
  }

  #headers(bucket: Bucket): Record<string, string> {
    const fullInMs = (this.#limit.burst - bucket.tokens) / this.#perMs();
    return {
      'x-ratelimit-limit': String(this.#limit.perMinute),
      'x-ratelimit-remaining': String(Math.floor(bucket.tokens)),
      'x-ratelimit-reset': String(Math.ceil((this.#clock.now() + fullInMs) / 1000)),
    };
  }

  #perMs(): number {
    return this.#limit.perMinute / 60_000;
  }
}
