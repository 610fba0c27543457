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
  readonly older: OlderResults;
  /** The terminal acknowledged the command with an ACK: then it repeats no older result. */
  readonly isAcknowledged: boolean;
}

/** The texts of results that the terminal sent before this payment; the same bytes are no result of it. */
export interface OlderResults {
  /** Its answer to the question for its last result. */
  reported?: string;
  /** The result of the payment before: the terminal repeats it where our ACK was lost. Two refusals may be the same to the byte. */
  received?: string;
}

/**
 * The dialogue after a money command was sent.
 *
 * The result ends the payment: no message of the terminal confirms our ACK, and no published document says that the terminal reverses
 * an unacknowledged approval. So an approval counts as soon as it is on disk; receipts are read after it.
 *
 * INVARIANTS:
 * - a result is on disk before it is acknowledged; after the core returned false, nothing is written;
 * - a result that the terminal had sent before this payment is an older one and is not acknowledged;
 * - without a result no outcome is final.
 */
export class MoneyDialogue {
  readonly #parts: Parts;
  #last: TransactionReport | undefined;
  #isAlive = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** `isHeard`: the terminal got the command. Never throws. */
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
      // After this point the terminal may have charged the customer, whatever the error.
      return this.#unknown(error instanceof AppError ? error.code : 'DRIVER_FAILED', messageOf(error));
    }
  }

  async #conclude(result: Answer, signal: AbortSignal): Promise<Outcome> {
    const { line, procedure, observer, command } = this.#parts;
    const report = this.#take(result);
    // A lost ACK changes nothing: the terminal repeats its result, or has stored it.
    await line.acknowledge().catch(() => undefined);
    let another = false;
    const isSame = (answer: Answer) => {
      another ||= isResult(answer) && answer.text !== result.text;
      // What another result says may be of another payment: this one keeps its own.
      if (isResult(answer) && !another) this.#take(answer);
      return !another;
    };
    await procedure.rest(isSame, signal);
    if (another)
      return this.#unknown('TERMINAL_CONTRADICTION', 'the terminal reported two results of one payment');
    const end = { kind: 'completed', message: resultWords(report.responseCode ?? '') } as const;
    const outcome = conclude(report, end, procedure.receipts, command.kind);
    if (!observer.beforeEnd(outcome)) throw NOT_STORED;
    return outcome;
  }

  /** The result is on disk when this returns. */
  #take(result: Answer): TransactionReport {
    const { command, observer } = this.#parts;
    const report = { ...reportOf(result, command.kind), ...originalOf(command) };
    this.#last = report;
    this.#parts.older.received = result.text;
    if (!observer.beforeAcknowledge(report)) throw NOT_STORED;
    return report;
  }

  /** A result without a preceding ACK also confirms the command. */
  #alive(): void {
    if (this.#isAlive) return;
    this.#isAlive = true;
    if (!this.#parts.observer.accepted()) throw NOT_STORED;
  }

  #isOurs(answer: Answer): boolean {
    const codes = ['E', 'V'];
    return (
      codes.includes(answer.code) && answer.text !== this.#parts.older.reported && !this.#isRepeated(answer)
    );
  }

  #isRepeated(answer: Answer): boolean {
    if (answer.text !== this.#parts.older.received) return false;
    return !this.#parts.isAcknowledged || reportOf(answer).verdict === 'approved';
  }

  #unknown(code: string, message: string): Outcome {
    return { kind: 'unknown', code, message, ...(this.#last ? { lastReport: this.#last } : {}) };
  }

  /** Falls silent: an answer would confirm a result that is not on disk. */
  #silenced(): Outcome {
    this.#parts.line.mute();
    return this.#unknown('NOT_STORED', 'the terminal was not answered');
  }
}

/** Thrown where the core could not store, so that nothing more is written. */
const NOT_STORED = new AppError('NOT_STORED', 'the core could not store what the terminal said');

/** The terminal voids a payment only if its STAN is the one in the command. */
function originalOf(command: MoneyCommand): { readonly originalTrace?: string } {
  if (command.kind !== 'void' || command.original.trace === undefined) return {};
  return { originalTrace: command.original.trace };
}
