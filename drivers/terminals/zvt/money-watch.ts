import {
  conclude,
  type DialogueEnd,
  type MoneyCommand,
  maskCardNumbers,
  type Observer,
  type Outcome,
  type Receipts,
  type TransactionReport,
} from '../../../src/driver-kit/terminal.ts';
import type { Charset } from './charset.ts';
import type { Answering, DialogueListener } from './dialogue.ts';
import { type IntermediateStatus, isAutoReversal, isUnderWay, progressText } from './intermediate-status.ts';
import { PrintSpool } from './printing.ts';
import { readReport } from './report.ts';

/** Longest text for staff, in characters. */
const MAX_PROGRESS = 200;

/** Builds receipts from the data of a `04 0F`. */
export type BuildReceipts = (data: Uint8Array, kind: MoneyCommand['kind']) => Receipts;

/** How printed text is read, and which receipts are built. */
interface Paper {
  readonly charset: Charset;
  /** Characters of a line. */
  readonly width: number;
  /** Set where the terminal sends no print commands and prints nothing itself. */
  readonly build: BuildReceipts | undefined;
}

/**
 * Observes one money dialogue: keeps the last result and the receipts, calls the observer, concludes the
 * outcome.
 *
 * INVARIANTS:
 * - `lastReport` is the report that the observer last committed or was last asked to commit;
 * - an approval after which the terminal announced a reversal never concludes as approved;
 * - a refusal after which the terminal goes on (another try of the PIN) never concludes the payment: the result of that try may be lost;
 * - after an approval a result and a print command are answered in time or not at all: both answers commit it.
 */
export class MoneyWatch implements DialogueListener {
  readonly #command: MoneyCommand;
  readonly #observer: Observer;
  readonly #charset: Charset;
  readonly #spool: PrintSpool;
  readonly #build: BuildReceipts | undefined;
  #lastData: Uint8Array = new Uint8Array();
  #lastReport: TransactionReport | undefined;
  #outcome: Outcome | undefined;
  #reversing = false;
  /** The terminal tries again after the last result, which was no approval. */
  #triesAgain = false;

  constructor(command: MoneyCommand, observer: Observer, paper: Paper) {
    this.#command = command;
    this.#observer = observer;
    this.#charset = paper.charset;
    this.#spool = new PrintSpool(paper.charset, paper.width);
    this.#build = paper.build;
  }

  get lastReport(): TransactionReport | undefined {
    return this.#lastReport;
  }

  /** The outcome, once the end was received. */
  get outcome(): Outcome | undefined {
    return this.#outcome;
  }

  accepted(): boolean {
    return this.#observer.accepted();
  }

  intermediate(message: IntermediateStatus): void {
    if (isAutoReversal(message)) this.#reversing = true;
    if (isUnderWay(message)) this.#triesAgain = this.#lastReport !== undefined && this.mayStop();
    const text = spokenText(message, this.#charset);
    if (text !== undefined) this.#observer.progress(text);
  }

  report(data: Uint8Array): Answering {
    this.#lastData = data;
    this.#triesAgain = false;
    this.#lastReport = readReport(data, this.#command.kind, this.#charset);
    return this.#observer.beforeAcknowledge(this.#lastReport) ? this.#answering() : 'never';
  }

  mayStop(): boolean {
    return this.#lastReport?.verdict !== 'approved';
  }

  abortRefused(): void {
    this.#observer.progress('The terminal cannot be stopped any more: wait for the result.');
  }

  print(control: '06D1' | '06D3', data: Uint8Array): Answering {
    this.#spool.take(control, data);
    return this.#answering();
  }

  end(end: DialogueEnd): boolean {
    const spoken: DialogueEnd =
      this.#reversing && end.kind === 'completed'
        ? { kind: 'unclear', message: 'the terminal announced that it takes this back' }
        : end;
    const last = this.#triesAgain ? undefined : this.#lastReport;
    const outcome = conclude(last, spoken, this.#receipts(), this.#command.kind);
    const committed = this.#observer.beforeEnd(outcome);
    if (committed) this.#outcome = outcome;
    return committed;
  }

  /** The receipts that the terminal printed; where it prints none, those built from its approval. */
  #receipts(): Receipts {
    const printed = this.#spool.receipts();
    const isPrinted = printed.merchant !== undefined || printed.customer !== undefined;
    if (isPrinted || !this.#build || this.#lastReport?.verdict !== 'approved') return printed;
    return this.#build(this.#lastData, this.#command.kind);
  }

  #answering(): Answering {
    return this.#lastReport?.verdict === 'approved' ? 'in_time' : 'answer';
  }
}

/** The text of an intermediate status for staff. */
export function spokenText(message: IntermediateStatus, charset: Charset): string | undefined {
  const text = progressText(message, charset);
  return text === undefined ? undefined : maskCardNumbers(text).slice(0, MAX_PROGRESS);
}
