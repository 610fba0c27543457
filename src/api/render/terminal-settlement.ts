import { compareTotals } from '../../payment/batch/compare-totals.ts';
import type { Settlement } from '../../payment/batch/settlement.ts';
import { ENGLISH } from '../../sentences/english.ts';
import { type SettlementFacts, settlementMessage } from '../../sentences/settlement.js';
import type { Devices } from '../../terminal/device.ts';
import type { TerminalSettlement, TotalsComparison } from '../contract/terminal-settlement.ts';
import { renderBatchTotals, renderBookTotals } from './batch-totals.ts';
import { instant, instantOrNull } from './instant.ts';

/** A settlement as the API shows it; where the terminal reports no currency, its device's counts. */
export function renderTerminalSettlement(settlement: Settlement, devices: Devices): TerminalSettlement {
  const { status, terminal, totals, ours, differs, receipts, reason } = settlement;
  const facts: SettlementFacts = {
    id: settlement.id,
    object: 'terminal_settlement',
    device_id: settlement.deviceId,
    source: settlement.source,
    status,
    forced: settlement.forced && { by: settlement.forced.by, reason: settlement.forced.reason },
    created_at: instant(settlement.createdAt),
    completed_at: instantOrNull(settlement.completedAt),
    terminal_serial: terminal?.serial ?? null,
    terminal_id: terminal?.terminalId ?? null,
    currency: totals?.currency ?? devices.get(settlement.deviceId)?.device.currency ?? null,
    totals: renderBatchTotals(totals),
    ours: ours && renderBookTotals(ours),
    differs,
    comparison: status === 'succeeded' && ours ? comparisonOf(totals, ours, differs !== null) : null,
    receipts: { merchant: receipts.merchant ?? null, customer: receipts.customer ?? null },
    error_code: reason?.code ?? null,
    error_message: reason?.message ?? null,
  };
  return { ...facts, message: settlementMessage(facts, ENGLISH) };
}

function comparisonOf(...compared: Parameters<typeof compareTotals>): TotalsComparison {
  const { verdict, lines } = compareTotals(...compared);
  return { verdict, lines: [...lines] };
}
