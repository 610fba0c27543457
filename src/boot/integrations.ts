import { providerDrivers } from '../../drivers/index.ts';
import type { SeriesSource } from '../api/ports.ts';
import type { Clock } from '../base/clock.ts';
import type { Ids } from '../base/ids.ts';
import type { Log } from '../base/log.ts';
import type { Sealer } from '../base/sealer.ts';
import { parseProviderSettings } from '../config/provider-settings.ts';
import type { Config } from '../config/schema.ts';
import { SyncEngine } from '../integration/engine.ts';
import type { MirrorReader } from '../integration/mirror.ts';
import { IntegrationRunner } from '../integration/runner.ts';
import type { RunningSlot } from '../integration/running-slot.ts';
import { SLOTS, type SlotName } from '../integration/slot.ts';
import { SlotDesk } from '../integration/slot-desk.ts';
import { Slots } from '../integration/slots.ts';
import type { ConfiguredSlot } from '../integration/sync-runner.ts';
import type { Room } from '../payment/room.ts';
import { digest } from '../runtime/digest.ts';
import type { Lifecycle } from '../runtime/lifecycle.ts';
import type { StateFolder } from '../runtime/state-folder.ts';
import { openMirror } from '../store/mirror-database.ts';
import { SqliteMirrorReader } from '../store/sqlite-mirror-reader.ts';
import { syncSeries } from '../store/sqlite-series.ts';
import { SqliteSlotStore } from '../store/sqlite-slot-store.ts';
import { SqliteSyncDesk } from '../store/sqlite-sync-desk.ts';
import { SqliteSyncStore } from '../store/sqlite-sync-store.ts';
import type { Money } from './money.ts';
import type { Shop } from './shop.ts';
import { mirrorSlot, providerSlot } from './slots.ts';
import { type SyncLights, syncLights } from './sync-lights.ts';

export interface IntegrationParts {
  readonly config: Config;
  readonly folder: StateFolder;
  readonly money: Pick<Money, 'database'>;
  readonly room: Room;
  readonly shop: Pick<Shop, 'lanes' | 'link'>;
  /** Address of the service without `/v2`; null: none is configured. */
  readonly serviceUrl: string | null;
  readonly serviceKey: () => string | null;
  readonly sealer: Sealer;
  readonly version: string;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly lifecycle: Lifecycle;
}

/** The provider integrations and the local mirror. */
export interface Integrations {
  readonly slots: Slots;
  /** What people and till software ask. */
  readonly desk: SlotDesk;
  readonly configured: ReadonlyMap<SlotName, ConfiguredSlot>;
  readonly runner: IntegrationRunner;
  readonly mirror: MirrorReader;
  /** Runs over time. @throws STORAGE_FAILED */
  readonly series: SeriesSource['syncs'];
  readonly lights: SyncLights;
  /** Starts what is due. */
  tick(): void;
  /** Frees room that old runs take, and moves what was written into the file; when nobody pays. */
  tidy(): void;
  /** Runs what is due; stopped before the link is. */
  start(): void;
}

const RUNS_KEPT_MS = 8 * 24 * 3_600_000;
const FORGOTTEN_AT_ONCE = 1_000;

/**
 * Opens the mirror and wires the slots of the configuration; no source is asked before `start()`.
 * @throws CONFIG_INVALID, STORAGE_FULL, STORAGE_FAILED
 */
export async function makeIntegrations(parts: IntegrationParts): Promise<Integrations> {
  const { config, folder, money, room, shop, sealer, version, clock, ids, lifecycle } = parts;
  const log = parts.log.child({ part: 'sync' });
  const served = await parseProviderSettings(config, providerDrivers);
  const { database, isNew } = openMirror(folder.mirrorDatabase, version);
  lifecycle.started('mirror', () => database.close());
  if (isNew)
    log.warn({ file: folder.mirrorDatabase }, 'mirror could not be used and is read anew from its sources');
  const store = new SqliteSyncStore(database);
  const desk = new SqliteSyncDesk(database);
  const slotStore = new SqliteSlotStore(money.database, () => ids.uuid());
  const slots = new Slots({ store: slotStore, sealer, clock, log });
  const payments = { isBusy: () => shop.lanes.list().some(({ status }) => status === 'busy') };
  const mayWrite = () => room.lack() === null;
  const engine = new SyncEngine({ store, clock, digest, payments, mayWrite, log, owner: ids.uuid() });
  const world = { ...parts, log, slots };
  const running: readonly RunningSlot[] = [
    ...served.map((slot) => providerSlot(slot, world)),
    ...(await mirrorSlot(world)),
  ];
  const runner = new IntegrationRunner({ engine, store, desk, slots, digest, clock, ids, log }, running);
  const configured = configuredOf(running);
  return {
    slots,
    desk: new SlotDesk({ slots, runner, configured, productName: () => null, clock }),
    configured,
    runner,
    mirror: new SqliteMirrorReader(database),
    series: (since, bucketMs) => syncSeries(database, since, bucketMs),
    lights: syncLights(runner, slots, clock),
    tick: () => runner.tick(),
    tidy: () => {
      desk.forgetRuns(clock.now() - RUNS_KEPT_MS, FORGOTTEN_AT_ONCE);
      database.checkpoint();
    },
    start: () => {
      runner.start();
      lifecycle.started('syncs', () => runner.close());
    },
  };
}

function configuredOf(running: readonly RunningSlot[]): ReadonlyMap<SlotName, ConfiguredSlot> {
  return new Map(
    SLOTS.flatMap((name) => {
      const slot = running.find((one) => one.name === name);
      return slot ? [[name, slot.config] as const] : [];
    }),
  );
}
