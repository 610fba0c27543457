import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { ShopCalendar } from '../../base/shop-day.ts';
import { guardJson, guardText } from '../../base/text-guard.ts';
import type { AttemptSearch, Payments, SaleRequest } from '../../payment/payments.ts';
import type { Api, Caller, RoutePlugin } from '../api.ts';
import { ListTerminalPayments } from '../contract/payment-search.ts';
import { dataOf, Uuid } from '../contract/primitives.ts';
import {
  CreateTerminalPayment,
  Explanation,
  ResolveTerminalPayment,
  TerminalPayment,
} from '../contract/terminal-payment.ts';
import { deciderOf } from '../people/person.ts';
import { renderExplanationLine } from '../render/event.ts';
import { jsonRecord } from '../render/json-record.ts';
import { renderTerminalPayment } from '../render/terminal-payment.ts';
import { isAtLeast } from '../sessions/role.ts';
import { requireAccess } from './access.ts';
import { describingBlockingPayment } from './blocking-payment.ts';
import { atCursor, cursorsOf } from './cursor.ts';
import { keyedAnswer, sendCreated } from './keyed-answer.ts';
import { isCounted, listReply, listShape, VersionQuery } from './list-reply.ts';
import { MirrorSource, type MirrorSourceDeps } from './mirror-source.ts';
import { mirroredList } from './mirrored-table.ts';
import { spanOf } from './payment-totals.ts';

const TAG = 'Terminal payments';
const PaymentId = z.strictObject({ id: Uuid });

export interface TerminalPaymentDeps extends MirrorSourceDeps {
  readonly payments: Payments;
  readonly calendar: ShopCalendar;
}

/** Creating payments and reading them. */
export function terminalPaymentRoutes(deps: TerminalPaymentDeps): RoutePlugin {
  return async (api) => {
    createRoute(api, deps);
    listRoute(api, deps);
    getRoute(api, deps);
    explainRoute(api, deps);
    cancelRoute(api, deps);
    resolveRoute(api, deps);
  };
}

function createRoute(api: Api, deps: TerminalPaymentDeps): void {
  const { payments, clock } = deps;
  const mirror = new MirrorSource(deps);
  api.route({
    method: 'POST',
    url: '/v2/terminal-payments',
    schema: { querystring: VersionQuery, body: CreateTerminalPayment },
    config: {
      operationId: 'createTerminalPayment',
      tag: TAG,
      access: 'payments:write',
      summary: 'Start a payment on a terminal. Answers at once; the outcome comes as an event.',
      replies: [
        {
          status: 201,
          description:
            'The payment as it begins: not charged yet. Take `data.id` and GET it. A replay (`Idempotent-Replayed: true`) has the same bytes, whatever has become of the payment: `Payment-Status` says what it is now.',
          schema: dataOf(TerminalPayment),
        },
      ],
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
        'PAYMENT_RETRIED',
        'PAYMENT_UNKNOWN',
        'INVOICE_UNKNOWN',
        'INVOICE_ALREADY_PAID',
        'INVOICE_ALREADY_VOIDED',
        'INVOICE_NOT_FINALIZED',
        'AMOUNT_EXCEEDS_DUE',
        'AMOUNT_DUE_UNKNOWN',
        'SPLIT_EXCEEDED',
        'ENTITLEMENT_MISSING',
        'LIST_NOT_MIRRORED',
        'MEMORY_LOST',
        'STORAGE_FULL',
        'STORAGE_FAILED',
        'DRAINING',
      ],
      idempotent: 'with_its_payment',
    },
    handler: async (request, reply) => {
      const sale = saleOf(request.body, request);
      requireAccess(mirror, sale, clock.now());
      await payments.askInvoice(sale.invoiceId);
      const answer = describingBlockingPayment(payments, 'sale', () =>
        keyedAnswer(request, (key) => payments.create(sale, key)),
      );
      await payments.durable();
      return sendCreated(reply, answer);
    },
  });
}

