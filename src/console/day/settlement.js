import { h } from 'preact';
import { settlementSentences } from '../../sentences/settlement.js';
import { EnglishText } from '../parts/english-text.js';
import { moments } from '../words/formatters.js';
import { formatMoney } from '../words/money.js';
import { tongue } from '../words/tongue.js';
import { t } from './words.js';

/** @import { Settlement as Close } from '../app/contract.js' */

/** A printed close has its date, also today. @type {Intl.DateTimeFormatOptions} */
const WITH_DATE = { dateStyle: 'medium', timeStyle: 'short' };
const TONES = {
  requested: 'calm',
  in_progress: 'calm',
  succeeded: 'good',
  refused: 'bad',
  cancelled: 'plain',
  unknown: 'warn',
};

/** The state of a close in a word or two: of a closed day what its sums say. @param {Close} close */
export function stateOf({ status, comparison }) {
  const verdict = comparison?.verdict;
  if (verdict === undefined) return { tone: TONES[status], label: t(`status_${status}`) };
  const tone = verdict === 'agrees' ? 'good' : verdict === 'differs' ? 'bad' : 'warn';
  return { tone, label: t(`verdict_${verdict}`) };
}

/** An end of day: what happened, what its sums say, and the terminal's figures beside ours. @param {{ settlement: Close }} props */
export function Settlement({ settlement }) {
  const { comparison, forced, created_at: at, completed_at: end } = settlement;
  const { title, why, charged, now: next } = settlementSentences(settlement, tongue());
  return h(
    'div',
    { class: 'stack', 'data-settlement': settlement.status },
    h('p', { class: 'quiet' }, t('closed_of', { at: moments(WITH_DATE).format(Date.parse(end ?? at)) })),
    h('p', {}, h('strong', {}, title), ' ', charged),
    why !== '' && h(EnglishText, { text: why }),
    h('p', {}, next),
    forced && h('p', {}, t('forced', forced)),
    comparison && h(Lines, { comparison, currency: settlement.currency }),
    h(Printed, { settlement }),
  );
}

/** @param {{ comparison: NonNullable<Close['comparison']>, currency: string | null }} props */
function Lines({ comparison, currency }) {
  const headings = [t('line'), t('at_terminal'), t('at_tilld'), t('difference')];
  return h(
    'div',
    { class: 'wide', tabIndex: 0, role: 'group', 'aria-label': t('difference') },
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
        comparison.lines.map(({ what, scheme, terminal, ours, difference }) => {
          const text = (/** @type {number | null} */ value) =>
            value === null
              ? '–'
              : what === 'count' || currency === null
                ? String(value)
                : formatMoney(value, currency);
          return h(
            'tr',
            { key: `${what} ${scheme}` },
            h('th', { scope: 'row' }, scheme || t(what === 'scheme' ? 'line_other' : `line_${what}`)),
            h('td', {}, text(terminal)),
            h('td', {}, text(ours)),
            h('td', {}, difference === 0 ? '–' : h('strong', {}, text(difference))),
          );
        }),
      ),
    ),
  );
}

/** @param {{ settlement: Close }} props */
function Printed({ settlement: { receipts } }) {
  const text = receipts.merchant ?? receipts.customer;
  if (text === null) return null;
  return h('details', { class: 'help' }, h('summary', {}, t('printed')), h('pre', {}, text));
}
