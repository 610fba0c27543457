import { h } from 'preact';
import { numbers } from '../words/formatters.js';
import { kindOf } from './refused-reports.js';
import { t } from './words.js';

/** @import { OutboxCause } from '../app/contract.js' */

/**
 * How many open reports are not listed, and why reports were refused, those among them, too: no cause is behind the end of a list.
 * @param {{ more: number, causes: readonly OutboxCause[] }} props `causes` empty: every refused report is listed
 */
export function MoreReports({ more, causes }) {
  if (more === 0) return null;
  return h(
    'section',
    { class: 'stack-small', 'aria-label': t('reports_others'), 'data-more-reports': '' },
    h('p', { class: 'quiet' }, t('reports_more', { count: more })),
    causes.length > 0 && h(Causes, { causes }),
  );
}

/** @param {{ causes: readonly OutboxCause[] }} props */
function Causes({ causes }) {
  return [
    h('p', { key: 'title' }, t('reports_causes')),
    h(
      'ul',
      { key: 'causes', class: 'plain-list' },
      causes.map(({ id, reports }) =>
        h(
          'li',
          { key: id, 'data-cause': id },
          h('strong', {}, numbers({}).format(reports)),
          ` · ${t(`cause_${kindOf(id)}`)} (`,
          h('span', { lang: 'en', 'data-said-by': 'service' }, id),
          ')',
        ),
      ),
    ),
  ];
}
