import type { TransactionReport } from '../../terminal/ports.ts';
import type { Attempt } from './attempt.ts';
import type { AmountCheck } from './state-machine.ts';

/** What the terminal charged (or refunded), in minor units; without an amount in its report, the requested amount. */
export function approvedMinor({ report, amount }: Attempt): number {
  return report?.verdict === 'approved' ? (report.amountMinor ?? amount.minor) : amount.minor;
}

/** What was added at the terminal to a sale, in minor units, as far as its record states it. A refund and a void are of what was approved. */
export function addedMinor(
  { type }: Attempt,
  { tipMinor = 0, surchargeMinor = 0, cashbackMinor = 0 }: TransactionReport,
): number {
  return type === 'sale' ? tipMinor + surchargeMinor + cashbackMinor : 0;
}

/** The amount of the terminal's own record if it is that of this attempt: as approved, else as requested, with what the record says was added. */
export function recordedMinor(attempt: Attempt, record: TransactionReport): number {
  const { state, report } = attempt;
  const wasApproved = state.name === 'in_doubt' ? state.hadApproval : report?.verdict === 'approved';
  if (wasApproved) return approvedMinor(attempt);
  return attempt.amount.minor + addedMinor(attempt, record);
}

/** Compares the approved amount with the request: asked + tip + surcharge + cashback = approved. */
export function amountCheck(attempt: Attempt, report: TransactionReport): AmountCheck {
  if (report.currency !== undefined && report.currency !== attempt.amount.currency) return 'other_currency';
  if (report.amountMinor === undefined) return 'unconfirmed';
  const explained = attempt.amount.minor + addedMinor(attempt, report);
  if (report.amountMinor === explained) return 'as_asked';
  return report.amountMinor < explained ? 'less' : 'more';
}

/** A sale that stands with less than was asked for. */
export function isPartial(attempt: Attempt): boolean {
  return (
    attempt.type === 'sale' &&
    attempt.corrects === null &&
    attempt.state.name === 'succeeded' &&
    attempt.report !== null &&
    amountCheck(attempt, attempt.report) === 'less'
  );
}
