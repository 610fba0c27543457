import type { LastTransaction, TransactionReport } from '../../../src/driver-kit/terminal.ts';
import * as commands from './commands.ts';
import { type Conversation, codeOf } from './conversation.ts';
import { readReport } from './report.ts';
import { refusalWords } from './result-codes.ts';

/** Repeat Receipt: send the Status-Information (1), do not print (2). */
export const RESULT_WITHOUT_PAPER = 0x03;
export const RESULT_ONLY = 0x01;
/**
 * The only code of `06 1E` to a Repeat Receipt that means "nothing is stored"; every other one may be about the terminal
 * and not about its memory, and proves nothing.
 */
const NOTHING_STORED = '64';

/**
 * Requests the last stored transaction by Repeat Receipt (`06 20`); `undefined` when the terminal completed without a result.
 * @throws TERMINAL_BUSY, and the errors of a question.
 */
export async function repeatReceipt(
  conversation: Conversation,
  serviceByte: number,
  signal: AbortSignal,
): Promise<LastTransaction | undefined> {
  const { charset } = conversation;
  const { password } = conversation.settings;
  let report: TransactionReport | undefined;
  const listener = {
    report: (data: Uint8Array) => {
      report = readReport(data, 'last', charset);
      return 'answer' as const;
    },
  };
  const command = commands.repeatReceipt(password, serviceByte);
  const result = await conversation.askRegistered({ command, listener }, signal);
  const code = codeOf(result);
  if (result.kind === 'ended' && result.control === '060F') return report && { kind: 'found', report };
  if (result.kind === 'ended' && code === NOTHING_STORED) return { kind: 'empty' };
  return { kind: 'unreadable', detail: `the terminal refused Repeat Receipt: ${refusalWords(code)}` };
}