function listRoute(api: Api, deps: TerminalPaymentDeps): void {
  const { payments, calendar, clock } = deps;
  const mirror = new MirrorSource(deps);
  api.route({
    method: 'GET',
    url: '/v2/terminal-payments',
    schema: { querystring: ListTerminalPayments },
    config: {
      operationId: 'listTerminalPayments',
      tag: TAG,
      access: 'payments:read',
      summary: 'List payments, newest first, or find those that fit every filter.',
      replies: [listShape(TerminalPayment, 'One page of payments.')],
      refusals: ['CURSOR_UNKNOWN', 'CURSORS_CONFLICT'],
    },
    handler: async ({ query, serviceVersion }) => {
      const search = {
        ...searchOf(query, calendar, clock.now()),
        ...partOf(query, mirror),
        isCounted: isCounted(serviceVersion),
      };
      const { items, hasMore, place } = isPlain(query)
        ? atCursor(query, () => payments.list(search))
        : await payments.search(search);
      const url = '/v2/terminal-payments';
      const shown = items.map(renderTerminalPayment);
      return listReply(serviceVersion, { items: shown, hasMore, url, limit: query.limit, ...place });
    },
  });
}

function getRoute(api: Api, { payments }: TerminalPaymentDeps): void {
  api.route({
    method: 'GET',
    url: '/v2/terminal-payments/:id',
    schema: { params: PaymentId, querystring: VersionQuery },
    config: {
      operationId: 'getTerminalPayment',
      tag: TAG,
      access: 'payments:read',
      summary: 'Retrieve a payment.',
      replies: [{ status: 200, description: 'The payment.', schema: dataOf(TerminalPayment) }],
      refusals: ['PAYMENT_UNKNOWN'],
    },
    handler: ({ params }) => ({ data: renderTerminalPayment(payments.get(params.id)) }),
  });
}

function explainRoute(api: Api, { payments }: TerminalPaymentDeps): void {
  api.route({
    method: 'GET',
    url: '/v2/terminal-payments/:id/explain',
    schema: { params: PaymentId, querystring: VersionQuery },
    config: {
      operationId: 'explainTerminalPayment',
      tag: TAG,
      access: 'payments:read',
      summary: 'The whole timeline of a payment: states, decisions, masked frames, evidence, reports.',
      replies: [{ status: 200, description: 'The payment and its timeline.', schema: dataOf(Explanation) }],
      refusals: ['PAYMENT_UNKNOWN'],
    },
    handler: ({ params }) => {
      const id = params.id;
      const payment = renderTerminalPayment(payments.get(id));
      return { data: { payment, story: payments.timeline(id).map(renderExplanationLine) } };
    },
  });
}

function cancelRoute(api: Api, { payments }: TerminalPaymentDeps): void {
  api.route({
    method: 'POST',
    url: '/v2/terminal-payments/:id/cancel',
    schema: { params: PaymentId, querystring: VersionQuery },
    config: {
      operationId: 'cancelTerminalPayment',
      tag: TAG,
      access: 'payments:write',
      summary:
        'Ask for a payment to be stopped. Once it runs, its terminal decides: look at what becomes of it.',
      replies: [
        {
          status: 200,
          description:
            'The payment as it is then. A replay (`Idempotent-Replayed: true`) has the same bytes: `Payment-Status` says what the payment is now.',
          schema: dataOf(TerminalPayment),
        },
      ],
      refusals: ['PAYMENT_UNKNOWN', 'PAYMENT_NOT_CANCELLABLE', 'STORAGE_FULL', 'STORAGE_FAILED'],
      idempotent: 'after_its_writes',
      showsPayment: true,
    },
    handler: ({ params }) => ({ data: renderTerminalPayment(payments.cancel(params.id)) }),
  });
}

