import { h } from 'preact';
import { useId, useState } from 'preact/hooks';
import { now } from '../app/now.js';
import { Plot } from '../ops/plot.js';
import { numbers } from '../words/formatters.js';
import { exponentOf, formatMoney } from '../words/money.js';
import { t } from './words.js';

/** @import { DayReport } from '../app/contract.js' */

/**
 * The takings of each hour beside those of the week before. The legend shows what the pointer is at; the table of the hours has the figures as text.
 * @param {{ takings: DayReport['currencies'][number], timeText: (at: number) => string }} props
 */
export function HourPlot({ takings: { currency, total, week_before: before, hours }, timeText }) {
  const id = useId();
  const [index, setIndex] = useState(/** @type {number | null} */ (null));
  const units = 10 ** exponentOf(currency);
  const at = index === null ? undefined : hours[index];
  const lines = [
    {
      name: t('this_day'),
      tone: 'main',
      minor: at ? at.net_minor : total.net_minor,
      values: hours.map(({ at: start, net_minor: net }) =>
        Date.parse(start) > now.value ? null : net / units,
      ),
    },
    {
      name: t('week_before'),
      tone: 'quiet',
      minor: at ? at.week_before_net_minor : before.net_minor,
      values: hours.map(({ week_before_net_minor: net }) => (net === null ? null : net / units)),
    },
  ];
  return h(
    'figure',
    { class: 'card chart', 'aria-labelledby': id },
    h(
      'figcaption',
      {},
      h('h3', { id }, t('by_hour', { currency })),
      at && h('span', { class: 'quiet' }, timeText(Date.parse(at.at))),
    ),
    h(
      'ul',
      { class: 'legend' },
      lines.map(({ name, tone, minor }) =>
        h(
          'li',
          { key: name },
          h('span', { class: `swatch tone-${tone}`, 'aria-hidden': 'true' }),
          name,
          ' ',
          h('strong', {}, minor === null ? '–' : formatMoney(minor, currency)),
        ),
      ),
    ),
    h(Plot, {
      kind: 'lines',
      times: hours.map(({ at: start }) => Date.parse(start)),
      lines,
      timeText,
      valueText: (value) => numbers({ notation: 'compact' }).format(value),
      onPoint: setIndex,
    }),
  );
}
