import type { PaymentRecord } from './records.ts';
import { iso } from './service-clock.ts';

/** What terminal payments have paid of an invoice, net of refunds and voids. */
export interface Paid {
  readonly minor: number;
  /** When the newest of them ended. */
  readonly at: number;
}

/** By the id of the invoice; an invoice of which nothing was ever paid is not in it. */
export function paidOf(payments: Iterable<PaymentRecord>): ReadonlyMap<string, Paid> {
  const paid = new Map<string, Paid>();
  for (const { invoiceId, status, type, amountMinor, completedAt } of payments) {
    if (invoiceId === null || status !== 'succeeded') continue;
    const id = invoiceId.toLowerCase();
    const before = paid.get(id) ?? { minor: 0, at: 0 };
    const minor = before.minor + (type === 'sale' ? amountMinor : -amountMinor);
    paid.set(id, { minor, at: Math.max(before.at, completedAt ?? 0) });
  }
  return paid;
}

/** An invoice as GET returns it: its payments reduce what is due, and pay it. */
export function withPayments<T extends Readonly<Record<string, unknown>>>(
  invoice: T,
  paid: Paid | undefined,
): Readonly<Record<string, unknown>> {
  if (!paid) return invoice;
  const due = Math.max(0, Number(invoice['amount_due_minor']) - paid.minor);
  const status = due === 0 && invoice['status'] === 'open' ? 'paid' : invoice['status'];
  const updated = Math.max(paid.at, Date.parse(String(invoice['updated_at'])));
  return { ...invoice, amount_due_minor: due, status, updated_at: iso(updated) };
}
