import { h } from 'preact';
import { useId } from 'preact/hooks';
import { language } from '../words/language.js';
import { t } from './words.js';

/**
 * @typedef {object} Line
 * @property {string} name
 * @property {string} tone one of `good bad warn calm main quiet`
 * @property {readonly (number | null)[]} values one for each time; null: no value
 */

/** Width of the drawing, not of the screen: the browser stretches it. */
const WIDTH = 1_000;
const HEIGHT = 100;

/**
 * Figures over time, as a chart and as a table. `bars` are stacked; `lines` break where there is no value.
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
  const top = niceTop(kind === 'bars' ? sums(times, lines) : lines.flatMap(({ values }) => values));
  const isEmpty = lines.every(({ values }) => values.every((value) => !value));
  const label = (/** @type {number} */ at) => timeText(at, isWeek);
  return h(
    'figure',
    { class: 'card chart', 'aria-labelledby': id },
    h('figcaption', { id }, h('h2', {}, title)),
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
          h('strong', {}, legendOf(kind, values, unit)),
        ),
      ),
    ),
    isEmpty
      ? h('p', { class: 'quiet chart-empty' }, t('chart_empty'))
      : h(
          'div',
          { class: 'plot', 'aria-hidden': 'true' },
          h('span', { class: 'plot-top' }, amount(top, unit)),
          h(
            'svg',
            { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: 'none' },
            [0.25, 0.5, 0.75].map((part) =>
              h('line', {
                key: part,
                class: 'grid-line',
                x1: 0,
                x2: WIDTH,
                y1: HEIGHT * part,
                y2: HEIGHT * part,
              }),
            ),
            kind === 'bars' ? h(Bars, { times, lines, top, label }) : h(Curves, { times, lines, top }),
          ),
          h(
            'div',
            { class: 'plot-times' },
            ticksOf(times).map(({ at, left }) =>
              h('span', { key: at, style: { left: `${left}%` } }, label(at)),
            ),
          ),
        ),
    !isEmpty && h(Table, { title, times, lines, unit, label }),
  );
}

/** @param {{ times: readonly number[], lines: readonly Line[], top: number, label: (at: number) => string }} props */
function Bars({ times, lines, top, label }) {
  const step = WIDTH / times.length;
  return h(
    'g',
    {},
    times.map((at, index) => {
      let floor = HEIGHT;
      return h(
        'g',
        { key: at },
        h(
          'title',
          {},
          `${label(at)}: ${lines.map(({ name, values }) => `${name} ${values[index] ?? 0}`).join(', ')}`,
        ),
        h('rect', { class: 'catch', x: index * step, y: 0, width: step, height: HEIGHT }),
        lines.map(({ name, tone, values }) => {
          const height = ((values[index] ?? 0) / top) * HEIGHT;
          floor -= height;
          return h('rect', {
            key: name,
            class: `fill-${tone}`,
            x: index * step + step * 0.12,
            y: floor,
            width: step * 0.76,
            height,
          });
        }),
      );
    }),
  );
}

/** @param {{ times: readonly number[], lines: readonly Line[], top: number }} props */
function Curves({ times, lines, top }) {
  const step = WIDTH / times.length;
  const point = (/** @type {number} */ value, /** @type {number} */ index) =>
    `${(index + 0.5) * step},${HEIGHT - (value / top) * HEIGHT}`;
  return h(
    'g',
    {},
    lines.map(({ name, tone, values }) =>
      h(
        'g',
        { key: name, class: `stroke-${tone}` },
        piecesOf(values).map((piece) =>
          h('polyline', {
            key: piece[0]?.index,
            class: piece.length === 1 ? 'alone' : undefined,
            points: doubled(piece.map(({ value, index }) => point(value, index))).join(' '),
          }),
        ),
      ),
    ),
  );
}

/** A point alone is drawn as a dot: a line from itself to itself with round ends. @param {string[]} points */
function doubled(points) {
  return points.length === 1 ? [...points, ...points] : points;
}

/** Runs of values without a gap. @param {readonly (number | null)[]} values */
function piecesOf(values) {
  /** @type {{ value: number, index: number }[][]} */
  const pieces = [];
  values.forEach((value, index) => {
    if (value === null) return;
    const last = pieces.at(-1);
    if (last?.at(-1)?.index === index - 1) last.push({ value, index });
    else pieces.push([{ value, index }]);
  });
  return pieces;
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
        { class: 'table' },
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
              lines.map(({ name, values }) =>
                h('td', { key: name }, values[index] === null ? '–' : amount(values[index] ?? 0, unit)),
              ),
            ),
          ),
        ),
      ),
    ),
  );
}

/** @param {readonly number[]} times @param {readonly Line[]} lines */
function sums(times, lines) {
  return times.map((_, index) => lines.reduce((sum, { values }) => sum + (values[index] ?? 0), 0));
}

/** The maximum of the scale: 1, 2, 5, 10, 20 … @param {readonly (number | null)[]} values */
function niceTop(values) {
  const most = Math.max(1, ...values.map((value) => value ?? 0));
  const power = 10 ** Math.floor(Math.log10(most));
  return ([1, 2, 5, 10].find((factor) => factor * power >= most) ?? 10) * power;
}

/** At most five, each below the start of its bucket. @param {readonly number[]} times */
function ticksOf(times) {
  const every = Math.max(1, Math.ceil(times.length / 5));
  return times
    .map((at, index) => ({ at, index, left: (index / times.length) * 100 }))
    .filter(({ index }) => index % every === 0);
}

/** The sum of counted values, the newest of measured ones. @param {string} kind @param {readonly (number | null)[]} values @param {string} unit */
function legendOf(kind, values, unit) {
  const known = values.flatMap((value) => value ?? []);
  if (kind === 'bars' || unit === '')
    return amount(
      known.reduce((sum, value) => sum + value, 0),
      unit,
    );
  const newest = known.at(-1);
  return newest === undefined ? '–' : amount(newest, unit);
}

/** @param {number} value @param {string} unit */
function amount(value, unit) {
  const digits = unit === '' ? 0 : 1;
  const text = new Intl.NumberFormat(language.value, { maximumFractionDigits: digits }).format(value);
  return unit === '' ? text : `${text} ${unit}`;
}

/** @param {number} at @param {boolean} isWeek */
function timeText(at, isWeek) {
  /** @type {Intl.DateTimeFormatOptions} */
  const options = isWeek ? { weekday: 'short', hour: '2-digit' } : { timeStyle: 'short' };
  return new Intl.DateTimeFormat(language.value, options).format(at);
}
