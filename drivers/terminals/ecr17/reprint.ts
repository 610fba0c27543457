import { AppError, type Clock, type Reprint } from '../../../src/driver-kit/terminal.ts';
import type { Carrier } from './carry-out.ts';
import { sendQuestion } from './conversation.ts';
import { Procedure } from './procedure.ts';
import { reprintRequest } from './requests.ts';

interface Repeating extends Carrier {
  readonly clock: Clock;
  readonly silenceMs: number;
}

/**
 * Repeats the last receipt: `R → ACK`, and where receipts come to us its parts. A result that comes in place of them belongs to an older
 * command, and stays unacknowledged.
 * @throws TERMINAL_NO_ANSWER where no whole receipt comes, and the errors of a question.
 */
export function reprint(
  { calls, conversation, paper, ...deps }: Repeating,
  signal: AbortSignal,
): Promise<Reprint> {
  const request = reprintRequest(conversation.address, paper.wanted);
  return calls.call(signal, async (line) => {
    conversation.note('sent', request);
    if ((await sendQuestion(line, request, signal)) === 'refused') return { value: REFUSED, clean: true };
    if (!paper.wanted) return { value: { kind: 'printed' }, clean: true };
    const procedure = new Procedure({
      ...deps,
      line,
      conversation,
      progress: () => undefined,
      wantsReceipts: true,
    });
    await procedure.rest(() => false, signal);
    if (!procedure.isComplete) throw noReceipt();
    const { merchant, customer } = procedure.receipts;
    return { value: { kind: 'received', text: merchant ?? customer ?? '' }, clean: true };
  });
}

const REFUSED: Reprint = {
  kind: 'refused',
  message: 'the terminal does not take the command to reprint (NAK)',
};

function noReceipt(): AppError {
  return new AppError('TERMINAL_NO_ANSWER', 'the terminal sends no whole receipt', { retry: 'safe' });
}
