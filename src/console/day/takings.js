import { h } from 'preact';
import { useState } from 'preact/hooks';
import { takingsCsv } from '../../sentences/takings-csv.js';
import { useReading } from '../parts/reading.js';
import { moments } from '../words/formatters.js';
import { exponentOf, formatMoney } from '../words/money.js';
import { HourPlot } from './hour-plot.js';
import { t } from './words.js';

/** @import { DayReport } from '../app/contract.js' */
/** @typedef {DayReport['currencies'][number]} CurrencyTakings */
/** @typedef {CurrencyTakings['total']} Sums */

const LOOK_MS = 30_000;
const DAYS = /** @type {const} */ (['today', 'yesterday']);

/** What a day has taken. */
export function Takings() {
  const [day, setDay] = useState('today');
  const { document, problem } = useReading(`/v2/reports/day?day=${day}`, LOOK_MS);
  /** @type {DayReport | undefined} */
  const report = document?.data;
  return h(
    'div',
    { class: 'stack' },
    h('h1', {}, report ? t('takings_of', { day: dayText(report.day) }) : t('view_takings')),
    h(
      'div',
      { class: 'buttons day-choice' },
      DAYS.map((one) =>
        h(
          'button',
          {
            key: one,
            type: 'button',
            class: 'button',
            'aria-pressed': one === day,
            onClick: () => setDay(one),
          },
          t(one),
        ),
      ),
      h(
        'label',
        { class: 'field' },
        h('span', {}, t('day')),
        h('input', {
          type: 'date',
          value: report?.day ?? '',
          onChange: (/** @type {{ currentTarget: HTMLInputElement }} */ { currentTarget: { value } }) =>
            value !== '' && setDay(value),
        }),
      ),
      report && h('button', { type: 'button', class: 'button', onClick: () => save(report) }, t('csv')),
      h('button', { type: 'button', class: 'button', onClick: () => window.print() }, t('print')),
    ),
    problem !== '' && h('p', { class: 'problem', role: 'alert' }, problem),
    report && h(Report, { report }),
  );
}

/** @param {{ report: DayReport }} props */
function Report({ report }) {
  const { open, week_before: before, currencies, time_zone: zone } = report;
  return h(
    'div',
    { class: 'stack', 'data-report': report.day },
    open > 0 && h('p', {}, h('strong', {}, t('open', { count: open }))),
    before.open > 0 && h('p', {}, t('open_before', { count: before.open })),
    currencies.length === 0 && h('p', { class: 'quiet' }, t('nothing_taken')),
    currencies.map((takings) => h(Currency, { key: takings.currency, takings, report })),
    h('p', { class: 'quiet' }, t('zone', { zone })),
  );
}

/** @param {{ takings: CurrencyTakings, report: DayReport }} props */
function Currency({ takings, report }) {
  const { currency, total, week_before: before, terminals, schemes, hours } = takings;
  const money = (/** @type {number} */ minor) => formatMoney(minor, currency);
  const hour = moments({ timeStyle: 'short', timeZone: report.time_zone });
  const timeText = (/** @type {number} */ at) => hour.format(at);
  return h(
    'section',
    { class: 'stack', 'aria-label': currency },
    h('h2', {}, currency),
    h(
      'dl',
      { class: 'fact-grid' },
      h(Fact, { name: t('net'), value: money(total.net_minor) }),
      h(Fact, {
        name: t('before', { day: dayText(report.week_before.day) }),
        value: money(before.net_minor),
      }),
      h(Fact, { name: t('difference'), value: differenceText(total.net_minor - before.net_minor, currency) }),
      h(Fact, { name: t('sales'), value: countedText(total.sales, currency) }),
      h(Fact, { name: t('refunds'), value: countedText(total.refunds, currency) }),
      h(Fact, { name: t('voids'), value: countedText(total.voids, currency) }),
      h(Fact, {
        name: t('tips'),
        value: total.tips_minor === null ? t('tips_none') : tipsText(total, currency),
      }),
    ),
    h(HourPlot, { takings, timeText }),
    h(Table, {
      title: t('by_terminal'),
      of: t('terminal'),
      currency,
      rows: terminals.map((one) => ({
        name: one.name ?? t('terminal_gone', { end: one.device_id.slice(-4) }),
        sums: one,
      })),
    }),
    h(Table, {
      title: t('by_scheme'),
      of: t('scheme'),
      currency,
      rows: schemes.map((one) => ({ name: one.scheme ?? t('scheme_none'), sums: one })),
    }),
    h(Table, {
      title: t('hours_table'),
      of: t('hour'),
      currency,
      rows: hours
        .filter(({ sales, refunds, voids }) => sales.count + refunds.count + voids.count > 0)
        .map((one) => ({ name: timeText(Date.parse(one.at)), sums: one })),
    }),
  );
}

/** @param {{ name: string, value: string }} props */
function Fact({ name, value }) {
  return h('div', {}, h('dt', {}, name), h('dd', {}, value));
}

/**
 * @param {object} props
 * @param {string} props.title
 * @param {string} props.of the heading of the names
 * @param {string} props.currency
 * @param {readonly { name: string, sums: Sums }[]} props.rows
 */
function Table({ title, of, currency, rows }) {
  const headings = [of, t('net'), t('sales'), t('refunds'), t('voids'), t('tips')];
  return h(
    'div',
    {},
    h('h3', {}, title),
    h(
      'div',
      { class: 'wide', tabIndex: 0, role: 'group', 'aria-label': title },
      h(
        'table',
        { class: 'table table-of-numbers' },
        h(
          'thead',
          {},
          h(
            'tr',
            {},
            headings.map((text) => h('th', { key: text, scope: 'col' }, text)),
          ),
        ),
        h(
          'tbody',
          {},
          rows.map(({ name, sums }, index) =>
            h(
              'tr',
              { key: index },
              h('th', { scope: 'row' }, name),
              h('td', {}, formatMoney(sums.net_minor, currency)),
              [sums.sales, sums.refunds, sums.voids].map((sum, column) =>
                h('td', { key: column }, countedText(sum, currency)),
              ),
              h('td', {}, tipsText(sums, currency)),
            ),
          ),
        ),
      ),
    ),
  );
}

/** @param {Sums['sales']} sum @param {string} currency */
function countedText({ count, amount_minor: minor }, currency) {
  return count === 0 ? '–' : `${formatMoney(minor, currency)} (${count})`;
}

/** @param {Sums} sums @param {string} currency */
function tipsText({ tips_minor: tips }, currency) {
  return tips === null ? '–' : formatMoney(tips, currency);
}

/** @param {number} minor @param {string} currency */
function differenceText(minor, currency) {
  if (minor === 0) return t('same');
  return `${minor > 0 ? '+' : '\u2212'}${formatMoney(Math.abs(minor), currency)}`;
}

/** A day of the shop is the same in the zone of every screen. @param {string} day */
function dayText(day) {
  return moments({ dateStyle: 'full', timeZone: 'UTC' }).format(Date.parse(`${day}T00:00:00Z`));
}

/** @param {DayReport} report */
function save(report) {
  const link = document.createElement('a');
  const url = URL.createObjectURL(
    new Blob(['\uFEFF', takingsCsv(report, exponentOf)], { type: 'text/csv;charset=utf-8' }),
  );
  link.href = url;
  link.download = `tilld-${report.day}.csv`;
  link.click();
  URL.revokeObjectURL(url);
}
