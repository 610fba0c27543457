import {
  AppError,
  conclude,
  hasCode,
  type MoneyCommand,
  messageOf,
  type Observer,
  type Outcome,
  type TransactionReport,
} from '../../../src/driver-kit/terminal.ts';
import type { Answer } from './answers.ts';
import type { Conversation, Heard } from './conversation.ts';
import { progressWords, resultWords } from './result-codes.ts';

/** A money dialogue: one frame is sent, 0900 frames come in between, one result ends it. */
export interface Payment {
  readonly conversation: Conversation;
  readonly kind: MoneyCommand['kind'];
  readonly frame: Uint8Array;
  /** The report of our result; `foreign`: the result of another payment; null: not a result. */
  readonly read: (answer: Answer) => TransactionReport | 'foreign' | null;
  readonly observer: Observer;
  /** Longest silence of the terminal. */
  readonly silenceMs: number;
}

/** Runs a money dialogue to its end. Never throws. */
export async function pay(payment: Payment, signal: AbortSignal): Promise<Outcome> {
  const dialogue = new Dialogue(payment);
  const refusal = await dialogue.hand(signal);
  if (refusal) return refusal;
  try {
    return await dialogue.run(signal);
  } catch (error) {
    // After this point the terminal may have charged the customer, whatever the error.
    return dialogue.unknown(codeOf(error), messageOf(error));
  }
}

/** Nothing was sent, so no charge or refund is possible. */
export function notStarted(code: string, message: string): Outcome {
  return { kind: 'not_started', code, message };
}

/** The code of a thrown error. */
export function codeOf(error: unknown): string {
  return error instanceof AppError ? error.code : 'DRIVER_FAILED';
}

/**
 * INVARIANTS:
 * - the frame is repeated on a lone NAK only (`StxLine.sendMoney`), and three NAKs are not a proof: the terminal also sends NAK
 *   while it works on the first one;
 * - our result is on disk before it is acknowledged; a result of another payment is never acknowledged;
 * - the acknowledgement was handed over before the core learns that the dialogue is over.
 */
class Dialogue {
  readonly #payment: Payment;
  #isAccepted = false;
  #last: TransactionReport | undefined;
  #foreign = false;

  constructor(payment: Payment) {
    this.#payment = payment;
  }

  /** Writes the frame; returns an outcome if the dialogue ends here. Only here an error can prove that nothing began: no byte was sent. */
  async hand(signal: AbortSignal): Promise<Outcome | null> {
    const { conversation, frame } = this.#payment;
    let isHanded = false;
    try {
      const onHanded = () => {
        isHanded = true;
        conversation.note('sent', frame);
      };
      const { sign } = await conversation.line.sendMoney(frame, onHanded, signal);
      if (sign === 'heard' && !this.#accept()) return this.#silenced();
      return null;
    } catch (error) {
      if (hasCode(error, 'TERMINAL_NOT_HEARD')) return null;
      const [code, message] = [codeOf(error), messageOf(error)];
      if (!isHanded || hasCode(error, 'LINK_CLOSED'))
        return notStarted(code, `${message}. Nothing was sent to the terminal, no money was moved.`);
      return this.unknown(code, message);
    }
  }

  async run(signal: AbortSignal): Promise<Outcome> {
    const { conversation, silenceMs, read } = this.#payment;
    while (true) {
      const heard = await conversation.next({ name: 'customer', ms: silenceMs }, signal);
      const report = read(heard.answer);
      if (report !== null && report !== 'foreign') return this.#result(heard, report);
      const outcome = await this.#pass(heard, report === 'foreign');
      if (outcome) return outcome;
    }
  }

  unknown(code: string, message: string): Outcome {
    const isOther = this.#foreign && !this.#last && code === 'TERMINAL_NO_ANSWER';
    return {
      kind: 'unknown',
      code: isOther ? 'TERMINAL_CONTRADICTION' : code,
      message: isOther
        ? 'the terminal reported the result of another payment, and none of this one'
        : message,
      ...(this.#last ? { lastReport: this.#last } : {}),
    };
  }

  /** Handles a frame that is not our result: progress, a repeat of an answered frame, an older result. */
  async #pass(heard: Heard, isForeign: boolean): Promise<Outcome | null> {
    const { conversation, observer } = this.#payment;
    if (heard.answer.kind === 'progress') {
      if (!this.#accept()) return this.#silenced();
      observer.progress(progressWords(heard.answer.code));
      await conversation.answer(heard);
    } else if (conversation.isRepeat(heard)) await conversation.answer(heard);
    else this.#foreign ||= isForeign;
    return null;
  }

  async #result(heard: Heard, report: TransactionReport): Promise<Outcome> {
    const { conversation, observer, kind } = this.#payment;
    this.#last = report;
    const outcome = this.#concluded(report, kind);
    if (!this.#accept() || !observer.beforeAcknowledge(report, outcome)) return this.#silenced();
    // A lost 06 changes nothing: the terminal repeats its result, and its list keeps it.
    await conversation.answer(heard).catch(() => undefined);
    return outcome;
  }

  #concluded(report: TransactionReport, kind: MoneyCommand['kind']): Outcome {
    if (report.verdict === 'unclear' && report.responseCode === '00')
      return this.unknown(
        'TERMINAL_CONTRADICTION',
        `the terminal says "approved", but what it says of this ${kind} does not fit`,
      );
    const message = resultWords(report.responseCode ?? '');
    if (report.verdict === 'unclear') return this.unknown('TERMINAL_RESULT_UNCLEAR', message);
    return conclude(report, { kind: 'completed', message }, {}, kind === 'void' ? 'void' : 'sale');
  }

  /** The terminal works on it; true when the core has stored that. */
  #accept(): boolean {
    if (this.#isAccepted) return true;
    this.#isAccepted = this.#payment.observer.accepted();
    return this.#isAccepted;
  }

  /** The core could not store: nothing more is sent. */
  #silenced(): Outcome {
    this.#payment.conversation.line.mute();
    return this.unknown('NOT_STORED', 'the terminal was not answered');
  }
}
