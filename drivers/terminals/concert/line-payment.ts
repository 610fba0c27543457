import {
  AppError,
  type Clock,
  conclude,
  type Handed,
  hasCode,
  type MoneyCommand,
  messageOf,
  type Observer,
  type Outcome,
  unknownOutcome,
} from '../../../src/driver-kit/terminal.ts';
import type { Language, ReadResult } from './language.ts';
import type { Enquiry, TalkLine } from './talk-line.ts';
import { codeOf, NOT_READY, notStarted, readable } from './words.ts';

/** A terminal waits 3 s for our ACK to its answer; an ACK that may come later must not be sent at all. */
const ACKNOWLEDGE_WITHIN_MS = 2000;
/** How long it may take to end the dialogue (EOT); it repeats its answer three times before that, where our ACK is lost. */
const END_MS = 12_000;
/** How long the driver waits for a late answer. */
const LATE_MS = 5000;

export interface LinePayment {
  readonly line: TalkLine;
  readonly clock: Clock;
  readonly language: Language;
  readonly command: MoneyCommand;
  readonly observer: Observer;
  readonly customerMs: number;
}

/** Runs one payment: ENQ, frame and EOT →; then ENQ, its answer and EOT ←. Never throws. */
export async function payOnLine(payment: LinePayment, signal: AbortSignal): Promise<Outcome> {
  const sent = await send(payment, signal);
  if ('outcome' in sent) return sent.outcome;
  const answers = new Answers(payment);
  try {
    if (sent.sign === 'heard' && !payment.observer.accepted()) return answers.silenced('NOT_STORED');
    await payment.line.hangUp();
    return await answers.awaited(signal);
  } catch (error) {
    return answers.failed(error);
  }
}

/**
 * Takes a late answer of the terminal, when it is that of this very payment; null when none comes. That of another payment is
 * not acknowledged: its result is not on disk.
 * @throws the line's errors while nothing has been received
 */
export async function lateEndOnLine(payment: LinePayment, signal: AbortSignal): Promise<Outcome | null> {
  const data = await payment.line.frameOfCaller(LATE_MS, signal);
  if (!data) return null;
  const read = readOrNull(payment, data);
  if (read?.whose !== 'ours') return null;
  const answers = new Answers(payment);
  try {
    return await answers.taken(read, signal);
  } catch (error) {
    return answers.failed(error);
  }
}

/** Sends the payment once. Only here an error can prove that nothing began: no byte of its frame was sent, or each was refused. */
async function send(
  payment: LinePayment,
  signal: AbortSignal,
): Promise<Handed | { readonly outcome: Outcome }> {
  const { line, language, command } = payment;
  let handed = false;
  let enquiry: Enquiry = 'silent';
  try {
    const frame = language.money(command);
    enquiry = await line.enquire(signal);
    if (enquiry !== 'open') return { outcome: notStarted(...NOT_READY[enquiry]) };
    return await line.sendMoney(
      frame,
      () => {
        handed = true;
      },
      signal,
    );
  } catch (error) {
    // The terminal acknowledged our ENQ, and no frame follows.
    if (enquiry === 'open') await line.hangUp().catch(() => undefined);
    const never = !handed || hasCode(error, 'LINK_CLOSED') || hasCode(error, 'TERMINAL_NOT_HEARD');
    const [code, message] = [codeOf(error), messageOf(error)];
    return { outcome: never ? notStarted(code, message) : unknownOutcome(code, message) };
  }
}

/**
 * The dialogue after a payment was sent.
 *
 * INVARIANTS:
 * - an answer is on disk before it is acknowledged; one that names another payment is not acknowledged;
 * - nothing is approved before the terminal has ended the dialogue (EOT) after our acknowledgement;
 * - the last answer counts.
 */
class Answers {
  readonly #payment: LinePayment;
  #last: ReadResult | undefined;

  constructor(payment: LinePayment) {
    this.#payment = payment;
  }

  async awaited(signal: AbortSignal): Promise<Outcome> {
    const { line, clock, customerMs } = this.#payment;
    const until = clock.monotonic() + customerMs;
    while (true) {
      const left = Math.max(0, until - clock.monotonic());
      const read = this.#read(await line.frame('customer', left, signal));
      if (read === null) await line.acknowledge();
      else if (read.whose !== 'anothers') return await this.taken(read, signal);
    }
  }

  /** Stores an answer, acknowledges it, and waits for the terminal's EOT. */
  async taken(read: ReadResult, signal: AbortSignal): Promise<Outcome> {
    const { line, clock, observer } = this.#payment;
    const cameAt = clock.monotonic();
    this.#last = read;
    if (!observer.beforeAcknowledge(read.report)) return this.silenced('NOT_STORED');
    // It may be the answer to an older payment, which must not be acknowledged here.
    if (read.isStrange && read.whose !== 'ours') return this.silenced('TERMINAL_RESULT_UNCLEAR');
    if (clock.monotonic() - cameAt > ACKNOWLEDGE_WITHIN_MS) return this.silenced('ACKNOWLEDGED_TOO_LATE');
    await line.acknowledge();
    return this.#ended(read, signal);
  }

  unknown(code: string, message: string): Outcome {
    return unknownOutcome(code, message, this.#last?.report);
  }

  /** After the frame the terminal may have charged the customer, whatever the error. An internal error is not answered. */
  failed(error: unknown): Outcome {
    if (!(error instanceof AppError)) this.#payment.line.mute();
    return this.unknown(codeOf(error), messageOf(error));
  }

  /** Falls silent: an answer now would commit a result that is not on disk, or not ours. */
  silenced(code: 'NOT_STORED' | 'ACKNOWLEDGED_TOO_LATE' | 'TERMINAL_RESULT_UNCLEAR'): Outcome {
    this.#payment.line.mute();
    const words =
      code === 'TERMINAL_RESULT_UNCLEAR' ? (this.#last?.words ?? '') : 'the terminal was not answered';
    return this.unknown(code, words);
  }

  async #ended(read: ReadResult, signal: AbortSignal): Promise<Outcome> {
    const behind = await this.#payment.line.behind(END_MS, signal);
    if (behind instanceof Uint8Array) {
      const again = this.#read(behind);
      if (again === null || again.whose === 'anothers')
        return this.#concluded(read, 'it said something else');
      return this.taken(again, signal);
    }
    return this.#concluded(read, behind === 'over' ? null : 'it did not hang up');
  }

  /** `wrong`: why the terminal may not have received our acknowledgement. */
  #concluded(read: ReadResult, wrong: string | null): Outcome {
    const { command, observer } = this.#payment;
    const outcome =
      read.report.verdict === 'unclear'
        ? this.unknown('TERMINAL_RESULT_UNCLEAR', read.words)
        : conclude(
            read.report,
            { kind: wrong === null ? 'completed' : 'unclear', message: wrong ?? read.words },
            read.receipts,
            command.kind,
          );
    return observer.beforeEnd(outcome) ? outcome : this.silenced('NOT_STORED');
  }

  /** @throws TERMINAL_GARBLED for a frame that cannot be read: it is not answered, and the line falls silent. */
  #read(data: Uint8Array): ReadResult | null {
    const { language, command, line } = this.#payment;
    try {
      return readable(() => language.read(data, command));
    } catch (error) {
      line.mute();
      throw error;
    }
  }
}

function readOrNull({ language, command }: LinePayment, data: Uint8Array): ReadResult | null {
  try {
    return language.read(data, command);
  } catch {
    return null;
  }
}
