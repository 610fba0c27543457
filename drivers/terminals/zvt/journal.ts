import type { TerminalJournal, Totals, TransactionReport } from '../../../src/driver-kit/terminal.ts';
import * as commands from './commands.ts';
import { type Conversation, codeOf } from './conversation.ts';
import type { Answering } from './dialogue.ts';
import { RESULT_WITHOUT_PAPER, repeatReceipt } from './last-transaction.ts';
import { isOfOnePayment, readTotals } from './totals.ts';

/** The terminal does not know the command. */
const UNKNOWN_COMMAND = '83';

/** The terminal's answer about its totals. `knows` false: it has no such command. */
interface ReportedTotals {
  readonly totals: Totals | null;
  readonly knows: boolean;
}

/**
 * The terminal's report of its open batch without paper: its last transaction and its totals; never the whole batch.
 * After an end of day many terminals still report the last transaction of the closed batch: it is left out when the totals say that
 * the open batch is empty.
 * @throws TERMINAL_BUSY, and the errors of a question.
 */
export async function readJournal(
  conversation: Conversation,
  signal: AbortSignal,
): Promise<TerminalJournal & { readonly knowsTotals: boolean }> {
  const last = await repeatReceipt(conversation, RESULT_WITHOUT_PAPER, signal);
  const { totals, knows } = await turnoverTotals(conversation, signal);
  const lines: readonly TransactionReport[] = last?.kind === 'found' && !isEmpty(totals) ? [last.report] : [];
  return { complete: false, lines, totals, knowsTotals: knows };
}

/** Requests the turnover totals (`06 10`). */
export async function turnoverTotals(
  conversation: Conversation,
  signal: AbortSignal,
): Promise<ReportedTotals> {
  let totals: Totals | null = null;
  const listener = {
    report: (data: Uint8Array): Answering => {
      if (isOfOnePayment(data)) return 'never';
      totals = readTotals(data);
      return 'answer';
    },
  };
  const command = commands.turnoverTotals(conversation.settings.password);
  const result = await conversation.askRegistered({ command, listener }, signal);
  const code = codeOf(result);
  const completed = result.kind === 'ended' && result.control === '060F' && (code ?? '00') === '00';
  return { totals: completed ? totals : null, knows: code !== UNKNOWN_COMMAND };
}

function isEmpty(totals: Totals | null): boolean {
  return (
    totals?.count === 0 &&
    totals.amountMinor === 0 &&
    totals.firstNumber === undefined &&
    totals.lastNumber === undefined
  );
}
