import {
  AppError,
  type DriverContext,
  frameRecorder,
  hasCode,
  NAK,
  type Patience,
  type StxLine,
} from '../../../src/driver-kit/terminal.ts';
import { ANY_TERMINAL, type Answer, readAnswer } from './answers.ts';
import type { Calls } from './calls.ts';
import { decodeMessage } from './decode-message.ts';
import { isResult } from './report.ts';
import type { Address } from './requests.ts';
import type { Settings } from './settings.ts';

/** Answers that nobody can read, or of another terminal, before a question gives up: the terminal repeats three times. */
const MOST_UNREADABLE = 3;

interface Parts {
  readonly calls: Calls;
  readonly context: DriverContext;
  readonly settings: Settings;
}

/**
 * What all exchanges with one terminal have in common: who it is, how a question is asked, what goes into the transcript.
 *
 * INVARIANTS:
 * - once the terminal has said who it is, it is called by that id and answers of another are refused: a terminal that was exchanged
 *   meanwhile refuses a payment that was meant for the one before;
 * - a result that nobody asked for is never acknowledged by a question.
 */
export class Conversation {
  readonly #parts: Parts;
  #terminalId: string;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#terminalId = parts.settings.terminalId;
  }

  get address(): Address {
    return { terminalId: this.#terminalId, cashRegisterId: this.#parts.settings.cashRegisterId };
  }

  /** From its first answer on it is this terminal. */
  learn({ terminalId }: Answer): void {
    if (this.#terminalId === ANY_TERMINAL) this.#terminalId = terminalId;
  }

  /**
   * Asks something that moves no money, in a call of its own; null: the terminal does not know the question (NAK).
   * @throws TERMINAL_NOT_HEARD, TERMINAL_NO_ANSWER, TERMINAL_LINK_LOST, TERMINAL_GARBLED, TERMINAL_BUSY, LINK_REFUSED, LINK_CLOSED
   */
  ask(
    request: Uint8Array,
    wants: (answer: Answer) => boolean,
    patience: Patience,
    signal: AbortSignal,
  ): Promise<Answer | null> {
    return this.#parts.calls.call(signal, async (line) => {
      const value = await this.askOver(line, request, wants, patience, signal);
      return { value, clean: true };
    });
  }

  /** As {@link ask}, within a call that runs. */
  async askOver(
    line: StxLine,
    request: Uint8Array,
    wants: (answer: Answer) => boolean,
    patience: Patience,
    signal: AbortSignal,
  ): Promise<Answer | null> {
    for (let asked = 1; ; asked += 1) {
      this.note('sent', request);
      const heard = await sendQuestion(line, request, signal);
      if (heard === 'refused') return null;
      try {
        return await this.#answerOver(line, wants, patience, signal);
      } catch (error) {
        // Among noise a NAK cannot be told from an ACK; nobody is harmed if a question comes twice.
        if (heard !== 'mixed' || asked > 1 || !hasCode(error, 'TERMINAL_NO_ANSWER')) throw error;
      }
    }
  }

  /**
   * An answer of this terminal; null after it was refused with NAK, because it cannot be read or is of another terminal: the terminal
   * says it again then.
   */
  async read(line: StxLine, data: Uint8Array): Promise<Answer | null> {
    this.note('received', data);
    const answer = readOrNull(data);
    if (answer && this.#isOurs(answer)) return answer;
    await line.say(NAK);
    return null;
  }

  /** Notes a message in the transcript; what receipts say is kept as a receipt only. */
  note(direction: 'sent' | 'received', data: Uint8Array): void {
    const record = frameRecorder(this.#parts.context.transcript);
    try {
      const { name, fields } = decodeMessage(data, direction === 'received', 0);
      const { receipt: _receipt, ...rest } = fields;
      record(direction, name, rest);
    } catch {
      record(direction, 'unreadable', { bytes: data.length });
    }
  }

  async #answerOver(
    line: StxLine,
    wants: (answer: Answer) => boolean,
    patience: Patience,
    signal: AbortSignal,
  ): Promise<Answer> {
    for (let unreadable = 0; unreadable < MOST_UNREADABLE; ) {
      const event = await line.receive(patience, signal);
      if (event.kind !== 'frame') continue;
      const answer = await this.read(line, event.data);
      if (answer === null) unreadable += 1;
      else if (wants(answer)) {
        await line.acknowledge();
        return answer;
      } else if (isResult(answer)) throw olderPayment();
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
 * Sends something that moves no money, and says by what it was heard. `refused`: by a NAK each time, so that the terminal does not
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

function olderPayment(): AppError {
  return new AppError('TERMINAL_BUSY', 'the terminal is still in an older payment', { retry: 'safe' });
}
