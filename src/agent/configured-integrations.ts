import { z } from 'zod';
import { providerDrivers } from '../../drivers/index.ts';
import type { Clock } from '../base/clock.ts';
import type { Ids } from '../base/ids.ts';
import { invariant } from '../base/invariant.ts';
import type { Log } from '../base/log.ts';
import type { ServedIntegration } from '../config/provider-settings.ts';
import { scheduleOf } from '../config/resource-schedule.ts';
import type { Config } from '../config/schema.ts';
import type { ConfiguredProvider } from '../driver-kit/provider.ts';
import type { ProviderCredentials, ShopTerminals } from '../integration/connector.ts';
import { sourceError } from '../integration/failure/source-error.ts';
import { isScheduled, mayRun } from '../integration/integration.ts';
import {
  IntegrationSource,
  type SourceLine,
  type SourceWorld,
} from '../integration/runner/integration-source.ts';
import { mirrorRoute, type Route, type RunningIntegration } from '../integration/running-integration.ts';
import { atInterval } from '../integration/schedule/timetable.ts';
import type { IntegrationSettings } from '../integration/settings/integration-settings.ts';
import { createSourceHttp } from '../net/source-http.ts';
import { sourceFolder } from '../runtime/source-folder.ts';
import { timetableOf } from '../runtime/timetable.ts';
import type { ServiceLink } from '../service/service-link.ts';
import { createServiceSink } from '../service/sync-sink/service-sink.ts';
import { sourceOverLine } from '../service/sync-source.ts';
import type { OAuthClients } from './oauth-clients.ts';

/** What integrations need. */
export interface IntegrationWorld {
  readonly config: Config;
  /** Address of the service without `/v2`; null: none is configured. */
  readonly serviceUrl: string | null;
  readonly serviceKey: () => string | null;
  readonly settings: IntegrationSettings;
  readonly oauth: OAuthClients;
  /** null: no service is configured. */
  readonly link: Pick<ServiceLink, 'sync' | 'serviceTime'> | null;
  /** The terminals of this shop, as far as a connector may know them. */
  readonly terminals: ShopTerminals;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly log: Log;
}

const Credentials = z.object({
  apiKey: z.string(),
  baseUrl: z.string(),
  appName: z.string(),
  appEmail: z.string(),
});

/** A credential as it was stored. */
export function readCredentials(text: string): ProviderCredentials {
  return Credentials.parse(JSON.parse(text));
}

const NO_CREDENTIALS: ProviderCredentials = { apiKey: '', baseUrl: '', appName: '', appEmail: '' };
/** The billing service as a source has no integration of its own: it is mirrored wherever it is configured. */
const MIRROR = 'service';
/** The terminals' own journals are compared here; the service has no place for them. */
const TERMINALS = 'terminals';
const DAY_MS = 86_400_000;
const NEVER_PAUSED = Number.MAX_SAFE_INTEGER;

/** An integration of the configuration, ready to run once it is activated. */
export function providerIntegration(
  integration: ServedIntegration<ConfiguredProvider>,
  world: IntegrationWorld,
): RunningIntegration {
  const { name, config, driver, configured, changedRecipe } = integration;
  const { settings } = world;
  const needsCredentials = needsOwnCredentials(integration);
  const routes = routesOf(integration, world);
  const timetables = new Map(
    configured.resources.map((one) => [one.name, timetableOf(scheduleOf(config, one.name))]),
  );
  return {
    name,
    config: {
      connector: driver.id,
      needsCredentials,
      needs: needsCredentials ? [...new Set(['apiKey' as const, ...configured.needs])] : [],
      authorisedBy: configured.authorisedBy,
      webhook: configured.webhook,
      title: configured.title,
      intervalS: config.interval_s,
      maxErrors: config.max_errors,
      changedRecipe,
    },
    sweepEveryMs: config.sweep_interval_s * 1_000,
    timetableOf: (resource) => timetables.get(resource) ?? atInterval(config.interval_s * 1_000),
    source: sourceOf(integration, world),
    routeOf: (resource) => routes.get(resource) ?? mirrorRoute(),
    mayRun: () => mayRun(settings.get(name)),
    isScheduled: () => isScheduled(settings.get(name)),
    lookbackDays: () => settings.get(name).lookbackDays,
    activeSince: () => {
      const { isActive, isEnabled, updatedAt } = settings.get(name);
      return isActive && isEnabled ? updatedAt : 0;
    },
  };
}

