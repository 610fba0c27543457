import { z } from 'zod';
import type { Payments } from '../../payment/payments.ts';
import { dataOf, Uuid } from '../contract/primitives.ts';
import { RefundTerminalPayment, TerminalPayment } from '../contract/terminal-payment.ts';
import type { RefusalCode } from '../reply/refusals.ts';
import { describingBlockingPayment } from './blocking-payment.ts';
import { keyedAnswer } from './keyed-answer.ts';
import { VersionQuery } from './list-reply.ts';
import { defineRoute, type Route } from './route.ts';

const TAG = 'Terminal payments';
const PaymentId = z.strictObject({ id: Uuid });
const MADE = {
  status: 201,
  description: 'The new attempt, with the sale as its parent. Nothing was given back yet.',
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
];

/** Refunds and voids of a sale: each is an attempt of its own and never changes the sale. */
export function refundAndVoidRoutes(payments: Payments): readonly Route[] {
  return [refundRoute(payments), voidRoute(payments)];
}

function refundRoute(payments: Payments): Route {
  return defineRoute({
    method: 'POST',
    path: '/v2/terminal-payments/{id}/refund',
    operationId: 'refundTerminalPayment',
    tag: TAG,
    access: 'payments:write',
    role: 'lead',
    summary: 'Give money of a sale back: all that is left, or a part. Answers at once with the new attempt.',
    params: PaymentId,
    query: VersionQuery,
    body: RefundTerminalPayment,
    replies: [MADE],
    refusals: [...REFUSED, 'REFUND_EXCEEDS_AMOUNT'],
    idempotent: 'with_its_payment',
    handler: ({ params, body }, context) => {
      const request = {
        parentId: params.id,
        amountMinor: body.amount_minor ?? null,
        after: body.after ?? null,
        caller: context.caller.id,
        trace: context.trace,
      };
      return describingBlockingPayment(payments, 'back', () =>
        keyedAnswer(context, (key) => payments.refund(request, key)),
      );
    },
  });
}

function voidRoute(payments: Payments): Route {
  return defineRoute({
    method: 'POST',
    path: '/v2/terminal-payments/{id}/void',
    operationId: 'voidTerminalPayment',
    tag: TAG,
    access: 'payments:write',
    role: 'lead',
    summary:
      'Undo a sale as a whole while its batch is open on the terminal. Answers at once with the new attempt.',
    params: PaymentId,
    query: VersionQuery,
    body: null,
    replies: [MADE],
    refusals: [...REFUSED, 'VOID_NOT_POSSIBLE'],
    idempotent: 'with_its_payment',
    handler: ({ params }, context) => {
      const { caller, trace } = context;
      const request = { parentId: params.id, caller: caller.id, trace };
      return describingBlockingPayment(payments, 'back', () =>
        keyedAnswer(context, (key) => payments.void(request, key)),
      );
    },
  });
}
