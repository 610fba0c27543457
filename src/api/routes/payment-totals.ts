import type { Clock } from '../../base/clock.ts';
import type { ShopCalendar } from '../../base/shop-day.ts';
import type { CreatedSpan, Payments, PaymentTotals } from '../../payment/payments.ts';
import type { RoutePlugin } from '../api.ts';
import {
  type CreatedQuery,
  PaymentTotals as PaymentTotalsShape,
  ReadPaymentTotals,
} from '../contract/payment-search.ts';
import { dataOf } from '../contract/primitives.ts';
import { instantOrNull } from '../render/instant.ts';

export interface PaymentTotalsDeps {
  readonly payments: Pick<Payments, 'totals'>;
  readonly calendar: ShopCalendar;
  readonly clock: Pick<Clock, 'now'>;
}

/** What the payments of a day moved. */
export function paymentTotalsRoutes({ payments, calendar, clock }: PaymentTotalsDeps): RoutePlugin {
  return async (api) => {
    api.route({
      method: 'GET',
      url: '/v2/terminal-payment-totals',
      schema: { querystring: ReadPaymentTotals },
      config: {
        operationId: 'getTerminalPaymentTotals',
        tag: 'Terminal payments',
        access: 'payments:read',
        summary: 'What the payments of a day, or of a span, moved: sales, refunds and voids by currency.',
        replies: [
          {
            status: 200,
            description: 'The sums. Payments count by when they were created.',
            schema: dataOf(PaymentTotalsShape),
          },
        ],
        refusals: [],
      },
      handler: async ({ query }) => {
        const span = spanOf(query, calendar, clock.now());
        const totals = await payments.totals(span);
        return {
          data: {
            created_gte: instantOrNull(span.createdFrom ?? null),
            created_lt: instantOrNull(span.createdBefore ?? null),
            time_zone: calendar.timeZone,
            currencies: totals.map(renderTotals),
          },
        };
      },
    });
  };
}

/** The span of a day of the shop, or of two moments. @param now epoch ms */
export function spanOf(
  { on, created_gte, created_lt }: CreatedQuery,
  calendar: ShopCalendar,
  now: number,
): CreatedSpan {
  if (on !== undefined) {
    const { from, to } = calendar.day(on, now);
    return { createdFrom: from, createdBefore: to };
  }
  return {
    ...(created_gte === undefined ? {} : { createdFrom: Date.parse(created_gte) }),
    ...(created_lt === undefined ? {} : { createdBefore: Date.parse(created_lt) }),
  };
}

function renderTotals({ currency, sales, refunds, voids, unknown }: PaymentTotals) {
  const sum = ({ count, amountMinor }: PaymentTotals['sales']) => ({ count, amount_minor: amountMinor });
  return {
    currency,
    sales: sum(sales),
    refunds: sum(refunds),
    voids: sum(voids),
    net_minor: sales.amountMinor - refunds.amountMinor - voids.amountMinor,
    unknown: sum(unknown),
  };
}
