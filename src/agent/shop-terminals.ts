import { renderBatchTotals, renderBookTotals } from '../api/render/batch-totals.ts';
import { renderReconciliation } from '../api/render/terminal-reconciliation.ts';
import type { Clock } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import type {
  JsonObject,
  ShopTerminals,
  TerminalClose,
  TerminalComparison,
} from '../integration/connector.ts';
import { sourceError } from '../integration/failure/source-error.ts';
import type { Attempt } from '../payment/attempt/attempt.ts';
import { isSettled, type Settlement } from '../payment/batch/settlement.ts';
import type { Reconciliation, TerminalOperations } from '../payment/batch/terminal-operations.ts';
import type { PaymentStore } from '../payment/ports.ts';
import type { Devices, DeviceView } from '../terminal/device.ts';

export interface ShopTerminalDeps {
  readonly devices: Devices;
  readonly operations: Pick<TerminalOperations, 'reconcile' | 'settlements'>;
  readonly store: Pick<PaymentStore, 'lastSent'>;
  readonly clock: Clock;
  readonly log: Log;
}

/** A terminal that was used less than so long ago will probably be used again soon. */
const QUIET_MS = 5 * 60_000;

/** The terminals as connectors see them: requests go only through the terminal operations, and only while no payment is likely. */
export function shopTerminals(deps: ShopTerminalDeps): ShopTerminals {
  const { devices, operations } = deps;
  return {
    list: () => devices.list().map(({ device: { id, name } }) => ({ id, name })),
    compare: async (id, signal) => {
      signal.throwIfAborted();
      mustBeQuiet(id, deps);
      const found = await compared(operations, id);
      if (differencesIn(found) > 0)
        deps.log.warn({ device: id, differences: differencesIn(found) }, 'terminal and books differ');
      return comparisonOf(found, devices);
    },
    closes: (id, behind, limit) =>
      operations
        .settlements({ deviceId: id, limit, ...(behind === null ? {} : { startingAfter: behind }) })
        .items.map(closeOf),
  };
}

/** @throws SOURCE_NOT_READY */
function mustBeQuiet(id: string, { devices, store, clock }: ShopTerminalDeps): void {
  const view = devices.get(id);
  if (!view) throw sourceError('SOURCE_NOT_READY', 'no device has this id');
  const reason =
    notReadyBecause(view) ?? (wasUsed(store.lastSent(id), clock.now()) ? 'was used a moment ago' : null);
  if (reason) throw sourceError('SOURCE_NOT_READY', `${view.device.name} ${reason}: it is compared later`);
}

/** A last use in the future means that the clock was set back, and proves nothing. */
function wasUsed(last: Attempt | null, now: number): boolean {
  const agoMs = now - (last?.completedAt ?? last?.createdAt ?? 0);
  return agoMs >= 0 && agoMs < QUIET_MS;
}

function notReadyBecause({ status, statusReason, inDoubtAttemptId, waiting }: DeviceView): string | null {
  if (status !== 'ready') return `is ${status}${statusReason ? ` (${statusReason})` : ''}`;
  if (inDoubtAttemptId !== null) return 'has a payment in doubt';
  return waiting > 0 ? 'has payments waiting' : null;
}

/** An error of the terminal operations or of the line does not fail a sync: it is shown with the terminals. */
async function compared(office: ShopTerminalDeps['operations'], id: string): Promise<Reconciliation> {
  try {
    return await office.reconcile(id);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw sourceError('SOURCE_NOT_READY', error.message, { cause: error });
  }
}

function comparisonOf(found: Reconciliation, devices: Devices): TerminalComparison {
  const { object: _object, at: _at, ...shown } = renderReconciliation(found, devices);
  return { since: found.since, at: found.at, fields: { ...shown, differences: differencesIn(found) } };
}

function differencesIn({ lines, totalsAgree }: Reconciliation): number {
  return lines.filter(({ verdict }) => verdict !== 'same').length + (totalsAgree === false ? 1 : 0);
}

/** An open batch has no close time yet: it closes beyond every window. */
function closeOf(settlement: Settlement): TerminalClose {
  const { id, createdAt, completedAt, deviceId, status, source, totals, ours, differs, reason } = settlement;
  const closedAt = isSettled(settlement) ? (completedAt ?? createdAt) : Number.MAX_SAFE_INTEGER;
  const fields: JsonObject = {
    device_id: deviceId,
    status,
    source,
    totals: renderBatchTotals(totals),
    ours: ours && renderBookTotals(ours),
    differs,
    reason: reason?.message ?? null,
  };
  return { id, createdAt, closedAt, fields };
}
