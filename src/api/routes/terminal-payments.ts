import { z } from 'zod';
import { guardJson, guardText } from '../../base/text-guard.ts';
import type { AttemptFilter, Payments, SaleRequest } from '../../payment/payments.ts';
import { dataOf, Uuid } from '../contract/primitives.ts';
import {
  CreateTerminalPayment,
  Explanation,
  ListTerminalPayments,
  ResolveTerminalPayment,
  TerminalPayment,
} from '../contract/terminal-payment.ts';
import { renderStoryLine } from '../render/event.ts';
import { jsonRecord } from '../render/json-record.ts';
import { renderTerminalPayment } from '../render/terminal-payment.ts';
import { json } from '../reply/reply.ts';
import { isAtLeast } from '../sessions/role.ts';
import { describingBlockingPayment } from './blocking-payment.ts';
import { atCursor, cursorsOf } from './cursor.ts';
import { keyedAnswer } from './keyed-answer.ts';
import { listReply, listShape, NoParams, VersionQuery } from './list-reply.ts';
import { type Caller, defineRoute, type RequestContext, type Route } from './route.ts';

const TAG = 'Terminal payments';
const PaymentId = z.strictObject({ id: Uuid });

export interface TerminalPaymentDeps {
  readonly payments: Payments;
}

/** Creating payments and reading them. */
export function terminalPaymentRoutes(deps: TerminalPaymentDeps): readonly Route[] {
  return [
    createRoute(deps),
    listRoute(deps),
    getRoute(deps),
    explainRoute(deps),
    cancelRoute(deps),
    resolveRoute(deps),
  ];
}

function createRoute({ payments }: TerminalPaymentDeps): Route {
  return defineRoute({
    method: 'POST',
    path: '/v2/terminal-payments',
    operationId: 'createTerminalPayment',
    tag: TAG,
    access: 'payments:write',
    summary: 'Start a payment on a terminal. Answers at once; the outcome comes as an event.',
    params: NoParams,
    query: VersionQuery,
    body: CreateTerminalPayment,
    replies: [{ status: 201, description: 'The payment, not charged yet.', schema: dataOf(TerminalPayment) }],
    refusals: [
      'DEVICE_UNKNOWN',
      'CURRENCY_NOT_ACCEPTED',
      'AMOUNT_OUT_OF_RANGE',
      'TERMINAL_NOT_READY',
      'TERMINAL_IN_DOUBT',
      'WRONG_TERMINAL',
      'LANE_FULL',
      'PAYMENT_ALREADY_OPEN',
      'PAYMENT_ALREADY_PAID',
      'INVOICE_ALREADY_PAID',
      'INVOICE_ALREADY_VOIDED',
      'INVOICE_NOT_FINALIZED',
      'AMOUNT_EXCEEDS_DUE',
      'MEMORY_LOST',
      'STORAGE_FULL',
      'STORAGE_FAILED',
    ],
    idempotent: 'with_its_payment',
    handler: async ({ body }, context) => {
      const sale = saleOf(body, context);
      await payments.askInvoice(sale.invoiceId);
      const reply = describingBlockingPayment(payments, 'sale', () =>
        keyedAnswer(context, (key) => payments.create(sale, key)),
      );
      await payments.sure();
      return reply;
    },
  });
}

function listRoute({ payments }: TerminalPaymentDeps): Route {
  return defineRoute({
    method: 'GET',
    path: '/v2/terminal-payments',
    operationId: 'listTerminalPayments',
    tag: TAG,
    access: 'payments:read',
    summary: 'List payments, newest first.',
    params: NoParams,
    query: ListTerminalPayments,
    body: null,
    replies: [listShape(TerminalPayment, 'One page of payments.')],
    refusals: ['CURSOR_UNKNOWN', 'CURSORS_CONFLICT'],
    handler: ({ query }, { version }) => {
      const { items, hasMore } = atCursor(query, () => payments.list(filterOf(query)));
      const url = '/v2/terminal-payments';
      return listReply(version, {
        items: items.map(renderTerminalPayment),
        hasMore,
        url,
        limit: query.limit,
      });
    },
  });
}

function getRoute({ payments }: TerminalPaymentDeps): Route {
  return defineRoute({
    method: 'GET',
    path: '/v2/terminal-payments/{id}',
    operationId: 'getTerminalPayment',
    tag: TAG,
    access: 'payments:read',
    summary: 'Retrieve a payment.',
    params: PaymentId,
    query: VersionQuery,
    body: null,
    replies: [{ status: 200, description: 'The payment.', schema: dataOf(TerminalPayment) }],
    refusals: ['PAYMENT_UNKNOWN'],
    handler: ({ params }) => json(200, { data: renderTerminalPayment(payments.get(params.id)) }),
  });
}

