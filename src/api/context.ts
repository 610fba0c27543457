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
import type { RoutePlugin } from './api.ts';
import { KeyWatch } from './keys/key-watch.ts';
import type { Environment } from './keys/secret.ts';
import type { CallerDeps } from './plugins/authentication.ts';
import { Idempotency } from './plugins/idempotency.ts';
import { type RateLimit, RateLimiter } from './plugins/rate-limiter.ts';
import { MAX_BODY_BYTES } from './plugins/read-json.ts';
import type { SiteRules } from './plugins/same-site.ts';
import type { AnswerStore, ApiKeyStore, PageDeps, ServiceHooks, StatusSource } from './ports.ts';
import { allRoutes } from './routes/all.ts';
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

/** What the listeners of one API share. */
export class ApiContext {
  readonly deps: ApiDeps;
  readonly log: Log;
  readonly streams: EventStreams;
  readonly callers: CallerDeps;
  readonly answers: Idempotency;
  readonly site: SiteRules;
  readonly maxBodyBytes: number;
  readonly routes: readonly RoutePlugin[];
  #closing = false;

  constructor(rules: ApiRules & { readonly scheme?: 'http' | 'https' }, deps: ApiDeps) {
    const { pages = null, clock } = deps;
    const scheme = rules.scheme ?? 'http';
    this.deps = deps;
    this.log = deps.log;
    this.streams = new EventStreams(
      deps,
      { ...STREAM_LIMITS, ...rules.stream },
      rules.maxStreams ?? MOST_STREAMS,
    );
    const sessions = pages && new Sessions({ ...deps, store: pages.sessions });
    this.callers = {
      ...deps,
      sessions,
      keyWatch: new KeyWatch(deps),
      environment: rules.environment,
      limiter: new RateLimiter(rules.rateLimit ?? DEFAULT_RATE, clock),
    };
    this.answers = new Idempotency(deps);
    this.site = {
      allowedHosts: rules.allowedHosts ?? [],
      allowedOrigins: rules.allowedOrigins ?? [],
      scheme,
    };
    this.maxBodyBytes = rules.maxBodyBytes ?? MAX_BODY_BYTES;
    const signIn = sessions && { sessions, codes: new SignInCodes(clock), scheme };
    this.routes = allRoutes({ ...deps, streams: this.streams, signIn }, rules.environment, rules.version);
  }

  /** From now on every request gets SHUTTING_DOWN. */
  close(): void {
    this.#closing = true;
  }

  get isClosing(): boolean {
    return this.#closing;
  }
}
