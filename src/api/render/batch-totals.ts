import type { OurTotals } from '../../payment/batch/settlement.ts';
import type { Totals } from '../../terminal/ports.ts';
import type { BatchTotals, BookTotals } from '../contract/batch-totals.ts';

/** The terminal's sums; null where it reported none. */
export function renderBatchTotals(totals: Totals | null): BatchTotals | null {
  if (totals === null) return null;
  return {
    count: totals.count ?? null,
    amount_minor: totals.amountMinor ?? null,
    currency: totals.currency ?? null,
    first_number: totals.firstNumber ?? null,
    last_number: totals.lastNumber ?? null,
    by_scheme: (totals.byScheme ?? []).map(({ scheme, count, amountMinor }) => ({
      scheme,
      count,
      amount_minor: amountMinor,
    })),
  };
}

/** The sums of the database. */
export function renderBookTotals({ sales, refunds, voids, netMinor }: OurTotals): BookTotals {
  return { sales: sumOf(sales), refunds: sumOf(refunds), voids: sumOf(voids), net_minor: netMinor };
}

function sumOf({ count, amountMinor }: OurTotals['sales']) {
  return { count, amount_minor: amountMinor };
}
