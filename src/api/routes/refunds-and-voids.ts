import { z } from 'zod';
import type { Payments } from '../../payment/payments.ts';
import type { Api, RoutePlugin } from '../api.ts';
import { dataOf, Uuid } from '../contract/primitives.ts';
import { RefundTerminalPayment, TerminalPayment } from '../contract/terminal-payment.ts';
import type { People } from '../people/people.ts';
import type { RefusalCode } from '../reply/refusals.ts';
import { describingBlockingPayment } from './blocking-payment.ts';
import { keyedAnswer, sendCreated } from './keyed-answer.ts';
import { VersionQuery } from './list-reply.ts';

const TAG = 'Terminal payments';
const PaymentId = z.strictObject({ id: Uuid });
const MADE = {
  status: 201,
  description:
    'The new attempt as it begins, with the sale as its parent: nothing was given back yet. Take `data.id` and GET it. A replay (`Idempotent-Replayed: true`) has the same bytes, whatever has become of the attempt: `Payment-Status` says what it is now.',
  schema: dataOf(TerminalPayment),
} as const;

/** Errors of every refund and void. */
const REFUSED: readonly RefusalCode[] = [
  'PAYMENT_UNKNOWN',
  'PAYMENT_NOT_REFUNDABLE',
  'REFUND_BLOCKED',
  'OPERATION_NOT_SUPPORTED',
  'DEVICE_UNKNOWN',
  'CURRENCY_NOT_ACCEPTED',
  'AMOUNT_OUT_OF_RANGE',
  'TERMINAL_NOT_READY',
  'TERMINAL_IN_DOUBT',
  'WRONG_TERMINAL',
  'LANE_FULL',
  'STORAGE_FULL',
  'STORAGE_FAILED',
  'DRAINING',
];

interface RefundAndVoidDeps {
  readonly payments: Payments;
  /** null: there are no named people. */
  readonly people: People | null;
}

/** Refunds and voids of a sale: each is an attempt of its own and never changes the sale. */
export function refundAndVoidRoutes({ payments, people }: RefundAndVoidDeps): RoutePlugin {
  return async (api) => {
    refundRoute(api, payments, people);
    voidRoute(api, payments, people);
  };
}

function refundRoute(api: Api, payments: Payments, people: People | null): void {
  api.route({
    method: 'POST',
    url: '/v2/terminal-payments/:id/refund',
    schema: { params: PaymentId, querystring: VersionQuery, body: RefundTerminalPayment },
    config: {
      operationId: 'refundTerminalPayment',
      tag: TAG,
      access: 'payments:write',
      role: 'lead',
      summary:
        'Give money of a sale back: all that is left, or a part. Answers at once with the new attempt.',
      replies: [MADE],
      refusals: [...REFUSED, 'REFUND_EXCEEDS_AMOUNT'],
      idempotent: 'with_its_payment',
    },
    handler: (request, reply) => {
      const { params, body, caller, trace } = request;
      const refund = {
        parentId: params.id,
        amountMinor: body.amount_minor ?? null,
        after: body.after ?? null,
        caller: caller.id,
        trace,
      };
      people?.noteRefundOrVoid(caller, 'refund_requested', params.id, { amount_minor: refund.amountMinor });
      const answer = describingBlockingPayment(payments, 'back', () =>
        keyedAnswer(request, (key) => payments.refund(refund, key)),
      );
      return sendCreated(reply, answer);
    },
  });
}

function voidRoute(api: Api, payments: Payments, people: People | null): void {
  api.route({
    method: 'POST',
    url: '/v2/terminal-payments/:id/void',
    schema: { params: PaymentId, querystring: VersionQuery },
    config: {
      operationId: 'voidTerminalPayment',
      tag: TAG,
      access: 'payments:write',
      role: 'lead',
      summary:
        'Undo a sale as a whole while its batch is open on the terminal. Answers at once with the new attempt.',
      replies: [MADE],
      refusals: [...REFUSED, 'VOID_NOT_POSSIBLE'],
      idempotent: 'with_its_payment',
    },
    handler: (request, reply) => {
      const { params, caller, trace } = request;
      const asked = { parentId: params.id, caller: caller.id, trace };
      people?.noteRefundOrVoid(caller, 'void_requested', params.id, {});
      const answer = describingBlockingPayment(payments, 'back', () =>
        keyedAnswer(request, (key) => payments.void(asked, key)),
      );
      return sendCreated(reply, answer);
    },
  });
}
