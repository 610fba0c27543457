import type { Settlement } from '../../payment/batch/settlement.ts';
import type { Devices } from '../../terminal/device.ts';
import type { TerminalSettlement } from '../contract/terminal-settlement.ts';
import { renderBatchTotals, renderBookTotals } from './batch-totals.ts';
import { instant, instantOrNull } from './instant.ts';
import { settlementMessage } from './settlement-message.ts';

/** A settlement as the API shows it; where the terminal reports no currency, its device's counts. */
export function renderTerminalSettlement(settlement: Settlement, devices: Devices): TerminalSettlement {
  const { terminal, totals, ours, receipts, reason } = settlement;
  return {
    id: settlement.id,
    object: 'terminal_settlement',
    device_id: settlement.deviceId,
    source: settlement.source,
    status: settlement.status,
    forced: settlement.forced && { by: settlement.forced.by, reason: settlement.forced.reason },
    created_at: instant(settlement.createdAt),
    completed_at: instantOrNull(settlement.completedAt),
    terminal_serial: terminal?.serial ?? null,
    terminal_id: terminal?.terminalId ?? null,
    currency: totals?.currency ?? devices.get(settlement.deviceId)?.device.currency ?? null,
    totals: renderBatchTotals(totals),
    ours: ours && renderBookTotals(ours),
    differs: settlement.differs,
    receipts: { merchant: receipts.merchant ?? null, customer: receipts.customer ?? null },
    error_code: reason?.code ?? null,
    error_message: reason?.message ?? null,
    message: settlementMessage(settlement),
  };
}
