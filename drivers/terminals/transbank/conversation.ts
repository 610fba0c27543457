import {
  AppError,
  type DriverContext,
  hasCode,
  type MessageRecorder,
  messageRecorder,
  type StxLine,
} from '../../../src/driver-kit/terminal.ts';
import { type Answer, endsList, readAnswer } from './answers.ts';
import { POLL } from './commands.ts';
import { decode } from './decode.ts';

/** A frame and its content. */
export interface Heard {
  readonly data: Uint8Array;
  readonly answer: Answer;
}

/** How often a question is repeated after an older frame had to be answered first. */
const ROUNDS = 4;
/** A terminal sends the next frame right behind our acknowledgement of the one before. */
const QUIET_MS = 500;
/** Fields that are left out of the transcript: the account, and the list of all fields. */
const LEFT_OUT: ReadonlySet<string> = new Set(['account_number', 'fields']);

/**
 * The common part of all dialogues of one conversation: the line, the transcript, and the last answered frame.
 * Why: a terminal that missed our 06 repeats its frame up to twice, 10 s apart, in the middle of the next dialogue. Such a repeat is
 * acknowledged again (its content is on disk); any other older frame is not, because its content was not stored.
 */
export class Conversation {
  readonly line: StxLine;
  readonly context: DriverContext;
  readonly note: MessageRecorder;
  #answered: string | undefined;

  constructor(line: StxLine, context: DriverContext) {
    this.line = line;
    this.context = context;
    this.note = messageRecorder(context.transcript, (data) => {
      const { name, fields } = decode(data, 'message', undefined);
      const shown = Object.entries(fields).filter(([key]) => !LEFT_OUT.has(key));
      return { name, fields: Object.fromEntries(shown) };
    });
  }

  /**
   * Sends a question that moves no money; afterwards the terminal has acknowledged it, and every further frame answers it.
   * @throws TERMINAL_BUSY when the terminal still runs an older dialogue; TERMINAL_NOT_HEARD, LINK_CLOSED, LINK_LOST,
   * TERMINAL_LINK_LOST, or the signal's reason.
   */
  async ask(question: Uint8Array, signal: AbortSignal): Promise<void> {
    for (let round = 0; round < ROUNDS; round += 1) {
      if (await this.#leftovers(signal)) throw older();
      this.note('sent', question);
      const by = await this.line.send(question, signal);
      if (by === 'acknowledged') return;
      if (by === 'answered' && (await this.#leftovers(signal))) throw older();
    }
    throw new AppError('TERMINAL_GARBLED', 'the terminal acknowledges nothing, and says something else', {
      retry: 'safe',
    });
  }

  /**
   * Waits until the terminal acknowledges a poll: then no frame is pending. A frame that it repeats 10 s later is awaited.
   * @throws as {@link ask}
   */
  async settle(signal: AbortSignal): Promise<void> {
    try {
      await this.ask(POLL, signal);
    } catch (error) {
      if (!hasCode(error, 'TERMINAL_NOT_HEARD')) throw error;
      await this.ask(POLL, signal);
    }
  }

  /**
   * Acknowledges what still comes of lists that were asked for before, until nothing comes any more.
   * @throws TERMINAL_BUSY when the terminal still runs an older dialogue; LINK_CLOSED, TERMINAL_LINK_LOST, or the signal's reason.
   */
  async quiet(signal: AbortSignal): Promise<void> {
    for (
      let heard = await this.#waiting(signal, QUIET_MS);
      heard;
      heard = await this.#waiting(signal, QUIET_MS)
    ) {
      if (!this.isRepeat(heard) && heard.answer.kind !== 'line') throw older();
      await this.line.acknowledge();
    }
  }

  /**
   * The next frame.
   * @throws TERMINAL_GARBLED for one that cannot be read; TERMINAL_NO_ANSWER, TERMINAL_LINK_LOST, or the signal's reason.
   */
  async next(timeLimit: { readonly name: string; readonly ms: number }, signal: AbortSignal): Promise<Heard> {
    while (true) {
      const event = await this.line.receive(timeLimit, signal);
      if (event.kind !== 'frame') continue;
      this.note('received', event.data);
      return { data: event.data, answer: readOrGarbled(event.data) };
    }
  }

  /** Acknowledges a frame: its content is on disk, or needs no storing. @throws LINK_CLOSED, LINK_LOST */
  async answer({ data }: Heard): Promise<void> {
    this.#answered = keyOf(data);
    await this.line.acknowledge();
  }

  /** Whether this frame repeats the last answered one. */
  isRepeat({ data }: Heard): boolean {
    return this.#answered === keyOf(data);
  }

  /** Reads the unsolicited frames; true when one belongs to a payment whose result was not stored. */
  async #leftovers(signal: AbortSignal): Promise<boolean> {
    let isOlder = false;
    for (let heard = await this.#waiting(signal); heard; heard = await this.#waiting(signal)) {
      if (this.isRepeat(heard) || isEmptyLine(heard)) await this.line.acknowledge();
      else isOlder = true;
    }
    return isOlder;
  }

  /** A frame that has already arrived, or does within `ms`. */
  async #waiting(signal: AbortSignal, ms = 0): Promise<Heard | undefined> {
    try {
      return await this.next({ name: 'leftover', ms }, signal);
    } catch (error) {
      if (hasCode(error, 'TERMINAL_NO_ANSWER') || hasCode(error, 'TERMINAL_GARBLED')) return undefined;
      throw error;
    }
  }
}

/** The end of a list, which newer terminals send twice. */
function isEmptyLine({ answer }: Heard): boolean {
  return answer.kind === 'line' && endsList(answer.fields);
}

/** The terminal runs a dialogue that is not ours to acknowledge. */
export function older(): AppError {
  return new AppError('TERMINAL_BUSY', 'the terminal is still in an older payment', { retry: 'safe' });
}

/** A repeated result has the same function, ticket or original, operation number and code. */
function keyOf(data: Uint8Array): string {
  const text = new TextDecoder('latin1').decode(data);
  const values = text.split('|');
  return values[0] === '0210' ? [0, 1, 4, 10].map((index) => values[index] ?? '').join('|') : text;
}

function readOrGarbled(data: Uint8Array): Answer {
  try {
    return readAnswer(data);
  } catch (cause) {
    if (!hasCode(cause, 'DECODE_MALFORMED')) throw cause;
    throw new AppError('TERMINAL_GARBLED', `the terminal's answer cannot be read: ${cause.message}`, {
      retry: 'safe',
      cause,
    });
  }
}
