import { h } from 'preact';
import { useId, useState } from 'preact/hooks';
import { moments, numbers } from '../words/formatters.js';
import { Plot } from './plot.js';
import { t } from './words.js';

/**
 * @typedef {object} Line
 * @property {string} name
 * @property {string} tone one of `good bad warn calm main quiet`
 * @property {readonly (number | null)[]} values one for each time; null: no value
 */

/**
 * Figures over time, as a chart and as a table. The legend shows what the pointer is at.
 * @param {object} props
 * @param {string} props.title
 * @param {'bars' | 'lines'} props.kind
 * @param {string} props.unit
 * @param {readonly number[]} props.times epoch ms
 * @param {boolean} props.isWeek
 * @param {readonly Line[]} props.lines
 */
export function Chart({ title, kind, unit, times, isWeek, lines }) {
  const id = useId();
  const [index, setIndex] = useState(/** @type {number | null} */ (null));
  const at = index === null ? undefined : times[index];
  const isEmpty = lines.every(({ values }) => values.every((value) => !value));
  const label = (/** @type {number} */ at) => timeText(at, isWeek);
  return h(
    'figure',
    { class: 'card chart', 'aria-labelledby': id },
    h('figcaption', {}, h('h2', { id }, title), at !== undefined && h('span', { class: 'quiet' }, label(at))),
    h(
      'ul',
      { class: 'legend' },
      lines.map(({ name, tone, values }) =>
        h(
          'li',
          { key: name },
          h('span', { class: `swatch tone-${tone}`, 'aria-hidden': 'true' }),
          name,
          ' ',
          h(
            'strong',
            {},
            index === null
              ? legendOf(kind, values, unit)
              : cell(values[index] ?? (kind === 'bars' ? 0 : null), unit),
          ),
        ),
      ),
    ),
    isEmpty
      ? h('p', { class: 'quiet chart-empty' }, t('chart_empty'))
      : h(Plot, {
          kind,
          times,
          lines,
          timeText: label,
          valueText: (value) => (unit === '' && !Number.isInteger(value) ? '' : amount(value, unit)),
          onPoint: setIndex,
        }),
    !isEmpty && h(Table, { title, times, lines, unit, label }),
  );
}

/** @param {{ title: string, times: readonly number[], lines: readonly Line[], unit: string, label: (at: number) => string }} props */
function Table({ title, times, lines, unit, label }) {
  const rows = times
    .map((at, index) => ({ at, index }))
    .filter(({ index }) => lines.some(({ values }) => values[index] !== null));
  return h(
    'details',
    { class: 'help' },
    h('summary', {}, t('chart_table')),
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
            h('th', { scope: 'col' }, t('chart_time')),
            lines.map(({ name }) => h('th', { key: name, scope: 'col' }, name)),
          ),
        ),
        h(
          'tbody',
          {},
          rows.map(({ at, index }) =>
            h(
              'tr',
              { key: at },
              h('th', { scope: 'row' }, label(at)),
              lines.map(({ name, values }) => h('td', { key: name }, cell(values[index] ?? null, unit))),
            ),
          ),
        ),
      ),
    ),
  );
}

/** The sum of counted values, the newest of measured ones. @param {string} kind @param {readonly (number | null)[]} values @param {string} unit */
function legendOf(kind, values, unit) {
  const known = values.flatMap((value) => value ?? []);
  if (kind === 'bars' || unit === '')
    return amount(
      known.reduce((sum, value) => sum + value, 0),
      unit,
    );
  return cell(known.at(-1) ?? null, unit);
}

/** @param {number | null} value @param {string} unit */
function cell(value, unit) {
  return value === null ? '–' : amount(value, unit);
}

/** @param {number} value @param {string} unit */
function amount(value, unit) {
  const digits = unit === '' ? 0 : 1;
  const text = numbers({ maximumFractionDigits: digits }).format(value);
  return unit === '' ? text : `${text} ${unit}`;
}

/** @param {number} at @param {boolean} isWeek */
function timeText(at, isWeek) {
  /** @type {Intl.DateTimeFormatOptions} */
  const options = isWeek ? { weekday: 'short', hour: '2-digit' } : { timeStyle: 'short' };
  return moments(options).format(at);
}
