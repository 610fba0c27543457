import {
  type DayTakings,
  noTakings,
  type Sums,
  type CurrencyTakings as Takings,
} from '../../payment/takings/takings.ts';
import type { Devices } from '../../terminal/device.ts';
import type { CurrencyTakings, DayReport } from '../contract/day-report.ts';
import { instant } from './instant.ts';

/** The takings of a day beside those of the week before, as the API shows them. */
export function renderDayReport(takings: DayTakings, before: DayTakings, devices: Devices): DayReport {
  const currencies = new Set([...takings.currencies, ...before.currencies].map(({ currency }) => currency));
  return {
    object: 'day_report',
    ...dayOf(takings),
    time_zone: takings.day.timeZone,
    week_before: dayOf(before),
    currencies: [...currencies].toSorted().map((currency) => {
      const inCurrency = ({ day, currencies: all }: DayTakings) =>
        all.find((one) => one.currency === currency) ?? noTakings(currency, day);
      return currencyOf(inCurrency(takings), inCurrency(before), devices);
    }),
  };
}

function dayOf({ day: { day, from, to }, open }: DayTakings) {
  return { day, from: instant(from), to: instant(to), open };
}

function currencyOf(takings: Takings, before: Takings, devices: Devices): CurrencyTakings {
  const { currency, total, terminals, schemes, hours } = takings;
  return {
    currency,
    total: sumsOf(total),
    week_before: sumsOf(before.total),
    terminals: terminals.map(({ deviceId, ...sums }) => ({
      device_id: deviceId,
      name: devices.get(deviceId)?.device.name ?? null,
      ...sumsOf(sums),
    })),
    schemes: schemes.map(({ scheme, ...sums }) => ({ scheme, ...sumsOf(sums) })),
    hours: hours.map(({ at, ...sums }, hour) => ({
      at: instant(at),
      ...sumsOf(sums),
      week_before_net_minor: before.hours[hour]?.netMinor ?? null,
    })),
  };
}

function sumsOf({ sales, refunds, voids, tipsMinor, netMinor }: Sums) {
  return {
    sales: countedOf(sales),
    refunds: countedOf(refunds),
    voids: countedOf(voids),
    tips_minor: tipsMinor,
    net_minor: netMinor,
  };
}

function countedOf({ count, amountMinor }: Sums['sales']) {
  return { count, amount_minor: amountMinor };
}
