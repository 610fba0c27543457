import type { Clock } from '../base/clock.ts';
import type { Ids } from '../base/ids.ts';
import type { Log } from '../base/log.ts';
import type { RoutePlugin } from './api.ts';
import type { Status } from './contract/status.ts';
import type { ApiDeps, ApiRules } from './deps.ts';
import { KeyWatch } from './keys/key-watch.ts';
import type { LanAddress } from './lan/lan-address.ts';
import { PairedDevices } from './people/paired-devices.ts';
import { Passkeys } from './people/passkeys.ts';
import { People } from './people/people.ts';
import { Pins } from './people/pins.ts';
import type { CallerDeps } from './plugins/authentication.ts';
import { Idempotency } from './plugins/idempotency.ts';
import { type RateLimit, RateLimiter } from './plugins/rate-limiter.ts';
import { MAX_BODY_BYTES } from './plugins/read-json.ts';
import type { SiteRules } from './plugins/same-site.ts';
import type { SignInStore } from './ports.ts';
import { type ReceiptAddress, receiptAddress } from './receipts/receipt-address.ts';
import { allRoutes } from './routes/all.ts';
import type { CodeOpens } from './routes/sessions.ts';
import type { SignInWays } from './routes/sign-in-ways.ts';
import { OneTimeCodes } from './sessions/one-time-codes.ts';
import { Sessions } from './sessions/sessions.ts';
import { STREAM_LIMITS } from './stream/event-stream.ts';
import { EventStreams } from './stream/event-streams.ts';

/** Of a listener's 256 connections; the rest is for requests. */
const MOST_STREAMS = 224;
const DEFAULT_RATE: RateLimit = { perMinute: 600, burst: 50 };

/** A page loads some eighty files; all that comes through a proxy, or from this machine, has one address. */
const STRANGERS: RateLimit = { perMinute: 6_000, burst: 600 };

const LOOPBACK_NAMES = new Set(['127.0.0.1', 'localhost', '[::1]']);

/** What the listeners of one API share. */
export class ApiContext {
  readonly deps: ApiDeps;
  readonly log: Log;
  readonly streams: EventStreams;
  readonly callers: CallerDeps;
  readonly answers: Idempotency;
  /** Of the listeners but that of the shop's network. */
  readonly site: SiteRules;
  readonly trustedProxies: readonly string[];
  readonly maxBodyBytes: number;
  readonly routes: readonly RoutePlugin[];
  readonly #hosts: readonly string[];
  readonly #urls: Pick<Status['urls'], 'sandbox' | 'socket'>;
  #local = '';
  #lan: LanAddress | null = null;
  #closing = false;

  constructor(rules: ApiRules, deps: ApiDeps) {
    const { pages = null, clock } = deps;
    this.deps = deps;
    this.#urls = rules.urls ?? { sandbox: null, socket: '' };
    this.log = deps.log;
    this.streams = new EventStreams(
      deps,
      { ...STREAM_LIMITS, ...rules.stream },
      rules.maxStreams ?? MOST_STREAMS,
    );
    const people = deps.people ? new People({ ...deps, store: deps.people }) : null;
    const sessions = pages && new Sessions({ ...deps, store: pages.sessions });
    this.callers = {
      ...deps,
      sessions,
      people,
      keyWatch: new KeyWatch(deps),
      environment: rules.environment,
      limiter: new RateLimiter(rules.rateLimit ?? DEFAULT_RATE, clock),
      strangers: new RateLimiter(STRANGERS, clock),
    };
    this.answers = new Idempotency(deps);
    const allowedHosts = rules.allowedHosts ?? [];
    this.#hosts = allowedHosts;
    this.site = {
      isHost: (name) => LOOPBACK_NAMES.has(name) || allowedHosts.includes(name),
      allowedOrigins: rules.allowedOrigins ?? [],
    };
    this.trustedProxies = rules.trustedProxies ?? [];
    this.maxBodyBytes = rules.maxBodyBytes ?? MAX_BODY_BYTES;
    const signIn = sessions && { sessions, codes: new OneTimeCodes<CodeOpens>(clock, 'tillctl sign-in') };
    const ways = people && deps.signIn ? waysOf(people, { ...deps, store: deps.signIn }) : null;
    this.routes = allRoutes(
      {
        ...{ ...deps, streams: this.streams, signIn, people, ways },
        urls: () => this.urls,
        lan: () => this.#lan,
        receipts: () => this.#receipts,
      },
      rules.environment,
      rules.version,
    );
  }

  /** The TCP listener has this address. */
  listening(url: string): void {
    this.#local = url;
  }

  /** The listener of the shop's network has this address. */
  listeningInLan(address: LanAddress): void {
    this.#lan = address;
  }

  get urls(): Status['urls'] {
    const receipts = this.#receipts?.url ?? null;
    return { local: this.#local, lan: this.#lan?.url ?? null, receipts, ...this.#urls };
  }

  get #receipts(): ReceiptAddress | null {
    return receiptAddress(this.#local, this.#hosts, this.#lan?.url ?? null);
  }

  /** From now on every request gets SHUTTING_DOWN. */
  close(): void {
    this.#closing = true;
  }

  get isClosing(): boolean {
    return this.#closing;
  }
}

function waysOf(
  people: People,
  deps: { readonly store: SignInStore; readonly clock: Clock; readonly ids: Ids },
): SignInWays {
  return {
    store: deps.store,
    people,
    passkeys: new Passkeys({ ...deps, people }),
    pins: new Pins({ ...deps, people }),
    devices: new PairedDevices(deps),
    pairing: new OneTimeCodes<string>(deps.clock, 'tillctl devices pair'),
  };
}
