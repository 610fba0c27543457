import type { Clock } from '../base/clock.ts';
import type { Ids } from '../base/ids.ts';
import type { Log } from '../base/log.ts';
import type { Sealer } from '../base/sealer.ts';
import type { Spans } from '../base/span.ts';
import type { IntegrationsApi } from '../integration/integrations-api.ts';
import type { MirrorReader } from '../integration/mirror.ts';
import type { OutboxAdmin } from '../outbox/outbox-admin.ts';
import type { TerminalOperations } from '../payment/batch/terminal-operations.ts';
import type { Payments } from '../payment/payments.ts';
import type { Devices } from '../terminal/device.ts';
import type { Webhooks } from '../webhooks/webhooks.ts';
import { Door } from './door/door.ts';
import type { RateLimit } from './door/rate-limiter.ts';
import { MAX_BODY_BYTES } from './door/read-json.ts';
import { KeyWatch } from './keys/key-watch.ts';
import type { Environment } from './keys/secret.ts';
import type { AnswerStore, ApiKeyStore, OpsDeps, PageDeps, ServiceHooks, StatusSource } from './ports.ts';
import { doctorRoutes } from './routes/doctor.ts';
import { logRoutes } from './routes/log.ts';
import { pageRoutes } from './routes/pages.ts';
import type { Route } from './routes/route.ts';
import { seriesRoutes } from './routes/series.ts';
import { sessionRoutes } from './routes/sessions.ts';
import { routeTable } from './routes/table.ts';
import { virtualTerminalRoutes } from './routes/virtual-terminals.ts';
import { Sessions } from './sessions/sessions.ts';
import { SignInCodes } from './sessions/sign-in-codes.ts';
import { STREAM_LIMITS, type StreamLimits } from './stream/event-stream.ts';
import { EventStreams } from './stream/event-streams.ts';

/** The dependencies of the API. */
export interface ApiDeps {
  readonly payments: Payments;
  readonly operations: TerminalOperations;
  readonly devices: Devices;
  readonly keys: ApiKeyStore;
  readonly answers: AnswerStore;
  readonly webhooks: Webhooks;
  readonly integrations: IntegrationsApi;
  readonly outbox: OutboxAdmin;
  readonly sealer: Sealer;
  readonly status: StatusSource;
  /** null or absent: tilld receives no webhooks of the service. */
  readonly serviceHooks?: ServiceHooks | null;
  /** null or absent: there is no mirror. */
  readonly mirror?: MirrorReader | null;
  /** null or absent: there are no pages and no sign-in. */
  readonly pages?: PageDeps | null;
  /** null or absent: no spans are recorded. */
  readonly spans?: Spans | null;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
}

export interface ApiRules {
  readonly environment: Environment;
  /** tilld's own version, for the OpenAPI document. */
  readonly version: string;
  /** Host names, beside loopback, that reach tilld; lower case, without port. */
  readonly allowedHosts?: readonly string[];
  readonly allowedOrigins?: readonly string[];
  /** Per key; default 600 a minute, burst 50. */
  readonly rateLimit?: RateLimit;
  /** Maximum of a body in bytes, where a route does not accept more; default 65,536. */
  readonly maxBodyBytes?: number;
  readonly stream?: Partial<StreamLimits>;
  /** Maximum of open event streams; default 224. */
  readonly maxStreams?: number;
}

/** Of a listener's 256 connections; the rest is for requests. */
const MOST_STREAMS = 224;
const DEFAULT_RATE: RateLimit = { perMinute: 600, burst: 50 };

/** Builds the API without a listener: `door.dispatch(request)` responds the same way in a simulation and behind HTTP. */
export function openDoor(
  rules: ApiRules & { readonly scheme?: 'http' | 'https' },
  deps: ApiDeps,
): { door: Door; streams: EventStreams } {
  const streams = new EventStreams(
    deps,
    { ...STREAM_LIMITS, ...rules.stream },
    rules.maxStreams ?? MOST_STREAMS,
  );
  const scheme = rules.scheme ?? 'http';
  const { pages = null } = deps;
  const sessions = pages && new Sessions({ ...deps, store: pages.sessions });
  const routes = [
    ...routeTable({ ...deps, streams }, rules.environment, rules.version),
    ...(sessions
      ? sessionRoutes({ ...deps, sessions, codes: new SignInCodes(deps.clock), streams, scheme })
      : []),
    ...(pages?.ops ? opsRoutes(pages.ops, deps.clock) : []),
    ...(pages ? pageRoutes(pages.files) : []),
  ].map((route) => ({ maxBodyBytes: rules.maxBodyBytes ?? MAX_BODY_BYTES, ...route }));
  const site = {
    allowedHosts: rules.allowedHosts ?? [],
    allowedOrigins: rules.allowedOrigins ?? [],
    scheme,
  };
  const doorPorts = { ...deps, sessions, keyWatch: new KeyWatch(deps), environment: rules.environment };
  return { door: new Door(routes, { site, rateLimit: rules.rateLimit ?? DEFAULT_RATE }, doorPorts), streams };
}

/** Routes of the pages that tills do not use. */
function opsRoutes(ops: OpsDeps, clock: Clock): readonly Route[] {
  return [
    ...logRoutes(ops.log),
    ...seriesRoutes(ops.series, clock),
    ...doctorRoutes(ops.doctor),
    ...virtualTerminalRoutes(ops.virtualTerminals),
  ];
}
