import {
  conclude,
  type DialogueEnd,
  maskCardNumbers,
  type Observer,
  type Outcome,
  type TransactionReport,
} from '../../../src/driver-kit/terminal.ts';
import type { Charset } from './charset.ts';
import type { DialogueListener } from './dialogue.ts';
import { type IntermediateStatus, isAutoReversal, progressText } from './intermediate-status.ts';
import { PrintSpool } from './printing.ts';
import { readReport } from './report.ts';

/**
 * Watches the dialogue of one sale: keeps the last result and the receipts, tells the observer, draws the conclusion.
 *
 * INVARIANTS:
 * - `lastReport` is what the observer last committed or was last asked to;
 * - an approval after which the terminal announced a reversal never concludes as approved.
 */
export class SaleWatch implements DialogueListener {
  readonly #observer: Observer;
  readonly #charset: Charset;
  readonly #spool: PrintSpool;
  #lastReport: TransactionReport | undefined;
  #outcome: Outcome | undefined;
  #reversing = false;

  constructor(observer: Observer, charset: Charset) {
    this.#observer = observer;
    this.#charset = charset;
    this.#spool = new PrintSpool(charset);
  }

  get lastReport(): TransactionReport | undefined {
    return this.#lastReport;
  }

  /** What the end came to, once it was heard. */
  get outcome(): Outcome | undefined {
    return this.#outcome;
  }

  accepted(): boolean {
    return this.#observer.accepted();
  }

  intermediate(message: IntermediateStatus): void {
    if (isAutoReversal(message)) this.#reversing = true;
    const text = progressText(message, this.#charset);
    if (text !== undefined) this.#observer.progress(maskCardNumbers(text).slice(0, 200));
  }

  report(data: Uint8Array): boolean {
    this.#lastReport = readReport(data, 'sale', this.#charset);
    return this.#observer.beforeAcknowledge(this.#lastReport);
  }

  abortRefused(): void {
    this.#observer.progress('The terminal cannot be stopped any more: wait for the result.');
  }

  print(control: '06D1' | '06D3', data: Uint8Array): void {
    if (control === '06D1') this.#spool.line(data);
    else this.#spool.block(data);
  }

  end(end: DialogueEnd): boolean {
    const spoken: DialogueEnd =
      this.#reversing && end.kind === 'completed'
        ? { kind: 'unclear', message: 'the terminal announced that it reverses the payment' }
        : end;
    const outcome = conclude(this.#lastReport, spoken, this.#spool.receipts());
    const committed = this.#observer.beforeEnd(outcome);
    if (committed) this.#outcome = outcome;
    return committed;
  }
}
