import { counted } from '../../base/counted.ts';
import { AppError } from '../../base/errors.ts';
import type { TransactionReport } from '../../terminal/ports.ts';
import { type Attempt, isTerminalGone, type Reason } from '../attempt/attempt.ts';
import type { ElapsedTime } from '../attempt/elapsed-time.ts';
import { paymentDetails } from '../attempt/error-details.ts';
import { isFinal } from '../attempt/state-machine.ts';
import { PHASE_MS } from '../dispatch/phase-limits.ts';
import type { PaymentWriter } from '../payment-writer.ts';
import type { Decision } from '../payments.ts';

/** "Not charged" by a person who is not a lead counts this long after the doubt began. */
export const CASHIER_WAIT_MS = 600_000;
/** After this time no payment goes on, on any terminal: the time limit of the longest phase. */
const OVER_MS = PHASE_MS.accepted;

/**
 * Ends a doubt by a person's decision. "Charged" may be said at once. "Not charged" may be said once the terminal was proved idle for its
 * settle time and was read. If the terminal cannot be read any more, a lead may say it by outside evidence, after the longest payment is over.
 * From then on a lead may also write it off. A lead corrects an earlier decision with outside evidence; both stay in the database.
 * The same answer again, word for word, changes nothing.
 * For a terminal that was replaced either answer names its source.
 * @throws PAYMENT_NOT_IN_DOUBT, DECISION_TOO_EARLY, FIELD_MISSING; the first decision that is committed wins.
 */
export function decide(
  attempt: Attempt,
  decision: Decision,
  writer: PaymentWriter,
  elapsed: ElapsedTime,
): Attempt {
  const { as, by, reason, shown, source, amountMinor } = decision;
  if (isDecidedAlready(attempt, decision, writer)) return attempt;
  if (attempt.state.name !== 'in_doubt') checkCorrection(attempt, decision);
  else checkReplaced(attempt, decision);
  if (as !== 'succeeded') checkNotTooEarly(attempt, decision, elapsed.now());
  const seen = { by, shown, ...(source === undefined ? {} : { source }) };
  return writer.apply(
    attempt.id,
    { type: 'resolved', as },
    {
      evidence: { kind: 'person', reason, ...seen },
      ...(as === 'succeeded' ? confirmedReport(attempt, amountMinor) : {}),
      ...(as !== 'succeeded' && !wasHeard(attempt) ? { report: null } : {}),
      reason: reasonOf(decision),
      details: { reason, ...seen, ...(amountMinor === undefined ? {} : { amount_minor: amountMinor }) },
    },
  );
}

const SAYS = { succeeded: 'yes', not_charged: 'no', written_off: 'unknown' } as const;

/** A till or a person that did not get the answer sends the decision again. */
function isDecidedAlready(attempt: Attempt, decision: Decision, writer: PaymentWriter): boolean {
  if (!isFinal(attempt.state)) return false;
  const { charged, correctedBy } = writer.view(attempt);
  const { evidence, report } = correctedBy === null ? attempt : writer.require(correctedBy);
  const { amountMinor } = decision;
  if (amountMinor !== undefined && amountMinor !== report?.amountMinor) return false;
  if (evidence?.kind !== 'person' || SAYS[decision.as] !== charged) return false;
  const { by, reason, shown, source } = evidence;
  return (
    by === decision.by && reason === decision.reason && shown === decision.shown && source === decision.source
  );
}

function reasonOf({ as, by, reason }: Decision): Reason | null {
  switch (as) {
    case 'succeeded':
      return null;
    case 'not_charged':
      return { code: as, message: `${by} looked: not charged (${reason})` };
    case 'written_off':
      return { code: as, message: `${by} has written it off: it was never found out (${reason})` };
  }
}

