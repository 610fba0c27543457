import {
  AppError,
  conclude,
  type MoneyCommand,
  messageOf,
  type Observer,
  type Outcome,
  type StxLine,
  type TransactionReport,
} from '../../../src/driver-kit/terminal.ts';
import type { Answer } from './answers.ts';
import type { Procedure } from './procedure.ts';
import { isResult, reportOf } from './report.ts';
import { resultWords } from './result-codes.ts';

interface Parts {
  readonly line: StxLine;
  readonly procedure: Procedure;
  readonly command: MoneyCommand;
  readonly observer: Observer;
  readonly lastTold: string | undefined;
}

/**
 * What comes behind a money command that was sent.
 *
 * The result ends the payment: no message of the terminal says that our ACK arrived, and nothing is published that takes an approval
 * back for want of it. So an approval counts as soon as it is on disk; receipts are taken behind it.
 *
 * INVARIANTS:
 * - a result is on disk before it is acknowledged; after the core said no, nothing is written any more;
 * - a result that the terminal had told before this payment is an older one and is not answered;
 * - without a result nothing is final.
 */
export class MoneyDialogue {
  readonly #parts: Parts;
  #last: TransactionReport | undefined;
  #isAlive = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** `isHeard`: the terminal took the command. Never throws. */
  async run(isHeard: boolean, signal: AbortSignal): Promise<Outcome> {
    try {
      if (isHeard) this.#alive();
      const { procedure } = this.#parts;
      const result = await procedure.result(
        (answer) => this.#isOurs(answer),
        () => this.#alive(),
        signal,
      );
      return await this.#conclude(result, signal);
    } catch (error) {
      if (error === NOT_STORED) return this.#silenced();
      // Whatever goes wrong from here on, the terminal may have charged the customer.
      return this.#unknown(error instanceof AppError ? error.code : 'DRIVER_FAILED', messageOf(error));
    }
  }

  async #conclude(result: Answer, signal: AbortSignal): Promise<Outcome> {
    const { line, procedure, observer, command } = this.#parts;
    const report = this.#take(result);
    // An ACK that does not arrive changes nothing: the terminal says its result again, or has kept it.
    await line.acknowledge().catch(() => undefined);
    let another = false;
    const isSame = (answer: Answer) => {
      if (isResult(answer)) this.#take(answer);
      another ||= isResult(answer) && answer.text !== result.text;
      return !another;
    };
    await procedure.rest(isSame, signal);
    if (another)
      return this.#unknown('TERMINAL_CONTRADICTION', 'the terminal told two results of one payment');
    const end = { kind: 'completed', message: resultWords(report.responseCode ?? '') } as const;
    const outcome = conclude(report, end, procedure.receipts, command.kind);
    if (!observer.beforeEnd(outcome)) throw NOT_STORED;
    return outcome;
  }

  /** A result is on disk behind this. */
  #take(result: Answer): TransactionReport {
    const { command, observer } = this.#parts;
    const report = { ...reportOf(result, command.kind), ...originalOf(command) };
    this.#last = report;
    if (!observer.beforeAcknowledge(report)) throw NOT_STORED;
    return report;
  }

  /** A result without an ACK in front says, too, that the command was taken. */
  #alive(): void {
    if (this.#isAlive) return;
    this.#isAlive = true;
    if (!this.#parts.observer.accepted()) throw NOT_STORED;
  }

  #isOurs(answer: Answer): boolean {
    const codes = ['E', 'V'];
    return codes.includes(answer.code) && answer.text !== this.#parts.lastTold;
  }

  #unknown(code: string, message: string): Outcome {
    return { kind: 'unknown', code, message, ...(this.#last ? { lastReport: this.#last } : {}) };
  }

  /** Says nothing any more: what an answer would confirm is not on disk. */
  #silenced(): Outcome {
    this.#parts.line.mute();
    return this.#unknown('NOT_STORED', 'the terminal was not answered');
  }
}

/** Thrown where the core could not store, so that nothing more is written on any way. */
const NOT_STORED = new AppError('NOT_STORED', 'the core could not store what the terminal said');

/** The terminal takes a payment back only if its STAN is the one that was named. */
function originalOf(command: MoneyCommand): { readonly originalTrace?: string } {
  if (command.kind !== 'void' || command.original.trace === undefined) return {};
  return { originalTrace: command.original.trace };
}
