import type { Receipts, TerminalIdentity, Totals } from '../../terminal/ports.ts';
import type { Reason } from '../attempt/attempt.ts';

/**
 * Where an end of day stands. `refused`: the terminal's own words, its batch is open. `unknown`: nobody heard how it ended.
 * `cancelled`: it never reached the terminal.
 */
export type SettlementStatus =
  | 'requested'
  | 'in_progress'
  | 'succeeded'
  | 'refused'
  | 'cancelled'
  | 'unknown';

/** What our own books hold for the batch: sums of what succeeded, in minor units. */
export interface OurTotals {
  readonly sales: { readonly count: number; readonly amountMinor: number };
  readonly refunds: { readonly count: number; readonly amountMinor: number };
  readonly voids: { readonly count: number; readonly amountMinor: number };
  /** Sales less refunds less voids. */
  readonly netMinor: number;
}

/** The close of a terminal's batch: asked for by a person, or noticed because the terminal did it by itself. */
export interface Settlement {
  readonly id: string;
  readonly deviceId: string;
  readonly source: 'request' | 'terminal';
  readonly status: SettlementStatus;
  /** Who asked: an API key's id or `socket`; `terminal` when nobody did. */
  readonly caller: string;
  /** A person closed the day although a payment is in doubt. */
  readonly forced: { readonly by: string; readonly reason: string; readonly doubtId: string | null } | null;
  readonly createdAt: number;
  readonly completedAt: number | null;
  readonly terminal: TerminalIdentity | null;
  readonly totals: Totals | null;
  readonly ours: OurTotals | null;
  /** The terminal's sum is not ours; null where one of them is not known. */
  readonly differs: boolean | null;
  readonly receipts: Receipts;
  readonly reason: Reason | null;
}

/** True once nothing changes any more. */
export function isSettled(settlement: Settlement): boolean {
  return settlement.status !== 'requested' && settlement.status !== 'in_progress';
}
