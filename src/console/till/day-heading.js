import { h } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useConsole } from '../app/console.js';
import { useAction } from '../parts/action.js';
import { moments } from '../words/formatters.js';
import { formatMoney } from '../words/money.js';
import { csvOf } from './day-csv.js';
import { useTill } from './till.js';
import { t } from './words.js';

/** @import { PaymentTotals } from '../app/contract.js' */
/** @import { ShopDays } from './shop-days.js' */

const DAY_OPTIONS = /** @type {const} */ ({
  weekday: 'short',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
});
/** A heading that only passes by while a person scrolls asks for nothing. */
const REST_MS = 150;

/** Totals of the days that were shown. @typedef {Map<string, PaymentTotals>} KnownTotals */

/**
 * The heading of a day: what its payments moved, and its CSV file.
 * @param {{ day: string, days: ShopDays, known: KnownTotals }} props
 */
export function DayHeading({ day, days, known }) {
  const totals = useTotals(day, days, known);
  return h(
    'div',
    { class: 'day-heading' },
    h('h2', {}, dayText(day)),
    h('p', { class: 'day-totals' }, totals === undefined ? '' : totalsText(totals)),
    h(Export, { day, days }),
  );
}

/** @param {{ day: string, days: ShopDays }} props */
function Export({ day, days }) {
  const { payments } = useConsole().shop;
  const till = useTill();
  const action = useAction();
  const save = async () => {
    const text = csvOf(await payments.ofDay(day), { zone: days.zone, nameOf: (id) => till.nameOf(id) });
    download(`payments-${day}.csv`, text);
  };
  return [
    h(
      'button',
      {
        key: 'export',
        type: 'button',
        class: 'button button-small',
        'aria-disabled': action.busy,
        'aria-label': t('export_day', { day: dayText(day) }),
        onClick: () => void action.run(save),
      },
      action.busy ? t('export_busy') : 'CSV',
    ),
    action.problem !== '' && h('p', { key: 'problem', class: 'problem', role: 'alert' }, action.problem),
  ];
}

/**
 * @param {string} day
 * @param {ShopDays} days
 * @param {KnownTotals} known
 */
function useTotals(day, days, known) {
  const { api, shop } = useConsole();
  const [totals, setTotals] = useState(known.get(day));
  const newest = shop.payments.ids.value[0] ?? '';
  const isToday = day === days.dayOf(Date.now());
  const version = isToday ? `${newest} ${shop.payments.get(newest)?.status}` : '';
  useEffect(() => {
    setTotals(known.get(day));
    const abort = new AbortController();
    const read = async () => {
      const { data } = await api.get(`/v2/terminal-payment-totals?on=${day}`, abort.signal);
      known.set(day, data);
      if (!abort.signal.aborted) setTotals(data);
    };
    const timer = setTimeout(() => void read().catch(() => undefined), REST_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [day, version]);
  return totals;
}

/** `12 sales 345,60 € · 1 refund 12,00 €`, for each currency. @param {PaymentTotals} totals */
function totalsText({ currencies }) {
  if (currencies.length === 0) return t('day_nothing');
  return currencies
    .flatMap(({ currency, sales, refunds, voids, unknown }) => [
      part('day_sales', sales, currency),
      refunds.count > 0 && part('day_refunds', refunds, currency),
      voids.count > 0 && part('day_voids', voids, currency),
      unknown.count > 0 && part('day_unknown', unknown, currency),
    ])
    .filter(Boolean)
    .join(' · ');
}

/**
 * @param {'day_sales' | 'day_refunds' | 'day_voids' | 'day_unknown'} name
 * @param {{ count: number, amount_minor: number }} sum
 * @param {string} currency
 */
function part(name, { count, amount_minor }, currency) {
  return t(name, { count, amount: formatMoney(amount_minor, currency) });
}

/** A day as people say it. @param {string} day `YYYY-MM-DD` */
export function dayText(day) {
  return moments(DAY_OPTIONS).format(Date.parse(`${day}T00:00:00Z`));
}

/** @param {string} name @param {string} text */
function download(name, text) {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
