import { sinkError } from '../../integration/sink-error.ts';

/** So many requests within one call of a sink: a run must show life, and let payments pass. */
const MOST = 20;

/**
 * Counts the requests of one call. What would take more is broken off and goes on where it was: that is no failure.
 */
export class Stint {
  #left = MOST;

  /** Before each request. @throws SINK_RATE_LIMITED, to be called again at once */
  step(): void {
    if (this.#left === 0)
      throw sinkError('SINK_RATE_LIMITED', 'there is more to be told to the service; it goes on', {
        retryAfterMs: 1,
      });
    this.#left -= 1;
  }
}
