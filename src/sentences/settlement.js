import { joined, wordsOf } from './tongue.js';

/** @import { Tongue } from './tongue.js' */

/**
 * An end of day as the API shows it now, without its sentence.
 * @typedef {Omit<import('../api/contract/terminal-settlement.ts').TerminalSettlement, 'message'>} SettlementFacts
 */

/**
 * What staff should know and do now about an end of day: what happened, that it charges no customer, what the sums say, what to do.
 * `why`: tilld's own English reason; empty where it says nothing more.
 * @param {SettlementFacts} settlement
 * @param {Tongue} tongue
 */
export function settlementSentences(settlement, tongue) {
  const { status, source, error_message: reason } = settlement;
  const { language } = tongue;
  const isByItself = status === 'succeeded' && source === 'terminal';
  const hasFailed = status === 'refused' || status === 'cancelled' || status === 'unknown';
  return {
    title: wordsOf(language, isByItself ? 'close_by_itself' : `close_${status}`),
    why: hasFailed && reason !== null ? withStop(reason.trim()) : '',
    charged: wordsOf(language, 'close_charges_none'),
    now:
      status === 'succeeded' ? comparedWords(settlement, tongue) : wordsOf(language, `close_${status}_now`),
  };
}

/**
 * The same as one text.
 * @param {SettlementFacts} settlement
 * @param {Tongue} tongue
 */
export function settlementMessage(settlement, tongue) {
  const { title, why, charged, now } = settlementSentences(settlement, tongue);
  return joined(title, why, charged, now);
}

/** @param {SettlementFacts} settlement @param {Tongue} tongue */
function comparedWords({ comparison, currency }, { language, money }) {
  const line = comparison?.lines.find(({ what }) => what === 'sum');
  if (!comparison || !line) return wordsOf(language, 'compare_nothing');
  const text = (/** @type {number} */ minor) => (currency === null ? String(minor) : money(minor, currency));
  const values = {
    terminal: text(line.terminal ?? 0),
    ours: text(line.ours),
    difference: text(Math.abs(line.difference ?? 0)),
  };
  const { verdict } = comparison;
  if (verdict !== 'differs') return wordsOf(language, `compare_${verdict}`, values);
  return wordsOf(language, (line.difference ?? 0) > 0 ? 'compare_more' : 'compare_less', values);
}

/** @param {string} text */
function withStop(text) {
  return text === '' || /[.!?]$/.test(text) ? text : `${text}.`;
}
