import type { TerminalSettlement } from '../../api/contract/terminal-settlement.ts';
import { plain } from './plain.ts';
import { facts } from './table.ts';
import { batchText, bookText } from './totals.ts';

const ENDS = {
  requested: 'waits for the terminal',
  in_progress: 'is running at the terminal',
  succeeded: 'is closed',
  refused: 'was REFUSED by the terminal',
  cancelled: 'was cancelled',
  unknown: 'has an UNKNOWN outcome',
} as const;

const DIFFERS = { yes: 'NO', no: 'yes', unknown: 'not known' } as const;

/** An end of day for people: the outcome first, the next step last. */
export function settlementText(settlement: TerminalSettlement): string {
  const { currency, differs, forced } = settlement;
  const rows = facts([
    ['settlement', settlement.id],
    ['device', settlement.device_id],
    ['status', settlement.status],
    ['terminal', settlement.terminal_serial ?? settlement.terminal_id],
    ['forced by', forced === null ? null : `${forced.by}: ${forced.reason}`],
    ["terminal's sum", batchText(settlement.totals, currency)],
    ['our books', bookText(settlement.ours, currency)],
    ['sums agree', settlement.status === 'succeeded' ? DIFFERS[wordOf(differs)] : null],
    ['error', settlement.error_message ?? settlement.error_code],
  ]);
  return `The end of day ${ENDS[settlement.status]}.\n${rows}${receiptText(settlement)}\n${plain(settlement.message)}\n`;
}

function wordOf(differs: boolean | null): keyof typeof DIFFERS {
  if (differs === null) return 'unknown';
  return differs ? 'yes' : 'no';
}

function receiptText({ receipts }: TerminalSettlement): string {
  const text = receipts.merchant ?? receipts.customer;
  if (text === null) return '';
  const lines = plain(text)
    .split('\n')
    .map((line) => `  | ${line}`.trimEnd());
  return `\n  totals as the terminal printed them\n${lines.join('\n')}\n`;
}