/** A person corrects only what a person has decided; a decision by the terminal needs the terminal's records. */
function checkCorrection(attempt: Attempt, { as, lead, source }: Decision): void {
  const { state, evidence, corrects } = attempt;
  const isByPerson = isFinal(state) && evidence?.kind === 'person' && corrects === null;
  if (isByPerson && lead && source !== undefined && as !== 'written_off') return;
  const message = !isByPerson
    ? 'The outcome of this payment is known, or it is still running.'
    : `${evidence.by} has decided this payment. A lead corrects it as succeeded or not_charged by new evidence: say the source.`;
  throw new AppError('PAYMENT_NOT_IN_DOUBT', message, {
    context: { details: { ...paymentDetails(attempt), payment_id: corrects ?? attempt.id } },
  });
}

/** No terminal can be asked: what a person saw has another source. */
function checkReplaced(attempt: Attempt, { as, source }: Decision): void {
  if (!isTerminalGone(attempt) || as === 'written_off' || source !== undefined) return;
  throw new AppError(
    'FIELD_MISSING',
    "The terminal cannot be asked about this payment: it was replaced, or it is not believed. Say in source where you saw it: the customer's slip, the acquirer's statement or the terminal's journal.",
    { context: { param: 'source' } },
  );
}

/**
 * What the terminal had reported, with the amount that a person has read on its receipt. Without that the amount of a result that was no approval
 * is not what was charged: then it is not known.
 */
function confirmedReport(
  { report, type }: Attempt,
  amountMinor: number | undefined,
): { readonly report?: TransactionReport } {
  if (amountMinor !== undefined)
    return { report: { kind: type, ...report, verdict: 'approved', amountMinor } };
  if (report === null || report.verdict === 'approved') return {};
  const { amountMinor: _, tipMinor: __, surchargeMinor: ___, cashbackMinor: ____, ...rest } = report;
  return { report: { ...rest, verdict: 'approved' } };
}

/** Whether the report came in the attempt's own dialogue, and not from recovery with a question to a person. */
function wasHeard({ state, report }: Attempt): boolean {
  return report?.verdict !== 'approved' || (state.name === 'in_doubt' && state.hadApproval);
}

function checkNotTooEarly(attempt: Attempt, decision: Decision, now: number): void {
  if (decision.as === 'written_off' && !decision.lead)
    throw tooEarly(attempt, 'Ask a lead: only a lead writes a payment off.');
  const inDoubtFor = now - (attempt.elapsed.inDoubt ?? now);
  const isCorrection = attempt.state.name !== 'in_doubt';
  if (attempt.settledAt === null || isCorrection) checkOutsideEvidence(attempt, decision, inDoubtFor);
  if (!decision.lead && inDoubtFor < CASHIER_WAIT_MS) {
    const minutes = Math.ceil((CASHIER_WAIT_MS - inDoubtFor) / 60_000);
    throw tooEarly(
      attempt,
      `Ask a lead, or wait ${counted(minutes, 'more minute', 'more minutes')} before you say "not charged".`,
    );
  }
}

const MAY_CHARGE =
  "The terminal may still be charging: wait until it was idle long enough and was read. If it is gone, a lead may decide by the customer's slip, the acquirer's statement or the terminal's journal.";
const NEVER_READ_IDLE =
  "The terminal was not idle for long enough while it was asked, and is not asked again. A lead decides by the customer's slip, the acquirer's statement or the terminal's journal: say the source.";

/** Its terminal was not idle for long enough and read since: only outside records are evidence. */
function checkOutsideEvidence(attempt: Attempt, { as, source, lead }: Decision, inDoubtFor: number): void {
  if (as === 'not_charged' && source === undefined)
    throw tooEarly(attempt, attempt.releasedAt === null ? MAY_CHARGE : NEVER_READ_IDLE);
  if (inDoubtFor < OVER_MS) {
    const minutes = Math.ceil((OVER_MS - inDoubtFor) / 60_000);
    throw tooEarly(
      attempt,
      `The terminal may still be charging: wait ${counted(minutes, 'more minute', 'more minutes')}, and look again then.`,
    );
  }
  if (!lead) throw tooEarly(attempt, 'Ask a lead: only a lead decides without the terminal.');
}

function tooEarly(attempt: Attempt, message: string): AppError {
  return new AppError('DECISION_TOO_EARLY', message, {
    retry: 'safe',
    context: { details: paymentDetails(attempt) },
  });
}
