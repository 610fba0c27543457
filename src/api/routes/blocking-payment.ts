import { AppError } from '../../base/errors.ts';
import type { Payments } from '../../payment/payments.ts';
import { ENGLISH } from '../../sentences/english.ts';
import { refusalSentences } from '../../sentences/sentences.js';
import { moneyFacts } from '../render/money-facts.ts';
import { refusalOf } from '../reply/refusals.ts';
import { paymentOf } from './payment-of.ts';

/** Errors because of another payment. */
const BECAUSE_OF_ANOTHER = [
  'PAYMENT_ALREADY_OPEN',
  'PAYMENT_ALREADY_PAID',
  'PAYMENT_RETRIED',
  'INVOICE_ALREADY_PAID',
  'REFUND_BLOCKED',
];

/**
 * Runs work that may fail because of another payment; the error response then says what is known now of that payment.
 * @throws what `work` throws
 */
export function describingBlockingPayment<T>(payments: Payments, kind: 'sale' | 'back', work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof AppError ? withOther(error, payments, kind === 'back') : error;
  }
}

function withOther(error: AppError, payments: Payments, isGivingBack: boolean): AppError {
  const { code, context, retry } = error;
  const view = paymentOf(paymentIn(context['details']), payments);
  const refusal = refusalOf(code);
  if (!BECAUSE_OF_ANOTHER.includes(code) || !view || !refusal) return error;
  const other = moneyFacts(view);
  const message = refusalSentences(
    { code: refusal.code, message: error.message },
    { other, isGivingBack },
    ENGLISH,
  );
  return new AppError(code, `${message.charged} ${message.now}`, { retry, context, cause: error });
}

function paymentIn(details: unknown): string | null {
  const id =
    typeof details === 'object' && details !== null && 'payment_id' in details ? details.payment_id : null;
  return typeof id === 'string' ? id : null;
}
