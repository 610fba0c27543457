import { joined, wordsOf } from './tongue.js';

/** @import { Tongue } from './tongue.js' */

/**
 * A comparison of a terminal's journal as the API shows it, without its sentence.
 * @typedef {Pick<import('../api/contract/terminal-reconciliation.ts').TerminalReconciliation, 'lines' | 'complete' | 'totals_agree'>} ReconciliationFacts
 */

/** Worst first. */
const VERDICTS = /** @type {const} */ (['contradicts', 'missing', 'unknown']);

/**
 * What a comparison found, worst first: each sentence says what it means for customers and what to do now.
 * @param {ReconciliationFacts} found
 * @param {Pick<Tongue, 'language'>} tongue
 */
export function reconciliationMessage({ lines, complete, totals_agree: totalsAgree }, { language }) {
  const differing = VERDICTS.map((verdict) => {
    const count = lines.filter((line) => line.verdict === verdict).length;
    if (count === 0) return '';
    return wordsOf(language, count === 1 ? `journal_${verdict}_one` : `journal_${verdict}`, { count });
  });
  const isWell = differing.every((sentence) => sentence === '') && totalsAgree !== false;
  return joined(
    isWell ? wordsOf(language, 'journal_agrees') : '',
    ...differing,
    totalsAgree === false ? wordsOf(language, 'journal_sum_differs') : '',
    complete ? '' : wordsOf(language, 'journal_in_part'),
  );
}
