import type { Receipts, TerminalIdentity, Totals } from '../../terminal/ports.ts';
import type { Reason } from '../attempt/attempt.ts';

/**
 * The status of an end of day. `refused`: explicitly by the terminal, its batch is open. `unknown`: tilld did not receive its end.
 * `cancelled`: no close was sent to the terminal.
 */
export type SettlementStatus =
  | 'requested'
  | 'in_progress'
  | 'succeeded'
  | 'refused'
  | 'cancelled'
  | 'unknown';

/** Sums of what succeeded, in minor units. */
export interface BatchSums {
  readonly sales: { readonly count: number; readonly amountMinor: number };
  readonly refunds: { readonly count: number; readonly amountMinor: number };
  readonly voids: { readonly count: number; readonly amountMinor: number };
  /** Sales less refunds less voids. */
  readonly netMinor: number;
}

/** What our database holds for the day. */
export interface OurTotals extends BatchSums {
  /** `scheme` empty: not reported. Settlements of older releases have none. */
  readonly byScheme?: readonly (BatchSums & { readonly scheme: string })[];
}

/** The close of a terminal's batch: requested by a person, or done by the terminal itself and noticed. */
export interface Settlement {
  readonly id: string;
  readonly deviceId: string;
  readonly source: 'request' | 'terminal';
  readonly status: SettlementStatus;
  /** The caller: an API key's id or `socket`; `terminal` when the terminal closed by itself. */
  readonly caller: string;
  /** A person closed the day although a payment is in doubt. */
  readonly forced: { readonly by: string; readonly reason: string; readonly doubtId: string | null } | null;
  readonly createdAt: number;
  readonly completedAt: number | null;
  readonly terminal: TerminalIdentity | null;
  readonly totals: Totals | null;
  readonly ours: OurTotals | null;
  /** The terminal's sum differs from ours; null where one of them is unknown. */
  readonly differs: boolean | null;
  readonly receipts: Receipts;
  readonly reason: Reason | null;
}

/** True once nothing changes any more. */
export function isSettled(settlement: Settlement): boolean {
  return settlement.status !== 'requested' && settlement.status !== 'in_progress';
}
