import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AttemptView, KeyUse } from '../../payment/payments.ts';
import { renderTerminalPayment } from '../render/terminal-payment.ts';
import { locationOf } from '../reply/payment-headers.ts';
import { JSON_TYPE } from '../reply/reply.ts';

/** The response to the creation of an attempt. */
export interface KeyedAnswer {
  readonly id: string;
  /** JSON text. */
  readonly body: string;
}

/**
 * The response with the attempt that `make` creates. It is rendered once: the text that is stored under the idempotency key, in
 * the transaction of the attempt, is the text that is sent.
 */
export function keyedAnswer(
  { idempotency }: Pick<FastifyRequest, 'idempotency'>,
  make: (key?: KeyUse) => AttemptView,
): KeyedAnswer {
  if (!idempotency) return answerOf(make());
  let stored: string | undefined;
  const answer = (view: AttemptView) => {
    const response = created(view);
    stored = response.body;
    return response;
  };
  const view = make({ ...idempotency, answer });
  return stored === undefined ? answerOf(view) : { id: view.attempt.id, body: stored };
}

/** Sends it with the address of the attempt. */
export function sendCreated(reply: FastifyReply, { id, body }: KeyedAnswer): FastifyReply {
  return reply.headers(locationOf(id)).type(JSON_TYPE).send(body);
}

function answerOf(view: AttemptView): KeyedAnswer {
  return { id: view.attempt.id, body: created(view).body };
}

function created(view: AttemptView) {
  return { status: 201, body: JSON.stringify({ data: renderTerminalPayment(view) }) };
}
