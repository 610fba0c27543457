/** What a request of an agent shows: its alert is raised at once, and ends when a person ends it; `clock_wrong` also when the clock is right again. */
export const FOUND_KINDS = [
  'journal_contradicts',
  'two_processes',
  'journal_damaged',
  'clock_wrong',
] as const;
export type FoundKind = (typeof FOUND_KINDS)[number];

/** What lasts at a shop: its alert is raised after the minutes of its rule, and ends by itself. */
export const CONDITIONS = ['silent', 'cannot_sell', 'cannot_report', 'not_fresh', 'in_doubt'] as const;

/** What happens to a merchant, and to no shop by itself: its alert is raised at once, and ends with its cause. */
export const MERCHANT_KINDS = ['rollout_paused'] as const;
export type MerchantKind = (typeof MERCHANT_KINDS)[number];

/** What a rule can watch. */
export const ALERT_KINDS = [...FOUND_KINDS, ...CONDITIONS, ...MERCHANT_KINDS] as const;
export type AlertKind = (typeof ALERT_KINDS)[number];

export const SEVERITIES = ['info', 'warning', 'critical'] as const;

/** An agent's clock that differs more from that of the hub is wrong. */
export const WRONG_CLOCK_MS = 5 * 60_000;
