import type { Clock } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import type { Ids } from '../base/ids.ts';
import type { Log } from '../base/log.ts';
import type { Sealer } from '../base/sealer.ts';
import type { SlotName } from '../integration/slot.ts';
import { SlotDesk } from '../integration/slot-desk.ts';
import { Slots } from '../integration/slots.ts';
import type { SyncRunner } from '../integration/sync-runner.ts';
import type { Database } from '../store/database.ts';
import { SqliteSlotStore } from '../store/sqlite-slot-store.ts';

export interface IntegrationParts {
  readonly database: Database;
  readonly sealer: Sealer;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
}

/** Wires the four slots; no connector serves any of them, so that they can be looked at and set, and nothing runs. */
export function makeIntegrations({ database, sealer, clock, ids, log }: IntegrationParts): SlotDesk {
  const store = new SqliteSlotStore(database, () => ids.uuid());
  const slots = new Slots({ store, sealer, clock, log: log.child({ part: 'integrations' }) });
  const nobody = { configured: new Map(), runner: NO_RUNNER, productName: () => null };
  return new SlotDesk({ ...nobody, slots, clock });
}

/** Nothing runs where no slot has a connector. */
const NO_RUNNER: SyncRunner = {
  queue: unconfigured,
  stop: () => undefined,
  nextRunAt: unconfigured,
  lastCompleteAt: unconfigured,
  test: async (slot) => unconfigured(slot),
  credentialsChanged: unconfigured,
  mappingsChanged: unconfigured,
  refreshInvoice: unconfigured,
  invoiceRefresh: unconfigured,
  stats: unconfigured,
  statsByResource: unconfigured,
  streams: unconfigured,
  parked: unconfigured,
  approve: unconfigured,
  dryRun: async (slot) => unconfigured(slot),
};

function unconfigured(slot: SlotName): never {
  throw new AppError('SLOT_NOT_CONFIGURED', `No connector serves ${slot}`, {
    context: { details: { provider: slot, configured: false } },
  });
}
