import { chargedOf, publicStatus } from '../../payment/machine.ts';
import type { AttemptView } from '../../payment/payments.ts';
import type { TransactionReport } from '../../terminal/ports.ts';
import type { TerminalPayment } from '../contract/terminal-payment.ts';
import { instant, instantOrNull } from './instant.ts';
import { jsonRecord } from './json-record.ts';
import { staffMessage } from './staff-message.ts';

/** An attempt as the interface shows it. Proofs of payment (authorisation, receipts) are shown once it is final, not before. */
export function renderTerminalPayment({ attempt, reported, progress }: AttemptView): TerminalPayment {
  const charged = chargedOf(attempt.state);
  return {
    id: attempt.id,
    invoice_id: attempt.invoiceId,
    device_id: attempt.deviceId,
    type: attempt.type,
    status: publicStatus(attempt.state),
    amount_minor: attempt.amount.minor,
    currency: attempt.amount.currency,
    reference: attempt.reference,
    terminal_serial: attempt.mark?.terminal.serial ?? null,
    ...reportFields(attempt.report),
    terminal_id: attempt.report?.terminalId ?? attempt.mark?.terminal.terminalId ?? null,
    error_code: attempt.reason?.code ?? null,
    error_message: charged === 'yes' ? null : (attempt.reason?.message ?? null),
    created_at: instant(attempt.createdAt),
    completed_at: instantOrNull(attempt.completedAt),
    service_id: attempt.origin.kind === 'service' ? attempt.origin.serviceId : null,
    parent_id: attempt.parentId,
    in_doubt: attempt.state.name === 'in_doubt',
    in_doubt_since: instantOrNull(attempt.inDoubtSince),
    cancel_requested_at: instantOrNull(attempt.cancelRequestedAt),
    needs_person: attempt.needsPerson,
    charged,
    reported,
    message: staffMessage(attempt),
    progress,
    auth_code: charged === 'unknown' ? null : (attempt.report?.authCode ?? null),
    approved_amount_minor: charged === 'yes' ? (attempt.report?.amountMinor ?? null) : null,
    receipts: {
      merchant: charged === 'unknown' ? null : (attempt.receipts.merchant ?? null),
      customer: charged === 'unknown' ? null : (attempt.receipts.customer ?? null),
    },
    metadata: jsonRecord(attempt.metadata),
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
