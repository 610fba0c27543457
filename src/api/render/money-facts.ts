import { traceIdOf } from '../../base/trace.ts';
import type { Attempt } from '../../payment/attempt/attempt.ts';
import { isFinal, publicStatus } from '../../payment/attempt/state-machine.ts';
import type { AttemptView } from '../../payment/payments.ts';
import { ONLY_LISTED } from '../../payment/tasks/task.ts';
import type { MoneyFacts } from '../../sentences/sentences.js';
import type { TransactionReport } from '../../terminal/ports.ts';
import { instant, instantOrNull } from './instant.ts';
import { jsonRecord } from './json-record.ts';

/** The known facts of an attempt. Proofs of payment (authorisation, receipts) are shown only once it is final. */
export function moneyFacts(view: AttemptView): MoneyFacts {
  const { attempt, reported, progress, charged, correctedBy, refundedMinor, refundingMinor, tasks } = view;
  return {
    id: attempt.id,
    invoice_id: attempt.invoiceId,
    device_id: attempt.deviceId,
    type: attempt.type,
    status: publicStatus(attempt.state),
    amount_minor: attempt.amount.minor,
    currency: attempt.amount.currency,
    reference: attempt.reference,
    terminal_serial: attempt.baseline?.terminal.serial ?? null,
    ...reportFields(attempt.report),
    terminal_id: attempt.report?.terminalId ?? attempt.baseline?.terminal.terminalId ?? null,
    error_code: attempt.reason?.code ?? null,
    error_message: attempt.state.name === 'succeeded' ? null : (attempt.reason?.message ?? null),
    created_at: instant(attempt.createdAt),
    completed_at: instantOrNull(attempt.completedAt),
    service_id: attempt.origin.kind === 'service' ? attempt.origin.serviceId : null,
    parent_id: attempt.parentId,
    corrects: attempt.corrects,
    corrects_type: view.correctsType,
    corrected_by: correctedBy,
    retry_of: attempt.retryOf ?? null,
    cause: attempt.cause,
    given_back_minor: refundedMinor,
    giving_back_minor: refundingMinor,
    in_doubt: attempt.state.name === 'in_doubt',
    in_doubt_since: instantOrNull(attempt.inDoubtSince),
    had_approval: attempt.state.name === 'in_doubt' && attempt.state.hadApproval,
    cancel_requested_at: instantOrNull(attempt.cancelRequestedAt),
    needs_person: attempt.needsPerson || tasks.some(({ kind }) => !ONLY_LISTED.includes(kind)),
    charged,
    reported,
    progress: attempt.needsPerson ? null : progress,
    ...proofFields(attempt),
    ...(charged === 'yes' ? amountFields(attempt) : NO_AMOUNTS),
    trace_id: traceIdOf(attempt),
    metadata: jsonRecord(attempt.metadata),
  };
}

/** The proofs of payment for a customer or an acquirer; null before the end. */
function proofFields({ state, report, receipts }: Attempt) {
  const ended = isFinal(state);
  return {
    auth_code: ended ? (report?.authCode ?? null) : null,
    receipts: {
      merchant: ended ? (receipts.merchant ?? null) : null,
      customer: ended ? (receipts.customer ?? null) : null,
    },
  };
}

const NO_AMOUNTS = {
  approved_amount_minor: null,
  amount_confirmed: null,
  tip_minor: null,
  surcharge_minor: null,
  cashback_minor: null,
} as const;

/** Amounts of an approval; a decline that was corrected later has none: they belong to the correction. */
function amountFields({ state, report }: Attempt) {
  if (state.name !== 'succeeded') return NO_AMOUNTS;
  return {
    approved_amount_minor: report?.amountMinor ?? null,
    amount_confirmed: report?.amountMinor !== undefined,
    tip_minor: report?.tipMinor ?? null,
    surcharge_minor: report?.surchargeMinor ?? null,
    cashback_minor: report?.cashbackMinor ?? null,
  };
}

function reportFields(report: TransactionReport | null) {
  return {
    uti: report?.uti ?? null,
    response_code: report?.responseCode ?? null,
    rrn: report?.rrn ?? null,
    card_scheme: report?.cardScheme ?? null,
    masked_pan: report?.maskedPan?.toString() ?? null,
    entry_mode: report?.entryMode ?? null,
    receipt_number: report?.number ?? null,
    trace: report?.trace ?? null,
    cardholder_verification: report?.cardholderVerification ?? null,
    online: report?.online ?? 'unknown',
  } as const;
}
