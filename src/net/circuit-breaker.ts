import CircuitBreaker from 'opossum';
import type { Log } from '../base/log.ts';
import type { HttpReply, HttpRequest } from './exchange.ts';

/** Opens when `errorPercentage` of at least `minRequests` within `windowMs` failed; one trial after each `resetMs`. */
export interface BreakerPolicy {
  readonly errorPercentage: number;
  readonly minRequests: number;
  readonly windowMs: number;
  readonly resetMs: number;
}

const BREAKER: BreakerPolicy = { errorPercentage: 50, minRequests: 5, windowMs: 20_000, resetMs: 2_000 };

export type Breaker = CircuitBreaker<[HttpRequest], HttpReply>;

/** The caller ended its request: that says nothing of the peer. */
export class CallerGaveUp extends Error {}

/** @param single one try of a request; throws {@link CallerGaveUp} when its signal ended it */
export function createBreaker(
  single: (request: HttpRequest) => Promise<HttpReply>,
  own: Partial<BreakerPolicy> | undefined,
  log: Log,
): Breaker {
  const policy = { ...BREAKER, ...own };
  const breaker: Breaker = new CircuitBreaker(single, {
    timeout: false,
    errorThresholdPercentage: policy.errorPercentage,
    volumeThreshold: policy.minRequests,
    rollingCountTimeout: policy.windowMs,
    resetTimeout: policy.resetMs,
    rollingPercentilesEnabled: false,
    // A caller's abort says nothing of the peer: no failure while closed, no proof of health while half open.
    errorFilter: (error: unknown) => error instanceof CallerGaveUp && !breaker.halfOpen,
  });
  breaker.on('open', () => log.warn({}, 'http breaker opened'));
  breaker.on('close', () => log.info({}, 'http breaker closed'));
  return breaker;
}

/** The breaker is open: the request was not sent. */
export function isOfBreaker(error: unknown): boolean {
  return error instanceof Error && CircuitBreaker.isOurError(error);
}
