import type { Clock } from '../base/clock.ts';
import type { Ids } from '../base/ids.ts';
import type { Language } from '../base/language.ts';
import type { Log } from '../base/log.ts';
import type { Sealer } from '../base/sealer.ts';
import type { ShopCalendar } from '../base/shop-day.ts';
import type { Spans } from '../base/span.ts';
import type { IntegrationsApi } from '../integration/integrations-api.ts';
import type { MirrorReader } from '../integration/views/mirror.ts';
import type { OutboxAdmin } from '../outbox/outbox-admin.ts';
import type { TerminalOperations } from '../payment/batch/terminal-operations.ts';
import type { DrainLease } from '../payment/guards/drain-lease.ts';
import type { Payments } from '../payment/payments.ts';
import type { TakingsSource } from '../payment/takings/taking.ts';
import type { Devices } from '../terminal/device.ts';
import type { Webhooks } from '../webhooks/webhooks.ts';
import type { Status } from './contract/status.ts';
import type { FleetMember } from './fleet-member.ts';
import type { Environment } from './keys/secret.ts';
import type { RateLimit } from './plugins/rate-limiter.ts';
import type {
  AnswerStore,
  ApiKeyStore,
  PageDeps,
  PeopleStore,
  ServiceHooks,
  SignInStore,
  StatusSource,
  TerminalActivity,
} from './ports.ts';
import type { StreamLimits } from './stream/event-stream.ts';

/** The dependencies of the API. */
export interface ApiDeps {
  readonly payments: Payments;
  readonly operations: TerminalOperations;
  readonly takings: TakingsSource;
  readonly activity: TerminalActivity;
  /** Of the shop's time zone. */
  readonly calendar: ShopCalendar;
  /** Of the shop; absent: none is chosen. */
  readonly language?: Language;
  readonly drain: DrainLease;
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
  /** Lists of the service that the configuration mirrors; absent: none. */
  readonly mirrorLists?: readonly string[];
  /** null or absent: there are no pages and no sign-in. */
  readonly pages?: PageDeps | null;
  /** null or absent: there are no named people. */
  readonly people?: PeopleStore | null;
  /** null or absent: people sign in with codes alone. */
  readonly signIn?: SignInStore | null;
  /** null or absent: no spans are recorded. */
  readonly spans?: Spans | null;
  /** null or absent: no fleet can be joined. */
  readonly fleet?: FleetMember | null;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
}

export interface ApiRules {
  readonly environment: Environment;
  /** What the status shows as addresses; absent: none. */
  readonly urls?: Pick<Status['urls'], 'sandbox' | 'socket'>;
  /** tilld's own version, for the OpenAPI document. */
  readonly version: string;
  /** Host names, beside loopback, that reach tilld; lower case, without port. */
  readonly allowedHosts?: readonly string[];
  readonly allowedOrigins?: readonly string[];
  /** Addresses and ranges of reverse proxies that are believed about their clients; default: none. */
  readonly trustedProxies?: readonly string[];
  /** Per key; default 600 a minute, burst 50. */
  readonly rateLimit?: RateLimit;
  /** Maximum of a body in bytes, where a route does not accept more; default 65,536. */
  readonly maxBodyBytes?: number;
  readonly stream?: Partial<StreamLimits>;
  /** Maximum of open event streams; default 224. */
  readonly maxStreams?: number;
}
