import { z } from 'zod';
import { AppError } from '../../base/errors.ts';
import { publicStatus } from '../../payment/attempt/state-machine.ts';
import type { Payments } from '../../payment/payments.ts';
import type { Headers } from './reply.ts';

const PaymentBody = z.object({ data: z.object({ id: z.string() }) });

/** The header with the address of a payment. */
export function locationOf(id: string): Headers {
  return { location: `/v2/terminal-payments/${id}` };
}

/**
 * The headers of a replay about a payment: where it is, and its status now. The replayed body says how the payment began.
 * Empty where the database does not have the payment any more, or cannot read it: the replay itself is still the right answer.
 */
export function headersOfReplay(body: string, payments: Pick<Payments, 'get'>): Headers {
  const stored = PaymentBody.safeParse(JSON.parse(body));
  if (!stored.success) return {};
  const { id } = stored.data.data;
  try {
    const { state } = payments.get(id).attempt;
    return { ...locationOf(id), 'payment-status': publicStatus(state) };
  } catch (error) {
    if (error instanceof AppError) return {};
    throw error;
  }
}
