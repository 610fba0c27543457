import type { Reprint } from '../../../src/driver-kit/terminal.ts';
import * as commands from './commands.ts';
import { type Conversation, codeOf } from './conversation.ts';
import { PrintSpool } from './printing.ts';
import { refusalWords } from './result-codes.ts';
import { printsPayments } from './settings.ts';

/** Service byte of Repeat Receipt: print (not 2), and send no Status-Information (not 1); one that comes all the same is not answered. */
const PAPER_ONLY = 0x00;

/**
 * Repeats the last receipt (`06 20`): the terminal prints it, or sends it in print commands where the till prints.
 * @throws TERMINAL_BUSY, and the errors of a question.
 */
export async function reprint(conversation: Conversation, signal: AbortSignal): Promise<Reprint> {
  const { charset, settings } = conversation;
  const spool = new PrintSpool(charset, settings.printerWidth);
  const listener = {
    print: (control: '06D1' | '06D3', data: Uint8Array) => {
      spool.take(control, data);
      return 'answer' as const;
    },
  };
  const command = commands.repeatReceipt(settings.password, PAPER_ONLY);
  const result = await conversation.askRegistered({ command, listener }, signal);
  if (result.kind !== 'ended' || result.control !== '060F')
    return { kind: 'refused', message: `the terminal repeats no receipt: ${refusalWords(codeOf(result))}` };
  if (!printsPayments(settings)) return { kind: 'printed' };
  const { merchant: text } = spool.shopReceipts();
  return text === undefined
    ? { kind: 'refused', message: 'the terminal repeats no receipt: it sent nothing to print' }
    : { kind: 'received', text };
}