function explainRoute({ payments }: TerminalPaymentDeps): Route {
  return defineRoute({
    method: 'GET',
    path: '/v2/terminal-payments/{id}/explain',
    operationId: 'explainTerminalPayment',
    tag: TAG,
    access: 'payments:read',
    summary: 'The whole story of a payment: states, decisions, masked frames, evidence, reports.',
    params: PaymentId,
    query: VersionQuery,
    body: null,
    replies: [{ status: 200, description: 'The payment and its story.', schema: dataOf(Explanation) }],
    refusals: ['PAYMENT_UNKNOWN'],
    handler: ({ params }) => {
      const id = params.id;
      const payment = renderTerminalPayment(payments.get(id));
      return json(200, { data: { payment, story: payments.story(id).map(renderStoryLine) } });
    },
  });
}

function cancelRoute({ payments }: TerminalPaymentDeps): Route {
  return defineRoute({
    method: 'POST',
    path: '/v2/terminal-payments/{id}/cancel',
    operationId: 'cancelTerminalPayment',
    tag: TAG,
    access: 'payments:write',
    summary:
      'Ask for a payment to be stopped. Once it runs, its terminal decides: look at what becomes of it.',
    params: PaymentId,
    query: VersionQuery,
    body: null,
    replies: [{ status: 200, description: 'The payment as it is then.', schema: dataOf(TerminalPayment) }],
    refusals: ['PAYMENT_UNKNOWN', 'PAYMENT_NOT_CANCELLABLE', 'STORAGE_FULL', 'STORAGE_FAILED'],
    idempotent: 'after_its_writes',
    handler: ({ params }) => json(200, { data: renderTerminalPayment(payments.cancel(params.id)) }),
  });
}

function resolveRoute({ payments }: TerminalPaymentDeps): Route {
  return defineRoute({
    method: 'POST',
    path: '/v2/terminal-payments/{id}/resolve',
    operationId: 'resolveTerminalPayment',
    tag: TAG,
    access: 'payments:write',
    summary: 'A named person ends a doubt: charged, not charged, or written off.',
    params: PaymentId,
    query: VersionQuery,
    body: ResolveTerminalPayment,
    replies: [{ status: 200, description: 'The payment, final now.', schema: dataOf(TerminalPayment) }],
    refusals: [
      'PAYMENT_UNKNOWN',
      'PAYMENT_NOT_IN_DOUBT',
      'DECISION_TOO_EARLY',
      'STORAGE_FULL',
      'STORAGE_FAILED',
    ],
    idempotent: 'after_its_writes',
    handler: ({ params, body }, { caller }) => {
      const { as, by, reason, shown, source, amount_minor: amountMinor } = body;
      const words = { by: guardText(by), reason: guardText(reason), shown: guardText(shown) };
      const amount = amountMinor === undefined ? {} : { amountMinor };
      const seen = source === undefined ? {} : { source };
      const decision = { as, ...words, ...seen, ...amount, lead: isLead(caller) };
      return json(200, { data: renderTerminalPayment(payments.resolve(params.id, decision)) });
    },
  });
}

/** The caller whose decision ends an unknown outcome at once. */
function isLead({ id, session }: Caller): boolean {
  return id === 'socket' || (session !== undefined && isAtLeast(session.role, 'lead'));
}

/** The contract converts ids to their canonical form; free text is checked for card numbers. */
function saleOf(body: CreateTerminalPayment, { caller, trace }: RequestContext): SaleRequest {
  return {
    deviceId: body.device_id,
    amount: { minor: body.amount_minor, currency: body.currency },
    invoiceId: body.invoice_id ?? null,
    reference: body.reference === undefined ? null : guardText(body.reference),
    metadata: jsonRecord(Object(guardJson(body.metadata ?? {}))),
    after: body.after ?? null,
    caller: caller.id,
    trace,
  };
}

function filterOf(query: ListTerminalPayments): AttemptFilter {
  return {
    limit: query.limit,
    ...cursorsOf(query),
    ...(query.status === undefined ? {} : { status: query.status }),
    ...(query.device_id === undefined ? {} : { deviceId: query.device_id }),
    ...(query.in_doubt === undefined ? {} : { inDoubt: query.in_doubt === 'true' }),
  };
}
