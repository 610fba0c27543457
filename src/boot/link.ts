import type { Clock } from '../base/clock.ts';
import type { Ids } from '../base/ids.ts';
import type { Log } from '../base/log.ts';
import type { Spans } from '../base/span.ts';
import type { Config } from '../config/schema.ts';
import { bareConnection } from '../net/bare-connection.ts';
import { createHttpClient } from '../net/http-client.ts';
import type { FeedPlace, OutboxStore } from '../outbox/ports.ts';
import type { DiskSpace } from '../payment/guards/disk-space.ts';
import type { ServiceWork } from '../payment/guards/service-work.ts';
import type { ServicePaths } from '../service/contract.ts';
import type { LinkReason } from '../service/link-state.ts';
import { createServiceLink, type ServiceLink } from '../service/service-link.ts';

export interface LinkDeps {
  readonly config: Config;
  /** Address of the service without `/v2`; null: none is configured. */
  readonly url: string | null;
  readonly agent: string;
  /** Identity of this machine and state folder; null: no witness was read. */
  readonly instance: string | null;
  readonly credential: () => string | null;
  /** undefined: tilld receives no webhooks from the service. */
  readonly hookSecrets: (() => readonly string[]) | undefined;
  /** The id of this run of the process. */
  readonly processRun: string;
  readonly store: OutboxStore & FeedPlace;
  readonly work: ServiceWork;
  /** Receives the service's clock, epoch ms. */
  readonly heardTime: (serviceMs: number) => void;
  readonly disk: DiskSpace;
  readonly spans: Spans | null;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
}

/** Makes the link to the service; null when none is configured: payments stay local then. */
export function makeLink(deps: LinkDeps): ServiceLink | null {
  const { config, url, agent, credential, hookSecrets, store, work, clock, ids } = deps;
  const { service } = config;
  if (!service || url === null) return null;
  const log = deps.log.child({ part: 'link' });
  return createServiceLink(
    {
      connect: (onRetry) =>
        createHttpClient({ baseUrl: `${url}/v2`, log, onRetry, breaker: { resetMs: 1_000 } }),
      connectSync: (onRetry) =>
        createHttpClient({ baseUrl: `${url}/v2`, log, onRetry, connections: 2, maxBodyBytes: SYNC_BODY }),
      probe: () => bareConnection(url),
      processRun: deps.processRun,
      store,
      work,
      disk: deps.disk,
      spans: deps.spans,
      heardTime: deps.heardTime,
      credential,
      ...(hookSecrets ? { hookSecrets } : {}),
      clock,
      ids,
      log,
    },
    {
      agent,
      ...(deps.instance === null ? {} : { instance: deps.instance }),
      deviceIds: config.devices.map((device) => device.id),
      createLocal: service.create_local === 'on',
      pollIntervalMs: service.poll_interval_ms,
      maxAgeMs: config.lane.max_age_ms,
      ...(service.paths ? { paths: pathsOf(service.paths) } : {}),
      budget: { perMinute: service.requests_per_minute, burst: service.burst },
    },
  );
}

/** A page of a hundred invoices with all their lines. */
const SYNC_BODY = 16 * 1024 * 1024;

/** Only the configured paths: an absent path keeps its default. */
function pathsOf(paths: NonNullable<NonNullable<Config['service']>['paths']>): Partial<ServicePaths> {
  return Object.fromEntries(Object.entries(paths).filter(([, path]) => path !== undefined));
}

/** Why the service cannot be used, in words. */
export const LINK_REASONS = {
  line: 'the service cannot be reached: no connection',
  name_resolution: 'the service cannot be reached: its name has no address',
  service: 'the service answers with errors',
  captive_portal: 'the network wants a sign-in: its page answers in place of the service',
  wrong_host: 'another host or a proxy answers in place of the service',
  key: 'the service refuses our key: check the credential',
} as const satisfies Readonly<Record<LinkReason, string>>;
