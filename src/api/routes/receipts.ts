import { z } from 'zod';
import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import type { Language } from '../../base/language.ts';
import type { ShopCalendar } from '../../base/shop-day.ts';
import type { AttemptView, Payments } from '../../payment/payments.ts';
import type { Api, RoutePlugin } from '../api.ts';
import { dataOf, Uuid } from '../contract/primitives.ts';
import { ReceiptLink } from '../contract/receipt-link.ts';
import { languageOf } from '../lan/trust-page.ts';
import { RateLimiter } from '../plugins/rate-limiter.ts';
import type { ReceiptAddress } from '../receipts/receipt-address.ts';
import { noReceiptPage, RECEIPT_HEADERS, receiptPage } from '../receipts/receipt-page.ts';
import { type ReceiptTokenDeps, ReceiptTokens } from '../receipts/receipt-tokens.ts';
import { instant } from '../render/instant.ts';
import { renderTerminalPayment } from '../render/terminal-payment.ts';
import { VersionQuery } from './list-reply.ts';
import { paymentOf } from './payment-of.ts';

/** Of one address: a customer opens a receipt once or twice. */
const PER_PHONE = { perMinute: 60, burst: 20 };

export interface ReceiptDeps extends ReceiptTokenDeps {
  readonly clock: Clock;
  readonly payments: Payments;
  readonly calendar: Pick<ShopCalendar, 'timeZone'>;
  /** Of the shop; absent: English, where the phone names none that there is. */
  readonly language?: Language;
  /** null: a customer's phone reaches nothing here. */
  readonly receipts: () => ReceiptAddress | null;
}

/** The receipt on the customer's phone: the link that the till shows, and the page that it opens. */
export function receiptRoutes(deps: ReceiptDeps): RoutePlugin {
  const tokens = new ReceiptTokens(deps);
  return async (api) => {
    linkRoute(api, deps, tokens);
    pageRoute(api, deps, tokens);
  };
}

function linkRoute(api: Api, { payments, receipts }: ReceiptDeps, tokens: ReceiptTokens): void {
  api.route({
    method: 'POST',
    url: '/v2/terminal-payments/:id/receipt-link',
    schema: { params: z.strictObject({ id: Uuid }), querystring: VersionQuery },
    config: {
      operationId: 'createReceiptLink',
      tag: 'Terminal payments',
      access: 'payments:write',
      summary:
        "The address at which the customer's phone opens the receipt of a payment, refund or void that succeeded, for 15 minutes.",
      replies: [{ status: 201, description: 'The link.', schema: dataOf(ReceiptLink) }],
      refusals: ['PAYMENT_UNKNOWN', 'RECEIPT_UNAVAILABLE', 'RECEIPTS_NOT_SERVED', 'SEAL_KEY_UNUSABLE'],
    },
    handler: ({ params }) => {
      const view = payments.get(params.id);
      if (!hasReceipt(view)) throw new AppError('RECEIPT_UNAVAILABLE', UNAVAILABLE);
      const address = receipts();
      if (!address) throw new AppError('RECEIPTS_NOT_SERVED', NOT_SERVED);
      const { token, expiresAt } = tokens.make(view.attempt.id);
      const { url, certificate } = address;
      return { data: { url: `${url}/receipts/${token}`, expires_at: instant(expiresAt), certificate } };
    },
  });
}

const UNAVAILABLE = 'Only a payment that succeeded has a receipt for the customer.';
const NOT_SERVED = "No customer's phone can reach this till: listen.lan or tls is not configured.";

function pageRoute(api: Api, deps: ReceiptDeps, tokens: ReceiptTokens): void {
  const { payments, calendar, clock, language: shops } = deps;
  const limiter = new RateLimiter(PER_PHONE, clock);
  api.route({
    method: 'GET',
    url: '/receipts/*',
    exposeHeadRoute: false,
    schema: { params: z.object({ '*': z.string() }) },
    config: {
      operationId: 'getReceiptPage',
      tag: 'Pages',
      access: 'page',
      summary: 'The receipt that a link opens.',
      replies: [{ status: 200, description: 'The page.', mediaType: 'text/html', schema: z.string() }],
      refusals: [],
      hidden: true,
    },
    handler: ({ params, caller, header }, reply) => {
      const language = languageOf(null, header('accept-language'), shops);
      const headers = refusalAt(limiter, caller.from);
      reply.headers({ ...RECEIPT_HEADERS, ...headers });
      if (headers) return reply.code(429).send(noReceiptPage(language, 'busy'));
      const opened = tokens.read(params['*']);
      const view = opened && paymentOf(opened.paymentId, payments);
      if (!opened || !view || !hasReceipt(view)) return reply.code(404).send(noReceiptPage(language, 'gone'));
      const { expiresAt } = opened;
      const page = { payment: renderTerminalPayment(view), language, timeZone: calendar.timeZone, expiresAt };
      return reply.send(receiptPage(page));
    },
  });
}

/** A payment that succeeded, and that no newer evidence contradicts. */
function hasReceipt({ attempt, charged, correctedBy }: AttemptView): boolean {
  return attempt.state.name === 'succeeded' && charged === 'yes' && correctedBy === null;
}

/** The headers of a refusal; null: the address may go on. */
function refusalAt(limiter: RateLimiter, address: string): Readonly<Record<string, string>> | null {
  try {
    limiter.take(address);
    return null;
  } catch (error) {
    if (error instanceof AppError) return Object(error.context['headers']);
    throw error;
  }
}
