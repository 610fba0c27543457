import type { AttemptView, KeyUse } from '../../payment/payments.ts';
import { renderTerminalPayment } from '../render/terminal-payment.ts';
import { type DocumentReply, jsonText } from '../reply/reply.ts';
import type { RequestContext } from './route.ts';

/**
 * Responds 201 with the attempt that `make` creates. The response is rendered once: the text that is stored under the idempotency key, in
 * the transaction of the attempt, is the text that is sent.
 */
export function keyedAnswer(
  { idempotency }: RequestContext,
  make: (key?: KeyUse) => AttemptView,
): DocumentReply {
  if (!idempotency) {
    const { status, body } = created(make());
    return jsonText(status, body);
  }
  let stored: ReturnType<KeyUse['answer']> | undefined;
  const answer = (view: AttemptView) => {
    stored = created(view);
    return stored;
  };
  const view = make({ ...idempotency, answer });
  const { status, body } = stored ?? created(view);
  return jsonText(status, body);
}

function created(view: AttemptView) {
  return { status: 201, body: JSON.stringify({ data: renderTerminalPayment(view) }) };
}
