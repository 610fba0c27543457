import type { Reconciliation } from '../../payment/batch/terminal-operations.ts';
import { ENGLISH } from '../../sentences/english.ts';
import { type ReconciliationFacts, reconciliationMessage } from '../../sentences/reconciliation.js';
import type { Devices } from '../../terminal/device.ts';
import type { TransactionReport } from '../../terminal/ports.ts';
import type { JournalLine, TerminalReconciliation } from '../contract/terminal-reconciliation.ts';
import { renderBatchTotals, renderBookTotals } from './batch-totals.ts';
import { instant, instantOrNull } from './instant.ts';

/** The terminal's batch compared with the database, as the API shows it. */
export function renderReconciliation(found: Reconciliation, devices: Devices): TerminalReconciliation {
  const facts = {
    lines: found.lines.map((line) => ({
      terminal: line.terminal && journalLine(line.terminal),
      payment_id: line.attemptId,
      verdict: line.verdict,
    })),
    complete: found.complete,
    totals_agree: found.totalsAgree,
  } satisfies ReconciliationFacts;
  return {
    object: 'terminal_reconciliation',
    device_id: found.deviceId,
    at: instant(found.at),
    since: instantOrNull(found.since),
    complete: facts.complete,
    currency: found.totals?.currency ?? devices.get(found.deviceId)?.device.currency ?? null,
    lines: facts.lines,
    totals: renderBatchTotals(found.totals),
    ours: renderBookTotals(found.ours),
    totals_agree: facts.totals_agree,
    message: reconciliationMessage(facts, ENGLISH),
  };
}

function journalLine(report: TransactionReport): JournalLine {
  return {
    type: typeOf(report.kind),
    result: report.verdict,
    amount_minor: report.amountMinor ?? null,
    currency: report.currency ?? null,
    receipt_number: report.number ?? null,
    trace: report.trace ?? null,
    auth_code: report.authCode ?? null,
    card_scheme: report.cardScheme ?? null,
    masked_pan: report.maskedPan?.toString() ?? null,
    terminal_clock: report.terminalClock ?? null,
  };
}

/** The API has no types for a reservation, its booking and its release: staff made them at the terminal itself. */
function typeOf(kind: TransactionReport['kind']): JournalLine['type'] {
  return kind === 'sale' || kind === 'refund' || kind === 'void' ? kind : 'unknown';
}
