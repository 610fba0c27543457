import { AppError } from '../../base/errors.ts';
import type { AttemptView, Payments } from '../../payment/payments.ts';

/** A payment as it is now; null where there is none, or where a damaged database has lost it. */
export function paymentOf(id: string | null, payments: Pick<Payments, 'get'>): AttemptView | null {
  if (id === null) return null;
  try {
    return payments.get(id);
  } catch (error) {
    if (error instanceof AppError && error.code === 'PAYMENT_UNKNOWN') return null;
    throw error;
  }
}
