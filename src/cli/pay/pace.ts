/** How patient `tillctl pay` is, in milliseconds; tests hurry it. */
export interface Pace {
  /** Between two looks at the payment, as a net below the event stream. */
  readonly lookMs: number;
  /** Between two tries of the create, same key. */
  readonly retryMs: number;
  /** How long the create is tried again while the daemon restarts. */
  readonly createMs: number;
  /** Longest that a payment is followed, whatever happens. */
  readonly longestMs: number;
}

export const PACE: Pace = { lookMs: 1000, retryMs: 500, createMs: 30_000, longestMs: 1_800_000 };