/** The billing service is read with the credential of the link. */
function needsOwnCredentials({ driver }: ServedIntegration<ConfiguredProvider>): boolean {
  return driver.reads === 'http' && driver.id !== MIRROR;
}

function sourceOf(
  integration: ServedIntegration<ConfiguredProvider>,
  world: IntegrationWorld,
): IntegrationSource {
  const { name, config, driver, configured } = integration;
  const isService = driver.id === MIRROR;
  const oauthIntegration = {
    name,
    allowPlainHttp: config.allow_plain_http,
    read: readCredentials,
    accessOf: (credentials: ProviderCredentials) => configured.access(credentials),
  };
  return new IntegrationSource({
    configured,
    credentials: isService
      ? () => ofService(world)
      : () => world.settings.credentialsOf(name, readCredentials),
    noCredentials: needsOwnCredentials(integration) ? null : NO_CREDENTIALS,
    credentialStored: () => world.oauth.keep(name),
    openLine: (access) =>
      isService
        ? overTheLink(world)
        : createSourceHttp({
            access,
            log: world.log,
            allowPlainHttp: config.allow_plain_http,
            ...world.oauth.tokensOf(oauthIntegration, access),
          }),
    world:
      driver.reads === TERMINALS
        ? { ...sourceWorld(undefined), terminals: world.terminals }
        : sourceWorld(config.folder),
    clock: world.clock,
    log: world.log.child({ slot: name }),
  });
}

/** The mirror of the service's own lists; empty when there is no service, or no list is configured. */
export async function mirrorIntegration(world: IntegrationWorld): Promise<readonly RunningIntegration[]> {
  const { config, serviceUrl, clock, log } = world;
  const { lists, interval_s } = config.mirror;
  if (serviceUrl === null || lists.length === 0) return [];
  const driver = providerDrivers.find(({ id }) => id === MIRROR);
  invariant(driver, 'the driver of the service is there');
  const source = new IntegrationSource({
    configured: await driver.configure({ lists }),
    credentials: () => ofService(world),
    noCredentials: null,
    openLine: () => overTheLink(world),
    world: sourceWorld(undefined),
    clock,
    log: log.child({ slot: MIRROR }),
  });
  const since = clock.now();
  const timetable = atInterval(interval_s * 1_000);
  return [
    {
      name: MIRROR,
      config: {
        connector: MIRROR,
        needsCredentials: false,
        needs: [],
        intervalS: interval_s,
        maxErrors: NEVER_PAUSED,
      },
      sweepEveryMs: DAY_MS,
      timetableOf: () => timetable,
      source,
      routeOf: () => mirrorRoute(),
      mayRun: () => world.serviceKey() !== null,
      isScheduled: () => world.serviceKey() !== null,
      lookbackDays: () => null,
      activeSince: () => since,
    },
  ];
}

/** Where each resource of an integration goes, computed once. */
function routesOf(
  { name, config, configured, driver }: ServedIntegration<ConfiguredProvider>,
  { link, settings, ids, clock }: IntegrationWorld,
): ReadonlyMap<string, Route> {
  const toMirror = config.sink === 'mirror' || link === null || driver.reads === TERMINALS;
  return new Map(
    configured.resources.map(({ name: resource }): [string, Route] => {
      if (toMirror) return [resource, mirrorRoute()];
      const integration = () => settings.get(name);
      const mappings = () => settings.mappingsOf(name);
      const now = () => link.serviceTime.now() ?? clock.now();
      const parts = { line: link.sync, integration, resource, mappings, ids, now };
      return [resource, createServiceSink({ ...parts, customerPrefix: config.customer_prefix })];
    }),
  );
}

/** The service's own lists are read through the link: with its key, within its request quota, and never before a payment. */
function overTheLink({ link }: IntegrationWorld): SourceLine {
  invariant(link, 'there is a link wherever the service is a source');
  return { request: sourceOverLine(link.sync), close: () => Promise.resolve() };
}

function ofService({ serviceUrl, serviceKey }: IntegrationWorld): ProviderCredentials | null {
  const apiKey = serviceKey();
  return serviceUrl === null || apiKey === null
    ? null
    : { ...NO_CREDENTIALS, apiKey, baseUrl: `${serviceUrl}/v2` };
}

/** The files of a folder; undefined: there are none. */
export function sourceWorld(folder: string | undefined): SourceWorld {
  const none = () => Promise.reject(sourceError('SOURCE_REFUSED', 'no folder is configured'));
  const { files: list, readFile } =
    folder === undefined ? { files: none, readFile: none } : sourceFolder(folder);
  return { files: list, readFile };
}
