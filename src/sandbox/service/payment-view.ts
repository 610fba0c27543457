import type { PaymentRecord } from './records.ts';
import { iso } from './service-clock.ts';

/** Fields of a payment that only a result sets. */
export const RESULT_TEXTS = [
  'terminal_serial',
  'uti',
  'auth_code',
  'response_code',
  'rrn',
  'card_scheme',
  'masked_pan',
  'entry_mode',
  'error_message',
] as const;

/** A payment as GET returns it; `metadata` exists only on a service that stores it, `parent_id` only on refunds and voids. */
export function paymentView(payment: PaymentRecord, keepsMetadata: boolean): Record<string, unknown> {
  return {
    id: payment.id,
    invoice_id: payment.invoiceId,
    device_id: payment.deviceId,
    type: payment.type,
    ...(payment.parentId === null ? {} : { parent_id: payment.parentId }),
    status: payment.status,
    amount_minor: payment.amountMinor,
    currency: payment.currency,
    reference: payment.reference,
    ...Object.fromEntries(RESULT_TEXTS.map((name) => [name, payment.result[name] ?? null])),
    created_at: iso(payment.createdAt),
    completed_at: iso(payment.completedAt),
    ...(keepsMetadata ? { metadata: payment.metadata } : {}),
  };
}
