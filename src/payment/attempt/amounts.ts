import type { TransactionReport } from '../../terminal/ports.ts';
import type { Attempt } from './attempt.ts';
import type { AmountCheck } from './state-machine.ts';

/** What the terminal charged (or refunded), in minor units; without an amount in its report, the requested amount. */
export function approvedMinor(attempt: Attempt): number {
  return attempt.report?.amountMinor ?? attempt.amount.minor;
}

/** Compares the approved amount with the request: asked + tip + surcharge + cashback = approved. */
export function amountCheck(attempt: Attempt, report: TransactionReport): AmountCheck {
  if (report.currency !== undefined && report.currency !== attempt.amount.currency) return 'other_currency';
  if (report.amountMinor === undefined) return 'unconfirmed';
  const { tipMinor = 0, surchargeMinor = 0, cashbackMinor = 0 } = report;
  const explained = attempt.amount.minor + tipMinor + surchargeMinor + cashbackMinor;
  if (report.amountMinor === explained) return 'as_asked';
  return report.amountMinor < explained ? 'less' : 'more';
}

/** A sale that stands with less than was asked for. */
export function isPartial(attempt: Attempt): boolean {
  return (
    attempt.type === 'sale' &&
    attempt.state.name === 'succeeded' &&
    attempt.report !== null &&
    amountCheck(attempt, attempt.report) === 'less'
  );
}
