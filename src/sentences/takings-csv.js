import { csvOfRows, decimal, textCell } from './csv.js';

/** @typedef {import('../api/contract/day-report.ts').DayReport} DayReport */
/** @typedef {DayReport['currencies'][number]['total']} Sums */

const HEADINGS = [
  'day',
  'time_zone',
  'currency',
  'group',
  'name',
  'sales',
  'sales_amount',
  'refunds',
  'refunds_amount',
  'voids',
  'voids_amount',
  'tips_amount',
  'net_amount',
];

/**
 * The report of a day as CSV (RFC 4180: commas, quotes doubled, CRLF), one row for the total, the week before, each terminal, scheme and hour of each
 * currency. Amounts are decimals with a point. A name that a spreadsheet would take for a formula begins with an apostrophe.
 * @param {DayReport} report
 * @param {(currency: DayReport['currencies'][number]['currency']) => number} exponentOf digits after the point
 */
export function takingsCsv(report, exponentOf) {
  const rows = report.currencies.flatMap(({ currency, total, week_before, terminals, schemes, hours }) => {
    const row = (/** @type {string} */ group, /** @type {string} */ name, /** @type {Sums} */ sums) => [
      ...[report.day, report.time_zone, currency, group, name].map(textCell),
      ...figuresOf(sums, exponentOf(currency)),
    ];
    return [
      row('total', '', total),
      row('week_before', report.week_before.day, week_before),
      ...terminals.map((one) => row('terminal', one.name ?? one.device_id, one)),
      ...schemes.map((one) => row('scheme', one.scheme ?? '', one)),
      ...hours.map((one) => row('hour', one.at, one)),
    ];
  });
  return csvOfRows([HEADINGS, ...rows]);
}

/** @param {Sums} sums @param {number} digits */
function figuresOf({ sales, refunds, voids, tips_minor: tips, net_minor: net }, digits) {
  const amount = (/** @type {number} */ minor) => decimal(minor, digits);
  return [
    ...[sales, refunds, voids].flatMap(({ count, amount_minor: minor }) => [count, amount(minor)]),
    tips === null ? '' : amount(tips),
    amount(net),
  ];
}