function resolveRoute(api: Api, { payments }: TerminalPaymentDeps): void {
  api.route({
    method: 'POST',
    url: '/v2/terminal-payments/:id/resolve',
    schema: { params: PaymentId, querystring: VersionQuery, body: ResolveTerminalPayment },
    config: {
      operationId: 'resolveTerminalPayment',
      tag: TAG,
      access: 'payments:write',
      summary: 'A named person ends a doubt: charged, not charged, or written off.',
      replies: [
        {
          status: 200,
          description:
            'The payment, final now. A replay (`Idempotent-Replayed: true`) has the same bytes and the same status: GET `Location` to see whether later evidence has corrected the payment (`corrected_by`).',
          schema: dataOf(TerminalPayment),
        },
      ],
      refusals: [
        'PAYMENT_UNKNOWN',
        'PAYMENT_NOT_IN_DOUBT',
        'DECISION_TOO_EARLY',
        'STORAGE_FULL',
        'STORAGE_FAILED',
      ],
      idempotent: 'after_its_writes',
      showsPayment: true,
    },
    handler: ({ params, body, caller }) => {
      const { as, by, reason, shown, source, amount_minor: amountMinor } = body;
      const words = { by: deciderOf(caller, by), reason: guardText(reason), shown: guardText(shown) };
      const amount = amountMinor === undefined ? {} : { amountMinor };
      const seen = source === undefined ? {} : { source };
      const decision = { as, ...words, ...seen, ...amount, lead: isLead(caller) };
      return { data: renderTerminalPayment(payments.resolve(params.id, decision)) };
    },
  });
}

/** The caller whose decision ends an unknown outcome at once. */
function isLead({ id, session }: Caller): boolean {
  return id === 'socket' || (session !== undefined && isAtLeast(session.role, 'lead'));
}

/** The contract converts ids to their canonical form; free text is checked for card numbers. */
function saleOf(
  body: CreateTerminalPayment,
  { caller, trace }: Pick<FastifyRequest, 'caller' | 'trace'>,
): SaleRequest {
  return {
    deviceId: body.device_id,
    amount: amountOf(body),
    invoiceId: body.invoice_id ?? null,
    reference: body.reference === undefined ? null : guardText(body.reference),
    metadata: jsonRecord(Object(guardJson(body.metadata ?? {}))),
    after: body.after ?? null,
    retryOf: body.retry_of ?? null,
    caller: caller.id,
    trace,
  };
}

/** The contract lets neither be left out alone, but `currency` together with the amount. */
function amountOf({ amount_minor: minor, currency }: CreateTerminalPayment): SaleRequest['amount'] {
  return minor === undefined || currency === undefined
    ? { minor: null, currency: currency ?? null }
    : { minor, currency };
}

/** Whether the lists of the database answer it, without a search. */
function isPlain(query: ListTerminalPayments): boolean {
  return SEARCHES.every((name) => query[name] === undefined);
}

const SEARCHES = [
  'on',
  'created_gte',
  'created_lt',
  'amount_minor',
  'card_last4',
  'receipt_number',
  'reference',
  'invoice_id',
  'contains',
] as const;

function searchOf(query: ListTerminalPayments, calendar: ShopCalendar, now: number): AttemptSearch {
  return {
    limit: query.limit,
    ...cursorsOf(query),
    ...(query.status === undefined ? {} : { status: query.status }),
    ...(query.device_id === undefined ? {} : { deviceId: query.device_id }),
    ...(query.in_doubt === undefined ? {} : { inDoubt: query.in_doubt === 'true' }),
    ...spanOf(query, calendar, now),
    ...(query.amount_minor === undefined ? {} : { amountMinor: query.amount_minor }),
    ...(query.card_last4 === undefined ? {} : { cardLast4: query.card_last4 }),
    ...(query.receipt_number === undefined ? {} : { receiptNumber: query.receipt_number }),
    ...(query.reference === undefined ? {} : { reference: query.reference }),
    ...(query.invoice_id === undefined ? {} : { invoiceId: query.invoice_id }),
  };
}

/** Invoices whose number is looked at for a part of it. */
const MOST_INVOICES = 100;

/** What has a text in its reference, or in the number of its invoice, where invoices are mirrored. */
function partOf({ contains: text }: ListTerminalPayments, mirror: MirrorSource): Pick<AttemptSearch, 'part'> {
  if (text === undefined) return {};
  if (!mirror.has('invoices')) return { part: { text, invoiceIds: [] } };
  const place = { offset: 0 };
  const { rows } = mirror.page(mirroredList('invoices'), { search: text, place, limit: MOST_INVOICES });
  const wanted = text.toLowerCase();
  const fits = ({ body: { number } }: (typeof rows)[number]) =>
    typeof number === 'string' && number.toLowerCase().includes(wanted);
  return { part: { text, invoiceIds: rows.filter(fits).map(({ id }) => id) } };
}
