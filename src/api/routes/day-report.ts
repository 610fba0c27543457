import { setImmediate as yieldToPayments } from 'node:timers/promises';
import type { Clock } from '../../base/clock.ts';
import type { ShopCalendar } from '../../base/shop-day.ts';
import type { TakingsSource } from '../../payment/takings/taking.ts';
import { takingsOf } from '../../payment/takings/takings.ts';
import type { Devices } from '../../terminal/device.ts';
import type { RoutePlugin } from '../api.ts';
import { DayReport, ReadDayReport } from '../contract/day-report.ts';
import { dataOf } from '../contract/primitives.ts';
import { renderDayReport } from '../render/day-report.ts';

export interface DayReportDeps {
  readonly takings: TakingsSource;
  readonly calendar: ShopCalendar;
  readonly devices: Devices;
  readonly clock: Pick<Clock, 'now'>;
}

/** What a day of the shop has taken. */
export function dayReportRoutes({ takings, calendar, devices, clock }: DayReportDeps): RoutePlugin {
  return async (api) => {
    api.route({
      method: 'GET',
      url: '/v2/reports/day',
      schema: { querystring: ReadDayReport },
      config: {
        operationId: 'getDayReport',
        tag: 'Reports',
        access: 'payments:read',
        role: 'lead',
        summary:
          'What a day has taken in each currency, per terminal, card scheme and hour, beside the same weekday of the week before.',
        replies: [{ status: 200, description: 'The takings of the day.', schema: dataOf(DayReport) }],
        refusals: ['STORAGE_FAILED'],
      },
      handler: async ({ query }) => {
        const day = calendar.day(query.day, clock.now());
        const taken = await takingsOf(day, takings, yieldToPayments);
        const before = await takingsOf(calendar.weekBefore(day), takings, yieldToPayments);
        return { data: renderDayReport(taken, before, devices) };
      },
    });
  };
}
