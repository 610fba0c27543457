import type { Observer, Outcome, TransactionReport } from '../../terminal/ports.ts';
import { recordedMinor } from '../attempt/amounts.ts';
import type { Attempt } from '../attempt/attempt.ts';
import { isFinal } from '../attempt/state-machine.ts';
import type { FrameLog } from '../dispatch/dialogue.ts';
import type { PaymentWriter } from '../payment-writer.ts';
import { RECOVERY_TABLE } from './decision-table.ts';

interface LateEndDeps {
  readonly writer: PaymentWriter;
  readonly frames: FrameLog;
  readonly refuses: (attempt: Attempt, report: TransactionReport) => boolean;
}

/**
 * A late result, sent to a session that did not begin the payment. Like every answer it is on disk before the terminal gets our
 * acknowledgement. An approval of the requested amount, with a tip that it states, ends the doubt, unless it is not believed to be of this terminal. Any other result is kept for the person who decides, because a late
 * refusal may be that of a second try.
 */
export class LateResult implements Observer {
  readonly #attempt: Attempt;
  readonly #deps: LateEndDeps;

  constructor(attempt: Attempt, deps: LateEndDeps) {
    this.#attempt = attempt;
    this.#deps = deps;
  }

  accepted(): boolean {
    return true;
  }

  progress(text: string): void {
    this.#deps.writer.progress(this.#attempt, text);
  }

  beforeAcknowledge(report: TransactionReport, end?: Outcome): boolean {
    if (end !== undefined) return this.beforeEnd(end);
    this.#keep(report, 'late_report');
    return true;
  }

  beforeEnd(outcome: Outcome): boolean {
    if (outcome.kind === 'not_started') return false;
    const report = outcome.kind === 'unknown' ? outcome.lastReport : outcome.report;
    if (outcome.kind === 'approved' && this.#isAsAsked(outcome.report)) this.#settle(outcome);
    else if (report) this.#keep(report, 'late_end');
    return true;
  }

  #isAsAsked(report: TransactionReport): boolean {
    const { amountMinor, currency } = report;
    return (
      amountMinor === recordedMinor(this.#attempt, report) &&
      (currency === undefined || currency === this.#attempt.amount.currency)
    );
  }

  #settle({ report, receipts }: Extract<Outcome, { kind: 'approved' }>): void {
    const { writer, frames, refuses } = this.#deps;
    if (refuses(this.#attempt, report)) return;
    const row = 'late_end';
    writer.apply(
      this.#attempt.id,
      { type: 'evidence', of: 'charged' },
      {
        reason: null,
        report,
        receipts,
        evidence: { kind: 'dialogue', report },
        details: { row, rule: RECOVERY_TABLE[row], frames: frames.take() },
      },
    );
  }

  #keep(report: TransactionReport, name: string): void {
    const { writer, frames } = this.#deps;
    if (isFinal(writer.require(this.#attempt.id).state)) return;
    writer.note(this.#attempt.id, name, { report, details: { report, frames: frames.take() } });
  }
}
