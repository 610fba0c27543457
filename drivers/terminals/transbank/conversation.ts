import {
  AppError,
  type DriverContext,
  frameRecorder,
  hasCode,
  type StxLine,
} from '../../../src/driver-kit/terminal.ts';
import { type Answer, endsList, readAnswer } from './answers.ts';
import { POLL } from './commands.ts';
import { decode } from './decode.ts';

/** A frame as it came, and what it says. */
export interface Heard {
  readonly data: Uint8Array;
  readonly answer: Answer;
}

/** How often a question is put again after something older had to be answered first. */
const ROUNDS = 4;
/** Fields that are not for a transcript: the account, and everything once more. */
const LEFT_OUT: ReadonlySet<string> = new Set(['account_number', 'fields']);

/**
 * What all dialogues of one conversation share: the line, the transcript, and the frame that was answered last.
 * Why: a terminal that missed our 06 says its frame again up to twice, 10 s apart, into whatever comes next. Such a repeat is answered
 * once more (what it says is on disk); any other frame out of the past is not, for nobody has stored what it says.
 */
export class Conversation {
  readonly line: StxLine;
  readonly context: DriverContext;
  #answered: string | undefined;

  constructor(line: StxLine, context: DriverContext) {
    this.line = line;
    this.context = context;
  }

  /**
   * Puts a question that moves no money; afterwards the terminal has acknowledged it, and every frame that comes answers it.
   * @throws TERMINAL_BUSY when the terminal is still in something older; TERMINAL_NOT_HEARD, LINK_CLOSED, LINK_LOST,
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
   * Waits until the terminal takes a poll: then it has said everything. A frame that it repeats 10 s later is waited for.
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
   * The next frame.
   * @throws TERMINAL_GARBLED for one that cannot be read; TERMINAL_NO_ANSWER, TERMINAL_LINK_LOST, or the signal's reason.
   */
  async next(patience: { readonly name: string; readonly ms: number }, signal: AbortSignal): Promise<Heard> {
    while (true) {
      const event = await this.line.receive(patience, signal);
      if (event.kind !== 'frame') continue;
      this.note('received', event.data);
      return { data: event.data, answer: readOrGarbled(event.data) };
    }
  }

  /** Acknowledges a frame: what it says is on disk, or is worth nothing. @throws LINK_CLOSED, LINK_LOST */
  async answer({ data }: Heard): Promise<void> {
    this.#answered = keyOf(data);
    await this.line.acknowledge();
  }

  /** Whether this frame is the one that was answered last, said once more. */
  isRepeat({ data }: Heard): boolean {
    return this.#answered === keyOf(data);
  }

  readonly note = (direction: 'sent' | 'received', data: Uint8Array): void => {
    const record = frameRecorder(this.context.transcript);
    try {
      const { name, fields } = decode(data, 'message', undefined);
      const shown = Object.entries(fields).filter(([key]) => !LEFT_OUT.has(key));
      record(direction, name, Object.fromEntries(shown));
    } catch {
      record(direction, 'unreadable', { bytes: data.length });
    }
  };

  /** Looks through what came unasked; true when something of it belongs to a payment that nobody here has stored. */
  async #leftovers(signal: AbortSignal): Promise<boolean> {
    let isOlder = false;
    for (let heard = await this.#waiting(signal); heard; heard = await this.#waiting(signal)) {
      if (this.isRepeat(heard) || isEmptyLine(heard)) await this.line.acknowledge();
      else isOlder = true;
    }
    return isOlder;
  }

  /** A frame that is there already. */
  async #waiting(signal: AbortSignal): Promise<Heard | undefined> {
    try {
      return await this.next({ name: 'leftover', ms: 0 }, signal);
    } catch (error) {
      if (hasCode(error, 'TERMINAL_NO_ANSWER') || hasCode(error, 'TERMINAL_GARBLED')) return undefined;
      throw error;
    }
  }
}

/** The end of a list, which newer terminals say twice. */
function isEmptyLine({ answer }: Heard): boolean {
  return answer.kind === 'line' && endsList(answer.told);
}

/** The terminal is busy with something that is not ours to answer. */
export function older(): AppError {
  return new AppError('TERMINAL_BUSY', 'the terminal is still in an older payment', { retry: 'safe' });
}

/** A result that is said again is the same by its function, its ticket or original, its operation number and its code. */
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
