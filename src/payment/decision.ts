import { AppError } from '../base/errors.ts';
import type { TransactionReport } from '../terminal/ports.ts';
import type { Attempt } from './attempt.ts';
import type { ElapsedTime } from './elapsed-time.ts';
import type { Decision } from './payments.ts';
import { PHASE_MS } from './phases.ts';
import type { PaymentService } from './service.ts';

/** "Not charged" by a person who is no lead is believed this long after the doubt began. */
export const CASHIER_WAIT_MS = 600_000;
/** Behind this no payment goes on, whatever terminal took it: the longest dialogue that is let run. */
const OVER_MS = PHASE_MS.accepted;

/**
 * Ends a doubt by a person's word. "Charged" may be said at once. "Not charged" may be said once the terminal was proved idle for its settle
 * time and was read; of a terminal that cannot be read any more a lead may say it by evidence from outside, after the longest payment is over.
 * @throws PAYMENT_NOT_IN_DOUBT, DECISION_TOO_EARLY; the first decision that is committed wins.
 */
export function decide(
  attempt: Attempt,
  decision: Decision,
  service: PaymentService,
  elapsed: ElapsedTime,
): Attempt {
  const { as, by, reason, shown, source, amountMinor } = decision;
  if (attempt.state.name !== 'in_doubt') {
    throw new AppError(
      'PAYMENT_NOT_IN_DOUBT',
      'the outcome of this payment is known, or it is still running',
      {
        context: { details: { payment_id: attempt.id, status: attempt.state.name } },
      },
    );
  }
  if (as === 'not_charged') checkNotTooEarly(attempt, decision, elapsed.now());
  return service.apply(
    attempt.id,
    { type: 'resolved', as },
    {
      evidence: { kind: 'person', by, reason, shown, ...(source === undefined ? {} : { source }) },
      ...(as === 'succeeded' && amountMinor !== undefined
        ? { report: saidReport(attempt, amountMinor) }
        : {}),
      ...(as === 'not_charged' && !wasHeard(attempt) ? { report: null } : {}),
      reason:
        as === 'succeeded' ? null : { code: 'not_charged', message: `${by} looked: not charged (${reason})` },
      details: {
        by,
        reason,
        shown,
        ...(source === undefined ? {} : { source }),
        ...(amountMinor === undefined ? {} : { amount_minor: amountMinor }),
      },
    },
  );
}

/** What the terminal had told, with the amount that a person has read off its receipt. */
function saidReport({ report, type }: Attempt, amountMinor: number): TransactionReport {
  return { kind: type, ...report, verdict: 'approved', amountMinor };
}

/** Whether the report is the attempt's own, and not one that recovery found and a person was asked about. */
function wasHeard({ state, report }: Attempt): boolean {
  return report?.verdict !== 'approved' || (state.name === 'in_doubt' && state.hadApproval);
}

function checkNotTooEarly(attempt: Attempt, decision: Decision, now: number): void {
  const inDoubtFor = now - (attempt.elapsed.inDoubt ?? now);
  if (attempt.settledAt === null) checkOutsideEvidence(attempt, decision, inDoubtFor);
  if (!decision.lead && inDoubtFor < CASHIER_WAIT_MS) {
    const minutes = Math.ceil((CASHIER_WAIT_MS - inDoubtFor) / 60_000);
    throw tooEarly(attempt, `Ask a lead, or wait ${minutes} more minutes before you say "not charged".`);
  }
}

/** Its terminal was not idle for long enough and read since: only what others have written down can tell. */
function checkOutsideEvidence(attempt: Attempt, { source, lead }: Decision, inDoubtFor: number): void {
  if (source === undefined)
    throw tooEarly(
      attempt,
      "The terminal may still be charging: wait until it was idle long enough and was read. If it is gone, a lead may decide by the customer's slip, the acquirer's statement or the terminal's journal.",
    );
  if (inDoubtFor < OVER_MS) {
    const minutes = Math.ceil((OVER_MS - inDoubtFor) / 60_000);
    throw tooEarly(
      attempt,
      `The terminal may still be charging: wait ${minutes} more minutes, and look again then.`,
    );
  }
  if (!lead) throw tooEarly(attempt, 'Ask a lead: only a lead decides by evidence from outside.');
}

function tooEarly(attempt: Attempt, message: string): AppError {
  return new AppError('DECISION_TOO_EARLY', message, {
    retry: 'safe',
    context: { details: { payment_id: attempt.id, status: 'in_doubt' } },
  });
}
