import type { Clock } from '../base/clock.ts';

/** The kind of request: reports of fresh outcomes go first, then polls; syncs and reports that have waited long share the rest. */
export type BudgetPriority = 'outcome' | 'poll' | 'sync' | 'backlog';

export interface BudgetLimits {
  readonly perMinute: number;
  readonly burst: number;
}

/** The smaller of the two tables that the interface states. */
export const STARTER: BudgetLimits = { perMinute: 60, burst: 10 };

/** A rate that a header states counts as one within these bounds. */
const LEAST_PER_MINUTE = 6;
const MOST_PER_MINUTE = 6_000;
/** Half the burst is reserved for outcomes, so that a backlog never makes a fresh one wait. */
const KEPT_FROM_BACKLOG = 0.5;
const POLL_SHARE = 0.25;
/** A sync has this share of the rate in any case, one request at a time; beyond it only what no other request uses. */
const SYNC_SHARE = 0.25;
/** A sync never takes the last quarter of the burst. Beyond its share it leaves three quarters: the bucket is that full only when no report waits. */
const KEPT_FROM_SYNC = 0.25;
const KEPT_FROM_SPARE = 0.75;
const RECOVERY_MS = 60_000;

/**
 * The requests that one API key may make, as a token bucket.
 * Why here and not at the HTTP client: the order of requests is a rule of tilld, and the simulation must run it.
 *
 * INVARIANTS:
 * - polls take at most a quarter of the rate;
 * - the backlog leaves half the burst to outcomes, and takes all of the rate when no other request needs it;
 * - a sync has a quarter of the rate at most while reports wait, and never less for long; it takes what is left when nothing else does;
 * - a 429 stops every kind until its `Retry-After` and slows the rate; each minute without a 429 raises it again by a tenth.
 */
export class Budget {
  readonly #clock: Clock;
  #ceiling: number;
  #burst: number;
  #perMinute: number;
  #tokens: number;
  #pollTokens: number;
  #syncTokens = 1;
  #at: number;
  #blockedUntil = 0;
  #slowedAt: number | null = null;

  constructor(clock: Clock, limits: BudgetLimits = STARTER) {
    this.#clock = clock;
    this.#ceiling = limits.perMinute;
    this.#perMinute = limits.perMinute;
    this.#burst = limits.burst;
    this.#tokens = limits.burst;
    this.#pollTokens = this.#pollBurst;
    this.#at = clock.monotonic();
  }

  /** Requests per minute as learned so far. */
  get perMinute(): number {
    return this.#perMinute;
  }

  /** Takes one token and returns 0, or takes none and returns the ms to wait before asking again. */
  take(priority: BudgetPriority): number {
    this.#refill();
    const blockedMs = this.#blockedUntil - this.#at;
    if (blockedMs > 0) return Math.ceil(blockedMs);
    const waitMs = this.#waitMs(priority);
    if (waitMs > 0) return waitMs;
    this.#tokens -= 1;
    if (priority === 'poll') this.#pollTokens -= 1;
    if (priority === 'sync') this.#syncTokens = Math.max(0, this.#syncTokens - 1);
    return 0;
  }

  /** Counts a request that could not wait: a repeat, a claim, a look-up. The bucket may go negative for it. */
  spend(): void {
    this.#refill();
    this.#tokens = Math.max(this.#tokens - 1, -this.#burst);
  }

  /** Learns from `X-RateLimit-Limit` (requests per minute) and `X-RateLimit-Remaining`. */
  learn(headers: { readonly limit: number | null; readonly remaining: number | null }): void {
    this.#refill();
    const { limit, remaining } = headers;
    if (limit !== null && limit > 0) {
      const ceiling = Math.min(Math.max(limit, LEAST_PER_MINUTE), MOST_PER_MINUTE);
      if (ceiling !== this.#ceiling) this.#perMinute = ceiling;
      this.#ceiling = ceiling;
    }
    if (remaining !== null && remaining >= 0) this.#tokens = Math.min(this.#tokens, remaining);
  }

  /** A 429: no request for `retryAfterMs`, and the rate falls by a quarter. */
  exhausted(retryAfterMs: number | null): void {
    this.#refill();
    const pauseMs = Math.min(retryAfterMs ?? 60_000 / this.#perMinute, 3_600_000);
    this.#blockedUntil = Math.max(this.#blockedUntil, this.#at + pauseMs);
    this.#tokens = Math.min(this.#tokens, 0);
    this.#perMinute = Math.max(this.#perMinute * 0.75, Math.min(LEAST_PER_MINUTE, this.#ceiling));
    this.#slowedAt = this.#at;
  }

  get #pollBurst(): number {
    return Math.max(1, Math.floor(this.#burst * POLL_SHARE));
  }

  #waitMs(priority: BudgetPriority): number {
    if (priority === 'sync') return Math.min(this.#msOfShare(), this.#msUntilKept(KEPT_FROM_SPARE));
    const own = this.#msUntilKept(priority === 'backlog' ? KEPT_FROM_BACKLOG : 0);
    if (priority !== 'poll') return own;
    return Math.max(own, this.#msUntil(this.#pollTokens, 1, this.#perMinute * POLL_SHARE));
  }

  #msOfShare(): number {
    const own = this.#msUntil(this.#syncTokens, 1, this.#perMinute * SYNC_SHARE);
    return Math.max(own, this.#msUntilKept(KEPT_FROM_SYNC));
  }

  /** Ms until a token can be taken that leaves this part of the burst. */
  #msUntilKept(part: number): number {
    return this.#msUntil(this.#tokens, 1 + Math.floor(this.#burst * part), this.#perMinute);
  }

  #msUntil(tokens: number, wanted: number, perMinute: number): number {
    return tokens >= wanted ? 0 : Math.ceil(((wanted - tokens) * 60_000) / perMinute);
  }

  #refill(): void {
    const now = this.#clock.monotonic();
    const minutes = (now - this.#at) / 60_000;
    this.#at = now;
    this.#tokens = Math.min(this.#tokens + minutes * this.#perMinute, this.#burst);
    this.#pollTokens = Math.min(this.#pollTokens + minutes * this.#perMinute * POLL_SHARE, this.#pollBurst);
    this.#syncTokens = Math.min(this.#syncTokens + minutes * this.#perMinute * SYNC_SHARE, 1);
    if (this.#slowedAt !== null && now - this.#slowedAt >= RECOVERY_MS) this.#recover(now);
  }

  #recover(now: number): void {
    this.#perMinute = Math.min(this.#perMinute * 1.1, this.#ceiling);
    this.#slowedAt = this.#perMinute < this.#ceiling ? now : null;
  }
}
