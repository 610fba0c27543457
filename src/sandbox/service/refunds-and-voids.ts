import { type Refusal, refuse } from './errors.ts';
import type { PaymentRecord } from './records.ts';

/**
 * The largest refund of a sale, in minor units: the sale less all refunds and voids that succeeded or have not ended.
 * `asked` null: all that is left.
 * @returns the amount, or the error response: 409 `invalid_status` unless the payment is a charged sale, 422 `refund_exceeds_amount`.
 */
export function refundable(
  sale: PaymentRecord,
  below: readonly PaymentRecord[],
  asked: number | null,
): number | Refusal {
  const wrong = notCharged(sale);
  if (wrong) return wrong;
  const rest = below.filter(stands).reduce((left, one) => left - one.amountMinor, sale.amountMinor);
  const amount = asked ?? rest;
  if (amount > 0 && amount <= rest) return amount;
  return refuse(422, 'refund_exceeds_amount', 'This is more than what is left of the payment.', {
    param: 'amount_minor',
    details: { refundable_minor: rest },
  });
}

/**
 * The amount of a void: the whole sale, if it has no refund or void.
 * @returns the amount, or the error response: 409 `invalid_status` unless the payment is a charged sale, 422 `void_not_possible`.
 */
export function voidable(sale: PaymentRecord, below: readonly PaymentRecord[]): number | Refusal {
  const wrong = notCharged(sale);
  if (wrong) return wrong;
  const touching = below.find(stands);
  if (!touching) return sale.amountMinor;
  return refuse(422, 'void_not_possible', 'A part of the payment was given back, or is being given back.', {
    details: { payment_id: touching.id, instead: 'refund' },
  });
}

function notCharged({ type, status }: PaymentRecord): Refusal | null {
  if (type === 'sale' && status === 'succeeded') return null;
  return refuse(409, 'invalid_status', `Nothing can be given back of a ${type} that is ${status}.`, {
    details: { status, type },
  });
}

/** Succeeded, or not ended yet. */
function stands({ status, completedAt }: PaymentRecord): boolean {
  return completedAt === null || status === 'succeeded';
}
