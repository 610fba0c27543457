import {
  conclude,
  type DialogueEnd,
  type MoneyCommand,
  maskCardNumbers,
  type Observer,
  type Outcome,
  type TransactionReport,
} from '../../../src/driver-kit/terminal.ts';
import type { Charset } from './charset.ts';
import type { Answering, DialogueListener } from './dialogue.ts';
import { type IntermediateStatus, isAutoReversal, progressText } from './intermediate-status.ts';
import { PrintSpool } from './printing.ts';
import { readReport } from './report.ts';

/** Longest text for the people at the counter, in characters. */
const MAX_PROGRESS = 200;

/**
 * Watches the dialogue of one sale, refund or void: keeps the last result and the receipts, tells the observer, draws the
 * conclusion.
 *
 * INVARIANTS:
 * - `lastReport` is what the observer last committed or was last asked to;
 * - an approval after which the terminal announced a reversal never concludes as approved;
 * - after an approval a result and a print command are answered in time or not at all: both answers commit it.
 */
export class MoneyWatch implements DialogueListener {
  readonly #asked: MoneyCommand['kind'];
  readonly #observer: Observer;
  readonly #charset: Charset;
  readonly #spool: PrintSpool;
  #lastReport: TransactionReport | undefined;
  #outcome: Outcome | undefined;
  #reversing = false;

  constructor(asked: MoneyCommand['kind'], observer: Observer, charset: Charset) {
    this.#asked = asked;
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
    const text = spokenText(message, this.#charset);
    if (text !== undefined) this.#observer.progress(text);
  }

  report(data: Uint8Array): Answering {
    this.#lastReport = readReport(data, this.#asked, this.#charset);
    return this.#observer.beforeAcknowledge(this.#lastReport) ? this.#answering() : 'never';
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
    const outcome = conclude(this.#lastReport, spoken, this.#spool.receipts(), this.#asked);
    const committed = this.#observer.beforeEnd(outcome);
    if (committed) this.#outcome = outcome;
    return committed;
  }

  #answering(): Answering {
    return this.#lastReport?.verdict === 'approved' ? 'in_time' : 'answer';
  }
}

/** What the people at the counter may read of an intermediate status. */
export function spokenText(message: IntermediateStatus, charset: Charset): string | undefined {
  const text = progressText(message, charset);
  return text === undefined ? undefined : maskCardNumbers(text).slice(0, MAX_PROGRESS);
}
