import { type CloseOutcome, hasCode, messageOf } from '../../../src/driver-kit/terminal.ts';
import { CLOSE } from './commands.ts';
import type { Conversation } from './conversation.ts';
import { codeOf } from './payment.ts';
import { resultWords, verdictOf } from './result-codes.ts';

/**
 * Closes the terminal's batch (`0500||`). The command is sent once, as a money frame is. The terminal prints its totals and deletes
 * its sales; it reports no sums. Never throws.
 */
export async function closeDay(
  conversation: Conversation,
  closeMs: number,
  signal: AbortSignal,
): Promise<CloseOutcome> {
  let isHanded = false;
  try {
    const onHanded = () => {
      isHanded = true;
      conversation.note('sent', CLOSE);
    };
    await conversation.line.sendMoney(CLOSE, onHanded, signal).catch((error: unknown) => {
      // A terminal that is busy with the first frame may answer NAK.
      if (!hasCode(error, 'TERMINAL_NOT_HEARD')) throw error;
    });
    return await answerTo(conversation, closeMs, signal);
  } catch (error) {
    const [code, message] = [codeOf(error), messageOf(error)];
    const never = !isHanded || code === 'LINK_CLOSED';
    return never
      ? { kind: 'refused', code, message: `${message}. Nothing was sent, its day is still open.` }
      : { kind: 'unknown', code, message: `${message}. Look whether it printed its end of day.` };
  }
}

async function answerTo(
  conversation: Conversation,
  closeMs: number,
  signal: AbortSignal,
): Promise<CloseOutcome> {
  while (true) {
    const heard = await conversation.next({ name: 'end of day', ms: closeMs }, signal);
    const { answer } = heard;
    if (answer.kind !== 'closed') {
      if (answer.kind === 'progress' || conversation.isRepeat(heard)) await conversation.answer(heard);
      continue;
    }
    await conversation.answer(heard).catch(() => undefined);
    return outcomeOf(answer.code);
  }
}

function outcomeOf(code: string): CloseOutcome {
  const words = resultWords(code);
  switch (verdictOf(code)) {
    case 'approved':
      return { kind: 'closed', totals: null, receipts: {} };
    case 'unclear':
      return {
        kind: 'unknown',
        code: 'TERMINAL_RESULT_UNCLEAR',
        message: `The end of day ended with ${code}: ${words}. Look whether it printed its end of day.`,
      };
    default:
      return { kind: 'refused', code: `TERMINAL_${code}`, message: `Its day is still open: ${words}.` };
  }
}
