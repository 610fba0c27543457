import type { TerminalJournal, TransactionReport } from '../../terminal/ports.ts';
import type { Attempt } from '../attempt/attempt.ts';
import { isThatOne } from '../recovery/same-transaction.ts';
import type { ReconciledLine } from './terminal-operations.ts';

/**
 * Compares the terminal's journal with our database, line by line; pure.
 * An attempt that the terminal does not show counts as missing only where it shows its whole batch.
 * @param succeeded our attempts of the open day, corrections among them. @param newest the attempt that was sent there last, in any state.
 */
export function reconcileLines(
  succeeded: readonly Attempt[],
  newest: Attempt | null,
  journal: TerminalJournal,
): readonly ReconciledLine[] {
  const isThere = newest === null || succeeded.some((one) => one.id === newest.id);
  const candidates = isThere ? succeeded : [newest, ...succeeded];
  const shown = journal.lines.map((line) => lineOf(line, candidates));
  if (!journal.complete) return shown;
  const seen = new Set(shown.map(({ attemptId }) => attemptId));
  const missing = succeeded.filter((attempt) => !seen.has(attempt.id) && attempt.corrects === null);
  return [
    ...shown,
    ...missing.map(({ id }) => ({ terminal: null, attemptId: id, verdict: 'missing' as const })),
  ];
}

/** A line that only a correction explains contradicts the attempt that it corrects. */
function lineOf(line: TransactionReport, candidates: readonly Attempt[]): ReconciledLine {
  const ours = candidates.findLast(({ report }) => report !== null && isThatOne(report, line));
  if (!ours) return { terminal: line, attemptId: null, verdict: 'unknown' };
  if (ours.corrects !== null) return { terminal: line, attemptId: ours.corrects, verdict: 'contradicts' };
  const agrees = (line.verdict === 'approved') === (ours.state.name === 'succeeded');
  return { terminal: line, attemptId: ours.id, verdict: agrees ? 'same' : 'contradicts' };
}
