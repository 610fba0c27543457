import {
  AppError,
  type DriverContext,
  hasCode,
  type MessageRecorder,
  messageRecorder,
  NAK,
  type StxLine,
  type TimeLimit,
} from '../../../src/driver-kit/terminal.ts';
import { ANY_TERMINAL, type Answer, readAnswer } from './answers.ts';
import type { Calls } from './calls.ts';
import { decodeMessage } from './decode-message.ts';
import { isOutcome } from './report.ts';
import type { Address } from './requests.ts';
import type { Settings } from './settings.ts';

/** A question fails after this many answers that are unreadable or of another terminal: the terminal repeats three times. */
const MOST_UNREADABLE = 3;

interface Parts {
  readonly calls: Calls;
  readonly context: DriverContext;
  readonly settings: Settings;
}

/**
 * The common part of all exchanges with one terminal: its identity, its questions and the transcript.
 *
 * INVARIANTS:
 * - once the terminal has reported its id, it is addressed by that id and answers with another id are refused: a replaced terminal
 *   refuses a payment that was meant for the one before;
 * - a question never acknowledges a result that it did not ask for.
 */
export class Conversation {
  /** Adds a message to the transcript; the text of receipts is stored as a receipt only. */
  readonly note: MessageRecorder;
  readonly #parts: Parts;
  #terminalId: string;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#terminalId = parts.settings.terminalId;
    this.note = messageRecorder(parts.context.transcript, (data, direction) => {
      const { name, fields } = decodeMessage(data, direction === 'received', 0);
      const { receipt: _receipt, ...rest } = fields;
      return { name, fields: rest };
    });
  }

  get address(): Address {
    return { terminalId: this.#terminalId, cashRegisterId: this.#parts.settings.cashRegisterId };
  }

  /** From its first answer on the conversation is bound to this terminal. */
  learn({ terminalId }: Answer): void {
    if (this.#terminalId === ANY_TERMINAL) this.#terminalId = terminalId;
  }

  /**
   * Sends a question that moves no money, in a call of its own; null: the terminal does not know the question (NAK).
   * @throws TERMINAL_NOT_HEARD, TERMINAL_NO_ANSWER, TERMINAL_LINK_LOST, TERMINAL_GARBLED, TERMINAL_BUSY, LINK_REFUSED, LINK_CLOSED
   */
  ask(
    request: Uint8Array,
    wants: (answer: Answer) => boolean,
    timeLimit: TimeLimit,
    signal: AbortSignal,
  ): Promise<Answer | null> {
    return this.#parts.calls.call(signal, async (line) => {
      const value = await this.askOver(line, request, wants, timeLimit, signal);
      return { value, clean: true };
    });
  }

  /** As {@link ask}, within a running call. */
  async askOver(
    line: StxLine,
    request: Uint8Array,
    wants: (answer: Answer) => boolean,
    timeLimit: TimeLimit,
    signal: AbortSignal,
  ): Promise<Answer | null> {
    for (let asked = 1; ; asked += 1) {
      this.note('sent', request);
      const heard = await sendQuestion(line, request, signal);
      if (heard === 'refused') return null;
      try {
        return await this.#answerOver(line, wants, timeLimit, signal);
      } catch (error) {
        // Among noise a NAK may be a damaged ACK; a repeated question does no harm.
        if (heard !== 'mixed' || asked > 1 || !hasCode(error, 'TERMINAL_NO_ANSWER')) throw error;
      }
    }
  }

  /**
   * An answer of this terminal; null after it was refused with NAK, because it is unreadable or of another terminal: the terminal then
   * repeats it.
   */
  async read(line: StxLine, data: Uint8Array): Promise<Answer | null> {
    this.note('received', data);
    const answer = readOrNull(data);
    if (answer && this.#isOurs(answer)) return answer;
    await line.say(NAK);
    return null;
  }

  async #answerOver(
    line: StxLine,
    wants: (answer: Answer) => boolean,
    timeLimit: TimeLimit,
    signal: AbortSignal,
  ): Promise<Answer> {
    for (let unreadable = 0; unreadable < MOST_UNREADABLE; ) {
      const event = await line.receive(timeLimit, signal);
      if (event.kind !== 'frame') continue;
      const answer = await this.read(line, event.data);
      if (answer === null) unreadable += 1;
      else if (wants(answer)) {
        await line.acknowledge();
        return answer;
      } else if (isOutcome(answer)) throw olderCommand();
      else await line.acknowledge();
    }
    throw new AppError('TERMINAL_GARBLED', this.#garbled(), { retry: 'safe' });
  }

  #isOurs({ terminalId }: Answer): boolean {
    return this.#terminalId === ANY_TERMINAL || [ANY_TERMINAL, this.#terminalId].includes(terminalId);
  }

  #garbled(): string {
    const whose = this.#terminalId === ANY_TERMINAL ? '' : `, or is not of terminal ${this.#terminalId}`;
    return `what the terminal answers cannot be read${whose}`;
  }
}

/**
 * Sends a message that moves no money, and returns how it was acknowledged. `refused`: a NAK each time, so the terminal does not
 * know it.
 * @throws TERMINAL_NOT_HEARD, TERMINAL_LINK_LOST, LINK_CLOSED
 */
export async function sendQuestion(line: StxLine, request: Uint8Array, signal: AbortSignal) {
  try {
    return await line.send(request, signal);
  } catch (error) {
    if (hasCode(error, 'TERMINAL_NOT_HEARD') && error.context['naks'] === SENDS) return 'refused';
    throw error;
  }
}

/** A frame is sent three times in all. */
const SENDS = 3;

function readOrNull(data: Uint8Array): Answer | null {
  try {
    return readAnswer(data);
  } catch (error) {
    if (hasCode(error, 'DECODE_MALFORMED')) return null;
    throw error;
  }
}

function olderCommand(): AppError {
  return new AppError('TERMINAL_BUSY', 'the terminal is still in an older payment or end of day', {
    retry: 'safe',
  });
}
