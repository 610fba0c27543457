import { PROVIDERS } from '../integration.ts';
import type { SyncControl } from '../sync-control.ts';
import type { StreamKey } from '../window/stream.ts';

/** Only invoices are refreshed one by one, and read back at once. */
export const INVOICES = 'invoices';
/** The service's own list of invoices, with those that providers brought. */
export const READ_BACK: StreamKey = { integration: 'service', resource: INVOICES };

function isReadBack({ integration, resource }: StreamKey): boolean {
  return integration === READ_BACK.integration && resource === READ_BACK.resource;
}

/** When the newest run that brings invoices to the service ended; 0: there was none. */
function importedAt(control: SyncControl): number {
  const ends = PROVIDERS.map((integration) => {
    const [run] = control.runsSince({ integration, resource: INVOICES }, 0, 1);
    return run && run.created + run.updated > 0 ? (run.endedAt ?? 0) : 0;
  });
  return Math.max(...ends);
}

/** Whether the last run of a stream brought invoices: staff can pick them once they are read back, not an interval later. */
export function hasImportedInvoices(control: SyncControl, stream: StreamKey): boolean {
  if (stream.resource !== INVOICES) return false;
  const [run] = control.runsSince(stream, 0, 1);
  return run !== undefined && run.created + run.updated > 0;
}

/** When the last run of a stream ended; null: it is due at once, for it was killed or stopped, or newer invoices are to be read back. */
export function lastEndOf(control: SyncControl, stream: StreamKey): number | null {
  const [last] = control.runsSince(stream, 0, 1);
  if (!last || last.outcome === 'killed' || last.outcome === 'stopped') return null;
  return isReadBack(stream) && importedAt(control) > last.startedAt ? null : last.endedAt;
}
