import type { ReconciledLine, TerminalReconciliation } from '../../api/contract/terminal-reconciliation.ts';
import { plain } from './plain.ts';
import { facts, table } from './table.ts';
import { amountText, batchText, bookText } from './totals.ts';

const VERDICTS = {
  same: 'same',
  unknown: 'NOT OURS',
  missing: 'MISSING at the terminal',
  contradicts: 'CONTRADICTS our books',
} as const;

/** The terminal's batch compared with the database: one line each, the sums, and what to do. */
export function reconciliationText(found: TerminalReconciliation): string {
  const rows = found.lines.map((line) => rowOf(line, found));
  const lines =
    rows.length === 0
      ? 'There is no transaction, here or there.\n'
      : table(['NUMBER', 'TRACE', 'TYPE', 'RESULT', 'AMOUNT', 'OURS', 'VERDICT'], rows);
  const sums = facts([
    ["terminal's sum", batchText(found.totals, found.currency) ?? 'not reported'],
    ['our books', bookText(found.ours, found.currency)],
    ['since', found.since ?? 'the first payment'],
  ]);
  return `${lines}\n${sums}\n${plain(found.message)}\n`;
}

function rowOf({ terminal, payment_id, verdict }: ReconciledLine, { currency }: TerminalReconciliation) {
  const shown =
    terminal === null
      ? ['-', '-', '-', '-', '-']
      : [
          terminal.receipt_number ?? '-',
          terminal.trace ?? '-',
          terminal.type,
          terminal.result,
          amountText(terminal.amount_minor, terminal.currency ?? currency),
        ];
  return [...shown, payment_id ?? '-', VERDICTS[verdict]];
}
