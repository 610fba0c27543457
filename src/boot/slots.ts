import { z } from 'zod';
import { providerDrivers } from '../../drivers/index.ts';
import type { Clock } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import { invariant } from '../base/invariant.ts';
import type { Log } from '../base/log.ts';
import type { ServedSlot } from '../config/provider-settings.ts';
import type { Config } from '../config/schema.ts';
import type { ConfiguredProvider } from '../driver-kit/provider.ts';
import type { ProviderCredentials } from '../integration/connector.ts';
import { LOCAL_MIRROR } from '../integration/ports.ts';
import { mirrorRoute, type Route, type RunningSlot } from '../integration/running-slot.ts';
import { mayRun } from '../integration/slot.ts';
import { SlotSource, type SourceWorld } from '../integration/slot-source.ts';
import type { Slots } from '../integration/slots.ts';
import { sourceError } from '../integration/source-error.ts';
import { createSourceHttp } from '../net/source-http.ts';
import { sourceFolder } from '../runtime/source-folder.ts';

/** What slots are made of. */
export interface SlotWorld {
  readonly config: Config;
  /** Address of the service without `/v2`; null: none is configured. */
  readonly serviceUrl: string | null;
  readonly serviceKey: () => string | null;
  readonly slots: Slots;
  readonly clock: Clock;
  readonly log: Log;
}

const Credentials = z.object({
  apiKey: z.string(),
  baseUrl: z.string(),
  appName: z.string(),
  appEmail: z.string(),
});
const NO_CREDENTIALS: ProviderCredentials = { apiKey: '', baseUrl: '', appName: '', appEmail: '' };
/** The billing service as a source has no slot of its own: it is mirrored wherever it is configured. */
const MIRROR = 'service';
const DAY_MS = 86_400_000;
const NEVER_PAUSED = Number.MAX_SAFE_INTEGER;

/** A slot of the configuration, ready to run once it is activated. */
export function providerSlot(slot: ServedSlot<ConfiguredProvider>, world: SlotWorld): RunningSlot {
  const { name, config, driver, configured } = slot;
  const { slots } = world;
  const isService = driver.id === MIRROR;
  const needsCredentials = driver.reads === 'http' && !isService;
  const read = (text: string) => Credentials.parse(JSON.parse(text));
  const source = new SlotSource({
    configured,
    credentials: isService ? () => ofService(world) : () => slots.credentialsOf(name, read),
    noCredentials: needsCredentials ? null : NO_CREDENTIALS,
    openLine: (access) =>
      createSourceHttp({ access, log: world.log, allowPlainHttp: config.allow_plain_http }),
    world: files(config.folder),
    clock: world.clock,
    log: world.log.child({ slot: name }),
  });
  return {
    name,
    config: {
      connector: driver.id,
      needsCredentials,
      intervalS: config.interval_s,
      maxErrors: config.max_errors,
    },
    sweepEveryMs: config.sweep_interval_s * 1_000,
    source,
    routeOf: (resource) => routeOf(slot, resource, world),
    mayRun: () => mayRun(slots.get(name)),
    lookbackDays: () => slots.get(name).lookbackDays,
    activeSince: () => {
      const { isActive, isEnabled, updatedAt } = slots.get(name);
      return isActive && isEnabled ? updatedAt : 0;
    },
  };
}

/** The mirror of the service's own lists; none where there is no service, or no list is asked for. */
export async function mirrorSlot(world: SlotWorld): Promise<readonly RunningSlot[]> {
  const { config, serviceUrl, clock, log } = world;
  const { lists, interval_s } = config.mirror;
  if (serviceUrl === null || lists.length === 0) return [];
  const driver = providerDrivers.find(({ id }) => id === MIRROR);
  invariant(driver, 'the driver of the service is there');
  const source = new SlotSource({
    configured: await driver.configure({ lists }),
    credentials: () => ofService(world),
    noCredentials: null,
    openLine: (access) => createSourceHttp({ access, log }),
    world: files(undefined),
    clock,
    log: log.child({ slot: MIRROR }),
  });
  const since = clock.now();
  return [
    {
      name: MIRROR,
      config: { connector: MIRROR, needsCredentials: false, intervalS: interval_s, maxErrors: NEVER_PAUSED },
      sweepEveryMs: DAY_MS,
      source,
      routeOf: () => mirrorRoute(LOCAL_MIRROR),
      mayRun: () => world.serviceKey() !== null,
      lookbackDays: () => null,
      activeSince: () => since,
    },
  ];
}

function routeOf({ config }: ServedSlot<ConfiguredProvider>, resource: string, _world: SlotWorld): Route {
  if (config.sink === 'mirror') return mirrorRoute(LOCAL_MIRROR);
  throw new AppError('OPERATION_NOT_SUPPORTED', `the service takes no ${resource}`);
}

function ofService({ serviceUrl, serviceKey }: SlotWorld): ProviderCredentials | null {
  const apiKey = serviceKey();
  return serviceUrl === null || apiKey === null
    ? null
    : { ...NO_CREDENTIALS, apiKey, baseUrl: `${serviceUrl}/v2` };
}

function files(folder: string | undefined): SourceWorld {
  const none = () => Promise.reject(sourceError('SOURCE_REFUSED', 'no folder is configured'));
  const { files: list, readFile } =
    folder === undefined ? { files: none, readFile: none } : sourceFolder(folder);
  return { files: list, readFile };
}
