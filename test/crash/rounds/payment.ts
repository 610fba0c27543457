import { z } from 'zod';

/** What a till reads of a payment; the rest of it is not looked at here. */
const Payment = z.object({
  id: z.string(),
  type: z.enum(['sale', 'refund', 'void']),
  status: z.enum(['requested', 'in_progress', 'succeeded', 'declined', 'cancelled', 'error']),
  charged: z.enum(['yes', 'no', 'unknown']),
  amount_minor: z.int(),
  in_doubt: z.boolean(),
  needs_person: z.boolean(),
  corrected_by: z.string().nullable(),
});
export type Payment = z.infer<typeof Payment>;

const One = z.object({ data: Payment });
const List = z.object({ data: z.array(Payment) });
const Refusal = z.object({
  error: z.object({
    code: z.string(),
    details: z.object({ payment_id: z.string().optional() }).optional(),
  }),
});

/** @throws when the body is none. */
export function paymentOf(body: unknown): Payment {
  return One.parse(body).data;
}

export function paymentsOf(body: unknown): readonly Payment[] {
  return List.parse(body).data;
}

/** The stable code of a refusal, and the payment that stands in the way. */
export function refusalOf(body: unknown): { readonly code: string; readonly paymentId: string | null } {
  const envelope = Refusal.safeParse(body);
  if (envelope.success) {
    const { code, details } = envelope.data.error;
    return { code, paymentId: details?.payment_id ?? null };
  }
  return { code: String(Reflect.get(Object(body), 'code')), paymentId: null };
}

export function isFinal({ status }: Pick<Payment, 'status'>): boolean {
  return status !== 'requested' && status !== 'in_progress';
}
