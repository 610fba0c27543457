import type { Clock } from '../../base/clock.ts';
import { hasCode, messageOf } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import type { Observer, Outcome, TransactionReport } from '../../terminal/ports.ts';
import { amountCheck } from '../attempt/amounts.ts';
import type { Attempt, Reason } from '../attempt/attempt.ts';
import { type AttemptEvent, isFinal } from '../attempt/state-machine.ts';
import type { Change, Step } from '../change.ts';
import type { PaymentWriter } from '../payment-writer.ts';
import { notBelieved } from '../recovery/spoofed-terminal.ts';
import type { PhaseWatch } from './phase-limits.ts';

/** The frames of the running dialogue, masked; kept in memory and stored with the outcome. */
export interface FrameLog {
  /** All frames since the last call, oldest first; bounded. */
  take(): readonly {
    readonly at: number;
    readonly direction: 'sent' | 'received';
    readonly summary: string;
  }[];
}

export interface DialogueDeps {
  readonly writer: PaymentWriter;
  readonly frames: FrameLog;
  readonly clock: Clock;
  readonly phases: PhaseWatch;
  readonly log: Log;
  readonly fatal: (error: unknown) => void;
  /** Why an approval is not believed to be of this terminal, in words; null: it is. */
  readonly disbelief: (attempt: Attempt, report: TransactionReport) => string | null;
}

/**
 * One money dialogue and its writes: every message of the terminal is on disk before it is answered.
 * If the disk refuses, nothing is answered and the process ends: the next start reads what the terminal did.
 */
export class Dialogue implements Observer {
  readonly #attempt: Attempt;
  readonly #deps: DialogueDeps;
  #failed = false;
  #over = false;
  /** Monotonic; when the terminal's approval arrived. */
  #approvedAt: number | null = null;

  constructor(attempt: Attempt, deps: DialogueDeps) {
    this.#attempt = attempt;
    this.#deps = deps;
  }

  accepted(): boolean {
    return this.#commit([{ event: { type: 'accepted' } }]);
  }

  progress(text: string): void {
    this.#deps.writer.progress(this.#attempt, text);
  }

  beforeAcknowledge(report: TransactionReport, end?: Outcome): boolean {
    this.#approvedAt = report.verdict === 'approved' ? this.#deps.clock.monotonic() : null;
    const reported: Step = { event: { type: 'reported', verdict: report.verdict }, change: { report } };
    return this.#commit(end === undefined ? [reported] : [reported, this.#endedBy(end)]);
  }

  beforeEnd(outcome: Outcome): boolean {
    return this.#commit([this.#endedBy(outcome)]);
  }

  /**
   * The result of `execute`, for ends without a frame of their own: silence, a lost link, a refusal to start.
   * Later calls of the driver write nothing and return false.
   */
  conclude(outcome: Outcome): void {
    const { state } = this.#deps.writer.require(this.#attempt.id);
    if (!isFinal(state) && state.name !== 'in_doubt') this.#commit([this.#endedBy(outcome)]);
    this.#over = true;
  }

  #commit([first, ...behind]: readonly [Step, ...Step[]]): boolean {
    const { fatal, log } = this.#deps;
    if (this.#failed || this.#over) return false;
    const { event, change = {} } = first;
    const details = { ...change.details, frames: this.#deps.frames.take() };
    try {
      const { state } = this.#applied([{ event, change: { ...change, details } }, ...behind]);
      this.#deps.phases.entered(state.name);
      return true;
    } catch (error) {
      this.#failed = true;
      log.error(
        { attempt: this.#attempt.id, event: event.type, error: messageOf(error) },
        'outcome not on disk, terminal not answered',
      );
      fatal(error);
      return false;
    }
  }

  /** On a full disk the reserve file is free by now: one more try before the process ends. */
  #applied(steps: readonly Step[]): Attempt {
    const { writer } = this.#deps;
    try {
      return writer.applyAll(this.#attempt.id, steps);
    } catch (error) {
      if (!hasCode(error, 'STORAGE_FULL')) throw error;
      return writer.applyAll(this.#attempt.id, steps);
    }
  }

  #endedBy(outcome: Outcome): Step {
    const [event, change] = this.#asEvent(outcome);
    return { event, change };
  }

  #asEvent(outcome: Outcome): [AttemptEvent, Change] {
    switch (outcome.kind) {
      case 'approved': {
        const { report, receipts } = outcome;
        const why = this.#deps.disbelief(this.#attempt, report);
        if (why !== null) return this.#notBelieved(report, why);
        const amount = amountCheck(this.#attempt, report);
        const reason = amount === 'other_currency' ? OTHER_CURRENCY : null;
        const heardAt = this.#approvedAt;
        const approvedFor = heardAt === null ? {} : { approvedForMs: this.#deps.clock.monotonic() - heardAt };
        return [
          { type: 'ended', as: 'approved', amount },
          { report, receipts, reason, evidence: { kind: 'dialogue', report }, ...approvedFor },
        ];
      }
      case 'declined':
      case 'aborted': {
        const { report, receipts } = outcome;
        const reason = report.noPaper ? NO_PAPER : refusedBecause(outcome);
        return [
          { type: 'ended', as: outcome.kind },
          { report, receipts, reason, evidence: { kind: 'dialogue', report } },
        ];
      }
      case 'not_started': {
        const { code, message } = outcome;
        return [
          { type: 'not_started' },
          {
            reason: { code: 'not_started', message },
            evidence: { kind: 'nothing_sent', note: code },
          },
        ];
      }
      case 'unknown': {
        const reason = { code: outcome.code.toLowerCase(), message: outcome.message };
        return [{ type: 'lost' }, { reason, ...(outcome.lastReport ? { report: outcome.lastReport } : {}) }];
      }
    }
  }

  /** What answered cannot be asked either: a person finds out. */
  #notBelieved(report: TransactionReport, why: string): [AttemptEvent, Change] {
    const releasedAt = this.#deps.clock.now();
    return [{ type: 'lost' }, { report, reason: notBelieved(why), releasedAt, needsPerson: true }];
  }
}

function refusedBecause({
  kind,
  report: { text },
}: Extract<Outcome, { kind: 'declined' | 'aborted' }>): Reason {
  return { code: kind, message: text === undefined ? WITHOUT_WORDS[kind] : `The terminal said: "${text}".` };
}

const NO_PAPER: Reason = {
  code: 'no_paper',
  message: 'The terminal has no paper. Put in a new roll, then take the payment again.',
};

const WITHOUT_WORDS = { declined: 'It was declined.', aborted: 'It was stopped at the terminal.' } as const;

const OTHER_CURRENCY = {
  code: 'other_currency',
  message:
    'The terminal approved another currency than was asked for. Compare the receipt: it is not paid as asked.',
};
