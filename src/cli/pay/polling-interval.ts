/** Timeouts and intervals of `tillctl pay`, in milliseconds; tests shorten them. */
export interface PollingInterval {
  /** Polling interval of the payment, as a fallback for the event stream. */
  readonly lookMs: number;
  /** Interval between two tries of the create, same key. */
  readonly retryMs: number;
  /** How long the create is retried while the daemon restarts. */
  readonly createMs: number;
  /** Maximum time that a payment is followed. */
  readonly longestMs: number;
}

export const POLLING_INTERVAL: PollingInterval = {
  lookMs: 1000,
  retryMs: 500,
  createMs: 30_000,
  longestMs: 1_800_000,
};
