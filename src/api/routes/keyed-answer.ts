import type { FastifyRequest } from 'fastify';
import type { AttemptView, KeyUse } from '../../payment/payments.ts';
import { renderTerminalPayment } from '../render/terminal-payment.ts';

/**
 * The response with the attempt that `make` creates, as JSON text. It is rendered once: the text that is stored under the idempotency key, in
 * the transaction of the attempt, is the text that is sent.
 */
export function keyedAnswer(
  { idempotency }: Pick<FastifyRequest, 'idempotency'>,
  make: (key?: KeyUse) => AttemptView,
): string {
  if (!idempotency) return created(make()).body;
  let stored: string | undefined;
  const answer = (view: AttemptView) => {
    const response = created(view);
    stored = response.body;
    return response;
  };
  const view = make({ ...idempotency, answer });
  return stored ?? created(view).body;
}

function created(view: AttemptView) {
  return { status: 201, body: JSON.stringify({ data: renderTerminalPayment(view) }) };
}
