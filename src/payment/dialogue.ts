import { messageOf } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import type { Observer, Outcome, TransactionReport } from '../terminal/ports.ts';
import type { Attempt } from './attempt.ts';
import { type AmountCheck, type AttemptEvent, isFinal } from './machine.ts';
import type { Change, PaymentService } from './service.ts';

/** The frames of the running dialogue, masked; kept in memory and stored with the outcome. */
export interface FrameLog {
  /** Everything since the last call, oldest first; bounded. */
  take(): readonly {
    readonly at: number;
    readonly direction: 'sent' | 'received';
    readonly summary: string;
  }[];
}

export interface DialoguePorts {
  readonly service: PaymentService;
  readonly frames: FrameLog;
  readonly log: Log;
  readonly fatal: (error: unknown) => void;
}

/**
 * One money dialogue as the books see it: everything the terminal says is on disk before it is answered.
 * If the disk refuses, nothing is answered and the process ends: what the terminal does then is read at the next start.
 */
export class Dialogue implements Observer {
  readonly #attempt: Attempt;
  readonly #ports: DialoguePorts;
  #failed = false;

  constructor(attempt: Attempt, ports: DialoguePorts) {
    this.#attempt = attempt;
    this.#ports = ports;
  }

  accepted(): boolean {
    return this.#commit({ type: 'accepted' });
  }

  progress(text: string): void {
    this.#ports.service.progress(this.#attempt, text);
  }

  beforeAcknowledge(report: TransactionReport): boolean {
    return this.#commit({ type: 'reported', verdict: report.verdict }, { report });
  }

  beforeEnd(outcome: Outcome): boolean {
    return this.#commit(...this.#asEvent(outcome));
  }

  /** What `execute` resolved to, for the ends that had no frame of their own: silence, a lost link, a refusal to start. */
  conclude(outcome: Outcome): void {
    if (this.#failed) return;
    const { state } = this.#ports.service.require(this.#attempt.id);
    if (isFinal(state) || state.name === 'in_doubt') return;
    this.#commit(...this.#asEvent(outcome));
  }

  #commit(event: AttemptEvent, change: Change = {}): boolean {
    const { service, fatal, log } = this.#ports;
    if (this.#failed) return false;
    try {
      const details = { ...change.details, frames: this.#ports.frames.take() };
      service.apply(this.#attempt.id, event, { ...change, details });
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

  #asEvent(outcome: Outcome): [AttemptEvent, Change] {
    switch (outcome.kind) {
      case 'approved': {
        const { report, receipts } = outcome;
        const amount = amountCheck(this.#attempt, report);
        const reason = amount === 'less' || amount === 'other_currency' ? NOT_AS_ASKED : null;
        return [
          { type: 'ended', as: 'approved', amount },
          { report, receipts, reason, evidence: { kind: 'dialogue', report } },
        ];
      }
      case 'declined':
      case 'aborted': {
        const { report, receipts } = outcome;
        const reason = {
          code: outcome.kind,
          message:
            report.text === undefined ? WITHOUT_WORDS[outcome.kind] : `The terminal said: "${report.text}".`,
        };
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
}

const WITHOUT_WORDS = { declined: 'It was declined.', aborted: 'It was stopped at the terminal.' } as const;

const NOT_AS_ASKED = {
  code: 'partial_approval',
  message:
    'The terminal approved less than was asked, or another currency. Compare the receipt: it is not paid as asked.',
};

/** Compares what was charged with what was asked; tips and surcharges are not known to any driver yet. */
function amountCheck(attempt: Attempt, report: TransactionReport): AmountCheck {
  if (report.currency !== undefined && report.currency !== attempt.amount.currency) return 'other_currency';
  if (report.amountMinor === undefined) return 'unconfirmed';
  if (report.amountMinor === attempt.amount.minor) return 'as_asked';
  return report.amountMinor < attempt.amount.minor ? 'less' : 'more';
}
