import { sinkError } from '../../integration/failure/sink-error.ts';

/** The request quota of one call of a sink: a run must renew its lease, and yield to payments. */
const MOST = 20;

/** Counts the requests of one call. A call beyond the quota is interrupted and continues where it was: that is no failure. */
export class RequestQuota {
  #left = MOST;

  /** Before each request. @throws SINK_RATE_LIMITED, to be called again at once */
  step(): void {
    if (this.#left === 0)
      throw sinkError('SINK_RATE_LIMITED', 'there is more to be sent to the service; it goes on', {
        retryAfterMs: 1,
      });
    this.#left -= 1;
  }
}
