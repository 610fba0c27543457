import type { BatchTotals, BookTotals } from '../../api/contract/batch-totals.ts';
import { counted } from '../../base/counted.ts';
import { type Currency, formatMoney } from '../../base/money.ts';

/** `3 sales of 30.00 EUR, 1 refund of 5.00 EUR, 0 voids of 0.00 EUR: 25.00 EUR`; null where the database has none. */
export function bookText(ours: BookTotals | null, currency: Currency | null): string | null {
  if (ours === null) return null;
  const part = (name: string, { count, amount_minor }: BookTotals['sales']) =>
    `${counted(count, name, `${name}s`)} of ${amountText(amount_minor, currency)}`;
  const parts = [part('sale', ours.sales), part('refund', ours.refunds), part('void', ours.voids)];
  return `${parts.join(', ')}: ${amountText(ours.net_minor, currency)}`;
}

/** The terminal's totals of its batch; null where it reports no sum. */
export function batchText(totals: BatchTotals | null, currency: Currency | null): string | null {
  if (totals === null) return null;
  const count = totals.count === null ? [] : [counted(totals.count, 'transaction', 'transactions')];
  const sum = totals.amount_minor === null ? [] : [amountText(totals.amount_minor, currency)];
  const schemes = totals.by_scheme.map(
    (row) => `${row.scheme} ${row.count} of ${amountText(row.amount_minor, currency)}`,
  );
  const reported = [[...count, ...sum].join(', '), schemes.join(', ')].filter((text) => text !== '');
  return reported.length === 0 ? null : reported.join('; ');
}

/** Minor units for people; without a currency they are labelled as minor units. */
export function amountText(minor: number | null, currency: Currency | null): string {
  if (minor === null) return '-';
  return currency === null ? `${minor} minor units` : formatMoney({ minor, currency });
}
