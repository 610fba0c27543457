import type { ReconciledLine, Reconciliation } from '../../payment/batch/terminal-operations.ts';
import type { Devices } from '../../terminal/device.ts';
import type { TransactionReport } from '../../terminal/ports.ts';
import type { JournalLine, TerminalReconciliation } from '../contract/terminal-reconciliation.ts';
import { renderBatchTotals, renderBookTotals } from './batch-totals.ts';
import { instant, instantOrNull } from './instant.ts';

/** The terminal's batch compared with the database, as the API shows it. */
export function renderReconciliation(found: Reconciliation, devices: Devices): TerminalReconciliation {
  return {
    object: 'terminal_reconciliation',
    device_id: found.deviceId,
    at: instant(found.at),
    since: instantOrNull(found.since),
    complete: found.complete,
    currency: found.totals?.currency ?? devices.get(found.deviceId)?.device.currency ?? null,
    lines: found.lines.map((line) => ({
      terminal: line.terminal && journalLine(line.terminal),
      payment_id: line.attemptId,
      verdict: line.verdict,
    })),
    totals: renderBatchTotals(found.totals),
    ours: renderBookTotals(found.ours),
    totals_agree: found.totalsAgree,
    message: messageOf(found),
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

/** The API has no types for a reservation, its booking and its release. */
function typeOf(kind: TransactionReport['kind']): JournalLine['type'] {
  return kind === 'sale' || kind === 'refund' || kind === 'void' ? kind : 'unknown';
}

/** Worst first: each sentence says what it means for customers and what to do now. */
function messageOf({ lines, complete, totalsAgree }: Reconciliation): string {
  const count = (verdict: ReconciledLine['verdict']) =>
    lines.filter((line) => line.verdict === verdict).length;
  const [contradicts, missing, unknown] = [count('contradicts'), count('missing'), count('unknown')];
  const found = [
    contradicts > 0
      ? `${payments(contradicts)} ended otherwise at the terminal than in our books; corrections were recorded and charged follows the terminal: see \`tillctl tasks\`.`
      : '',
    missing > 0
      ? `${payments(missing)} of ours are not in the terminal's journal, so it is not sure that these customers were charged: compare the receipts before you close the day.`
      : '',
    unknown > 0
      ? `${transactions(unknown)} in the terminal's journal did not come from here: a customer may have been charged by hand; ask who used the terminal.`
      : '',
    totalsAgree === false
      ? "The terminal's sum is not ours: compare the lines before you close the day."
      : '',
    complete ? '' : 'The terminal tells only a part of its journal; what it does not tell was not compared.',
  ].filter((sentence) => sentence !== '');
  if (contradicts + missing + unknown === 0 && totalsAgree !== false)
    found.unshift('What the terminal tells is in our books: every charge of it. Nothing else is to be done.');
  return found.join(' ');
}

function payments(count: number): string {
  return count === 1 ? '1 payment' : `${count} payments`;
}

function transactions(count: number): string {
  return count === 1 ? '1 transaction' : `${count} transactions`;
}
