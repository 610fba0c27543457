import type { TerminalSettlement } from '../../api/contract/terminal-settlement.ts';
import { plain } from './plain.ts';
import { facts, table } from './table.ts';
import { amountText, batchText, bookText } from './totals.ts';

const ENDS = {
  requested: 'waits for the terminal',
  in_progress: 'is running at the terminal',
  succeeded: 'is closed',
  refused: 'was REFUSED by the terminal',
  cancelled: 'was cancelled',
  unknown: 'has an UNKNOWN outcome',
} as const;

const VERDICTS = {
  agrees: 'yes',
  differs: 'NO',
  day_not_whole: 'no: the day began before tilld knew of it',
  no_sum: 'the terminal reports no sum',
} as const;

/** An end of day for people: the outcome first, the next step last. @param terminal its name */
export function settlementText(settlement: TerminalSettlement, terminal: string): string {
  const { currency, comparison, forced } = settlement;
  const rows = facts([
    ['settlement', settlement.id],
    ['terminal', terminal],
    ['serial', settlement.terminal_serial ?? settlement.terminal_id],
    ['status', settlement.status],
    ['forced by', forced === null ? null : `${forced.by}: ${forced.reason}`],
    ["terminal's sum", batchText(settlement.totals, currency)],
    ['our books', bookText(settlement.ours, currency)],
    ['sums agree', comparison && VERDICTS[comparison.verdict]],
    ['error', settlement.error_message ?? settlement.error_code],
  ]);
  return `The end of day ${ENDS[settlement.status]}.\n${rows}${comparedText(settlement)}${receiptText(settlement)}\n${plain(settlement.message)}\n`;
}

/** The terminal's figures beside ours, and the difference; empty where there are none. */
function comparedText({ comparison, currency }: TerminalSettlement): string {
  if (comparison === null) return '';
  const rows = comparison.lines.map(({ what, scheme, terminal, ours, difference }) => {
    const text = (value: number | null) =>
      what === 'count' ? String(value ?? '-') : amountText(value, currency);
    return [scheme ?? LINES[what], text(terminal), text(ours), difference === 0 ? '' : text(difference)];
  });
  return `\n${table(['LINE', 'TERMINAL', 'OURS', 'DIFFERENCE'], rows)}`;
}

const LINES = { sum: 'sum', count: 'transactions', scheme: 'other cards' } as const;

function receiptText({ receipts }: TerminalSettlement): string {
  const text = receipts.merchant ?? receipts.customer;
  if (text === null) return '';
  const lines = plain(text)
    .split('\n')
    .map((line) => `  | ${line}`.trimEnd());
  return `\n  totals as the terminal printed them\n${lines.join('\n')}\n`;
}
