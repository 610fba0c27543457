import {
  AppError,
  type Clock,
  type Currency,
  conclude,
  type Handed,
  hasCode,
  type MoneyCommand,
  messageOf,
  numericCodeOf,
  type Observer,
  type Outcome,
  type TransactionReport,
} from '../../../src/driver-kit/terminal.ts';
import type { Line } from './line.ts';
import { type Answer, readAnswer, sale } from './messages.ts';
import { reportOf } from './report.ts';
import { codes } from './result-codes.ts';
import { MOST_MINOR } from './settings.ts';

/** The terminal waits 6 s for our 06 to its result; an acknowledgement that may come later must not be sent at all. */
const ACKNOWLEDGE_WITHIN_MS = 4000;

interface Payment {
  readonly line: Line;
  readonly clock: Clock;
  readonly command: MoneyCommand;
  /** The terminal's only currency. */
  readonly currency: Currency;
  readonly observer: Observer;
  readonly customerMs: number;
  readonly note: (direction: 'sent' | 'received', data: Uint8Array) => void;
}

/** Runs one sale: `S` →, `R` ←, 06 →, `E` ←, 06 →. Never throws. */
export async function pay(payment: Payment, signal: AbortSignal): Promise<Outcome> {
  const sent = await send(payment, signal);
  if ('outcome' in sent) return sent.outcome;
  const dialogue = new Dialogue(payment);
  try {
    if (sent.sign === 'heard' && !payment.observer.accepted()) return dialogue.silenced('NOT_STORED');
    return await dialogue.run(sent.writes === 1, signal);
  } catch (error) {
    // After this point the terminal may have charged the customer, whatever the error.
    return dialogue.unknown(codeOf(error), messageOf(error));
  }
}

/** Sends the sale once. Only here an error can prove that nothing began: no byte was sent, or each frame was refused as damaged. */
async function send(payment: Payment, signal: AbortSignal): Promise<Handed | { readonly outcome: Outcome }> {
  const { line, command, currency, note } = payment;
  let handed = false;
  try {
    const data = frameOf(command, currency);
    return await line.sendMoney(
      data,
      () => {
        handed = true;
        note('sent', data);
      },
      signal,
    );
  } catch (error) {
    const never = !handed || hasCode(error, 'LINK_CLOSED') || hasCode(error, 'TERMINAL_NOT_HEARD');
    const [code, message] = [codeOf(error), messageOf(error)];
    return { outcome: never ? notStarted(code, message) : { kind: 'unknown', code, message } };
  }
}

/** @throws TERMINAL_CANNOT for a command that the protocol does not have */
function frameOf(command: MoneyCommand, currency: Currency): Uint8Array {
  const { minor } = command.amount;
  if (command.kind !== 'sale') throw cannot('this terminal can sell only');
  if (command.amount.currency !== currency) throw cannot('this terminal has another currency');
  if (minor < 1 || minor > MOST_MINOR) throw cannot('this terminal cannot take that amount');
  return sale(minor, numericCodeOf(currency));
}

/**
 * The dialogue after a sale was sent.
 *
 * INVARIANTS:
 * - a result is on disk before it is acknowledged, and so is the end;
 * - the last result counts; without an end no result is final.
 */
class Dialogue {
  readonly #payment: Payment;
  #last: TransactionReport | undefined;

  constructor(payment: Payment) {
    this.#payment = payment;
  }

  /** `once`: the terminal cannot have received the sale twice, so that "busy" refers to another sale. */
  async run(once: boolean, signal: AbortSignal): Promise<Outcome> {
    const { line, customerMs, note } = this.#payment;
    while (true) {
      const event = await line.receive({ name: 'customer', ms: customerMs }, signal);
      if (event.kind !== 'frame') continue;
      note('received', event.data);
      const outcome = await this.#take(readAnswer(event.data), once);
      if (outcome) return outcome;
    }
  }

  unknown(code: string, message: string): Outcome {
    return { kind: 'unknown', code, message, ...(this.#last ? { lastReport: this.#last } : {}) };
  }

  /** Falls silent: an answer now would commit a result that is not on disk, or would come after the terminal's timeout. */
  silenced(code: 'NOT_STORED' | 'ACKNOWLEDGED_TOO_LATE'): Outcome {
    this.#payment.line.mute();
    return this.unknown(code, 'the terminal was not answered');
  }

  async #take(answer: Answer, once: boolean): Promise<Outcome | undefined> {
    const { line } = this.#payment;
    switch (answer.kind) {
      case 'result':
        return this.#result(reportOf(answer.fields, 'sale'));
      case 'end':
        return this.#end(answer.code);
      case 'busy':
        await line.acknowledge();
        if (once && !this.#last) return notStarted('TERMINAL_BUSY', 'the terminal is busy: nothing began');
        return this.unknown('TERMINAL_BUSY', 'the terminal is busy, and maybe with this very sale');
      default:
        // An answer to an older question; it is acknowledged so that the terminal stops repeating it.
        await line.acknowledge();
        return undefined;
    }
  }

  async #result(report: TransactionReport): Promise<Outcome | undefined> {
    const { line, clock, observer } = this.#payment;
    const cameAt = clock.monotonic();
    this.#last = report;
    if (!observer.beforeAcknowledge(report)) return this.silenced('NOT_STORED');
    if (clock.monotonic() - cameAt > ACKNOWLEDGE_WITHIN_MS) return this.silenced('ACKNOWLEDGED_TOO_LATE');
    await line.acknowledge();
    return undefined;
  }

  /** A bad end contradicts the approval before it; neither counts alone. */
  async #end(code: string): Promise<Outcome> {
    const { line, observer } = this.#payment;
    const kind = code === '00' ? 'completed' : 'unclear';
    const outcome = conclude(this.#last, { kind, responseCode: code, message: codes.wordsOf(code) }, {});
    if (!observer.beforeEnd(outcome)) return this.silenced('NOT_STORED');
    await line.acknowledge().catch(() => undefined);
    return outcome;
  }
}

function notStarted(code: string, message: string): Outcome {
  return { kind: 'not_started', code, message: `${message}. The customer was not charged.` };
}

function cannot(why: string): AppError {
  return new AppError('TERMINAL_CANNOT', `${why}: nothing was sent to it`);
}

function codeOf(error: unknown): string {
  return error instanceof AppError ? error.code : 'DRIVER_FAILED';
}
