import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { Config } from '../config/schema.ts';
import { bareConnection } from '../net/bare-connection.ts';
import { createHttpClient } from '../net/http-client.ts';
import type { ServicePaths } from '../service/contract.ts';
import { createServiceConnection } from '../service/service-connection.ts';
import type { LinkReason } from '../service/service-health.ts';
import type { AgentService } from './create-agent.ts';
import type { Money } from './money.ts';

export interface ServiceDeps {
  readonly config: Config;
  /** Address of the service without `/v2`; null: none is configured. */
  readonly url: string | null;
  readonly money: Pick<Money, 'elapsed' | 'processRun'>;
  readonly credential: () => string | null;
  /** undefined: tilld receives no webhooks from the service. */
  readonly hookSecrets: (() => readonly string[]) | undefined;
  readonly clock: Clock;
  readonly log: Log;
}

/** The configured service; null when there is none: payments stay local then. Nothing is sent yet. */
export function makeService(deps: ServiceDeps): AgentService | null {
  const { config, url, money, credential, hookSecrets, clock } = deps;
  const { service } = config;
  if (!service || url === null) return null;
  const log = deps.log.child({ part: 'link' });
  const connection = createServiceConnection(
    {
      connect: (onRetry) =>
        createHttpClient({ baseUrl: `${url}/v2`, log, onRetry, breaker: { resetMs: 1_000 } }),
      connectSync: (onRetry) =>
        createHttpClient({ baseUrl: `${url}/v2`, log, onRetry, connections: 2, maxBodyBytes: SYNC_BODY }),
      probe: () => bareConnection(url),
      processRun: money.processRun,
      heardTime: (serviceMs) => money.elapsed.heard('service', serviceMs),
      credential,
      clock,
      log,
    },
    {
      ...(service.paths ? { paths: pathsOf(service.paths) } : {}),
      budget: { perMinute: service.requests_per_minute, burst: service.burst },
    },
  );
  return {
    connection,
    createLocal: service.create_local === 'on',
    pollIntervalMs: service.poll_interval_ms,
    maxAgeMs: config.lane.max_age_ms,
    ...(hookSecrets ? { hookSecrets } : {}),
  };
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
