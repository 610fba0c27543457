import { AppError, hasCode, type StxLine } from '../../../src/driver-kit/terminal.ts';
import type { Calls, Ended } from './calls.ts';
import { type Conversation, sendQuestion } from './conversation.ts';
import { printOnEcrRequest } from './requests.ts';

/** Whether receipts are requested; false once the terminal has refused `E1`. */
export interface Paper {
  wanted: boolean;
}

export interface Carrier {
  readonly calls: Calls;
  readonly conversation: Conversation;
  readonly paper: Paper;
}

/** How a command was handed over. `never`: no byte of it was sent, or the terminal refused it each time (`refused`). */
export type HandedOver =
  | { readonly kind: 'sent'; readonly sign: 'heard' | 'silence' | 'mixed' }
  | { readonly kind: 'never'; readonly refused: boolean; readonly error: unknown }
  | { readonly kind: 'unknown'; readonly error: unknown };

/**
 * Runs one command, `[E1 →] command →`: `E1` precedes each command, because after each the terminal prints on its own paper again.
 * If the terminal closes the connection after its ACK to `E1`, the command is sent in a call of its own.
 * `talk` receives how the command was handed over; the command is sent once.
 * @throws LINK_REFUSED, LINK_CLOSED, TERMINAL_NOT_HEARD, the signal's reason: nothing of the command was sent; and what `talk` throws.
 */
export async function carryOut<T>(
  { calls, conversation, paper }: Carrier,
  request: Uint8Array,
  signal: AbortSignal,
  talk: (line: StxLine, handed: HandedOver) => Promise<Ended<T>>,
): Promise<T> {
  const over = async (line: StxLine): Promise<Ended<{ readonly value: T } | null>> => {
    conversation.note('sent', request);
    const handed = await handOver(line, request, signal);
    if (handed.kind === 'never' && hasCode(handed.error, 'LINK_CLOSED')) return HUNG_UP;
    const { value, clean } = await talk(line, handed);
    return { value: { value }, clean };
  };
  if (paper.wanted) {
    const first = await calls.call(signal, async (line) =>
      (await askForPaper(line, conversation, paper, signal)) ? over(line) : HUNG_UP,
    );
    if (first) return first.value;
  }
  const alone = await calls.call(signal, over);
  if (alone) return alone.value;
  throw new AppError('LINK_CLOSED', 'the terminal hung up before anything was sent to it', { retry: 'safe' });
}

/** The connection ended before a byte of the command was sent. */
const HUNG_UP = { value: null, clean: true } as const;

/** `E1`. A terminal that refuses it prints by itself. False: it has closed the connection. */
async function askForPaper(
  line: StxLine,
  conversation: Conversation,
  paper: Paper,
  signal: AbortSignal,
): Promise<boolean> {
  const request = printOnEcrRequest(conversation.address);
  conversation.note('sent', request);
  try {
    if ((await sendQuestion(line, request, signal)) === 'refused') paper.wanted = false;
    return true;
  } catch (error) {
    if (hasCode(error, 'TERMINAL_LINK_LOST') || hasCode(error, 'LINK_CLOSED')) return false;
    throw error;
  }
}

async function handOver(line: StxLine, request: Uint8Array, signal: AbortSignal): Promise<HandedOver> {
  let handed = false;
  try {
    const { sign } = await line.sendMoney(
      request,
      () => {
        handed = true;
      },
      signal,
    );
    return { kind: 'sent', sign };
  } catch (error) {
    const refused = hasCode(error, 'TERMINAL_NOT_HEARD');
    const never = !handed || refused || hasCode(error, 'LINK_CLOSED');
    return never ? { kind: 'never', refused, error } : { kind: 'unknown', error };
  }
}
