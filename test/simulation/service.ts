import { type Clock, sleep } from '../../src/base/clock.ts';
import { AppError } from '../../src/base/errors.ts';
import type { Ids } from '../../src/base/ids.ts';
import { silentLog } from '../../src/base/log.ts';
import type { HttpClient, HttpReply, HttpRequest } from '../../src/net/http-client.ts';
import { ApiKeys } from '../../src/sandbox/service/api-keys.ts';
import { BehaviourSwitch } from '../../src/sandbox/service/behaviour.ts';
import { Refusal, unknownRoute } from '../../src/sandbox/service/errors.ts';
import { Events } from '../../src/sandbox/service/events.ts';
import { IdempotencyKeys } from '../../src/sandbox/service/idempotency.ts';
import { ImportedRecords } from '../../src/sandbox/service/imported-records.ts';
import { Integrations } from '../../src/sandbox/service/integrations.ts';
import { Ledger } from '../../src/sandbox/service/ledger.ts';
import { Merchant } from '../../src/sandbox/service/merchant.ts';
import type { Operation } from '../../src/sandbox/service/operation.ts';
import { operationsOf } from '../../src/sandbox/service/operations.ts';
import { Payments } from '../../src/sandbox/service/payments.ts';
import { RateLimit } from '../../src/sandbox/service/rate-limit.ts';
import type { PaymentRecord } from '../../src/sandbox/service/records.ts';
import { RequestPipeline } from '../../src/sandbox/service/request-pipeline.ts';
import { ServiceClock } from '../../src/sandbox/service/service-clock.ts';
import type { SandboxSettings } from '../../src/sandbox/service/settings.ts';
import { versionHeaders } from '../../src/sandbox/service/versions.ts';
import { WebhookDeliveries } from '../../src/sandbox/service/webhook-deliveries.ts';
import { WebhookEndpoints } from '../../src/sandbox/service/webhook-endpoints.ts';
import type { Device } from '../../src/terminal/device.ts';
import type { Crime } from './crimes.ts';
import type { Random } from './random.ts';
import { ServiceWatch } from './service-watch.ts';
import type { Trace } from './trace.ts';

export const SERVICE_KEY = 'rk_sandbox_simulated';
const OTHER_KEY = 'rk_sandbox_another_agent';
const SCOPES = ['payments:read', 'payments:write', 'webhooks:read'];

/** What is wrong with the next requests. */
export type ServiceFault =
  | 'status_500'
  | 'status_503'
  | 'status_429'
  | 'status_409'
  | 'status_422'
  | 'answer_lost'
  | 'hangs'
  | 'twice'
  | 'portal';
/** Our key is taken for nobody's, or for that of another merchant, who sees nothing of ours. */
export type KeyTrouble = 'unknown' | 'foreign';

export interface SimServiceDeps {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly random: Random;
  readonly trace: Trace;
  readonly fault: (text: string) => void;
  readonly accuse: (crime: Crime, text: string) => void;
  /** Where it keeps what it knows; default: in memory, all of it. */
  readonly ledger?: Ledger;
  /** Sees each request as it arrives and as it is answered, from all that ask. */
  readonly gauge?: ServiceGauge;
  /** For how long a key is trusted without a look-up; see {@link ServiceWatch}. */
  readonly keyTrustMs?: number;
}

/** Who measures what reaches the service. */
export interface ServiceGauge {
  arrives(request: HttpRequest): void;
  answered(request: HttpRequest, reply: HttpReply): void;
}

export interface SimServiceShape
  extends Pick<SandboxSettings, 'honoursOurId' | 'keepsMetadata' | 'refusesUnknownFields' | 'plan'> {
  readonly devices: SandboxSettings['devices'];
}

/**
 * The billing service below HTTP: the sandbox's own request pipeline, ledger and keys, with a line in front of it that loses requests,
 * loses answers, doubles them and goes away. It is one `HttpClient` for each life of the agent.
 */
export class SimService {
  /** What it saw of our requests. */
  readonly watch: ServiceWatch;
  /** Payments that were cancelled here by the back office. */
  readonly cancelled = new Set<string>();
  /** Payments that the service lost by itself. */
  readonly forgotten = new Set<string>();
  readonly #now: () => number;
  readonly #deps: SimServiceDeps;
  readonly #ledger: Ledger;
  readonly #payments: Payments;
  readonly #pipeline: RequestPipeline;
  readonly #operations: readonly { readonly operation: Operation; readonly path: RegExp }[];
  readonly #faults: { what: ServiceFault; times: number; only: string }[] = [];
  readonly keepsMetadata: boolean;
  readonly honoursOurId: boolean;
  #offlineUntil = 0;
  #keyTrouble: { readonly what: KeyTrouble; readonly until: number } | null = null;

  constructor(shape: SimServiceShape, deps: SimServiceDeps) {
    const { ids } = deps;
    this.#deps = deps;
    this.#ledger = deps.ledger ?? new RememberedLedger({ load: () => null, save: () => undefined });
    this.keepsMetadata = shape.keepsMetadata;
    this.honoursOurId = shape.honoursOurId;
    this.watch = new ServiceWatch({
      elapsed: () => deps.clock.monotonic(),
      accuse: deps.accuse,
      paymentOf: (id) => this.#ledger.payments.get(id),
      isForgotten: (id) => this.forgotten.has(id),
      ...(deps.keyTrustMs === undefined ? {} : { keyTrustMs: deps.keyTrustMs }),
    });
    const settings: SandboxSettings = {
      ...shape,
      listen: { host: '127.0.0.1', port: 0 },
      keys: [SERVICE_KEY, OTHER_KEY].map((key) => ({ key, scopes: SCOPES })),
      honoursOurId: true,
      hasClaim: true,
    };
    const behaviour = new BehaviourSwitch();
    behaviour.change({ ignores_our_id: !shape.honoursOurId });
    const clock = new ServiceClock(deps.clock, () => 0);
    this.#now = () => clock.now();
    const ledger = this.#ledger;
    const deliveries = new WebhookDeliveries(ledger, clock, ids, silentLog, behaviour);
    const events = new Events(ledger, clock, ids, () => undefined);
    this.#payments = new Payments({ settings, ledger, events, clock, ids, behaviour });
    const endpoints = new WebhookEndpoints(ledger, clock, ids, true);
    const parts = {
      settings,
      payments: this.#payments,
      events,
      endpoints,
      deliveries,
      integrations: new Integrations(ledger, clock, true),
      merchant: new Merchant(settings, ids, ledger, new ImportedRecords(ledger, ids, clock, settings)),
      behaviour,
    };
    this.#operations = operationsOf(parts).map((operation) => ({
      operation,
      path: new RegExp(`^${operation.path.replace(/:(\w+)/g, '(?<$1>[^/]+)')}$`),
    }));
    const keys = new ApiKeys(ledger, clock, ids);
    keys.configure(settings.keys);
    this.#pipeline = new RequestPipeline({
      keys,
      clock,
      rateLimit: new RateLimit(shape.plan, clock),
      idempotency: new IdempotencyKeys(ledger, clock),
      ledger,
      payments: this.#payments,
      behaviour,
      stopping: new AbortController().signal,
    });
  }

  get payments(): readonly PaymentRecord[] {
    return [...this.#ledger.payments.values()];
  }

  /** The line as one life of the agent has it: when it dies, answers find nobody. */
  connect(isDead: () => boolean): HttpClient {
    return { request: (request) => this.#request(request, isDead), close: async () => undefined };
  }

  goOffline(ms: number): void {
    this.#offlineUntil = Math.max(this.#offlineUntil, this.#deps.clock.monotonic() + ms);
  }

  /** `only`: what `METHOD /path` must begin with. */
  spoil(what: ServiceFault, times: number, only = ''): void {
    this.#faults.push({ what, times, only });
  }

  /** Requests are taken as they come again. */
  mend(): void {
    this.#faults.length = 0;
  }

  /** Our key was rolled there and not here, for so long. */
  troubleKey(what: KeyTrouble, ms: number): void {
    this.#keyTrouble = { what, until: this.#deps.clock.monotonic() + ms };
  }

  heal(): void {
    this.#offlineUntil = 0;
    this.#keyTrouble = null;
    this.#faults.length = 0;
  }

  /** The back office gives money of a charged sale back. @returns false when there is nothing to give back. */
  askBack(type: 'refund' | 'void', amountMinor: number | null): boolean {
    const { random, trace } = this.#deps;
    const charged = this.payments.filter((one) => one.type === 'sale' && one.status === 'succeeded');
    if (charged.length === 0) return false;
    const { id } = random.pick(charged.slice(-6));
    try {
      this.#payments.requestBack(
        id,
        type,
        type === 'void' || amountMinor === null ? {} : { amount_minor: amountMinor },
      );
      trace.say('service', () => `wants a ${type} of ${id}`);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return false;
    }
    return true;
  }

  /** The back office cancels something that has not ended there, whoever works on it. */
  cancelSomething(): void {
    const { random, trace } = this.#deps;
    const open = this.payments.filter(({ completedAt }) => completedAt === null);
    if (open.length === 0) return;
    const { id, status } = random.pick(open.slice(-4));
    this.#payments.cancel(id, {});
    this.cancelled.add(id);
    trace.say('service', () => `cancels ${id}, which was ${status}`);
  }

  /** The service loses a payment that had ended: it was set back itself. */
  forgetSomething(): void {
    const { random, trace } = this.#deps;
    const known = this.payments.filter(
      ({ askedBy, status }) => askedBy === 'client' && status === 'requested',
    );
    if (known.length === 0) return;
    const { id } = random.pick(known);
    this.#ledger.payments.delete(id);
    this.forgotten.add(id);
    trace.say('service', () => `has lost ${id}`);
  }

  /** Another agent reports a payment of its own at one of our devices; its end comes later. */
  async reportByAnother(
    { id: deviceId, currency }: Pick<Device, 'id' | 'currency'>,
    amountMinor: number,
    endsAfterMs: number,
  ): Promise<void> {
    const { clock, ids } = this.#deps;
    const attempt = ids.uuid();
    const metadata = { tilld: { agent: 'another-agent', attempt } };
    const body = { id: attempt, device_id: deviceId, amount_minor: amountMinor, currency, metadata };
    const reply = await this.#serve(post('/terminal-payments', body, ids.uuid(), OTHER_KEY));
    const id = String(Reflect.get(Object(Reflect.get(Object(JSON.parse(reply.text)), 'data')), 'id'));
    await sleep(clock, endsAfterMs, new AbortController().signal);
    await this.#serve(
      post(`/terminal-payments/${id}/result`, { status: 'succeeded' }, ids.uuid(), OTHER_KEY),
    );
  }

  /** It was set back: what was asked under which key is gone. */
  forgetKeys(): void {
    this.#ledger.keys.clear();
  }

  /** How long ago a payment was asked for, by its own clock, ms; null: it does not know it. */
  ageOf(paymentId: string): number | null {
    const payment = this.#ledger.payments.get(paymentId);
    return payment === undefined ? null : this.#now() - payment.createdAt;
  }

  /** The back office asks for a payment; another agent that claims it after so long may be quicker than ours. */
  async ask(body: Readonly<Record<string, unknown>>, claimedAfterMs: number | null): Promise<void> {
    const { body: answer } = this.#payments.request(body);
    const id = String(Reflect.get(Object(Reflect.get(Object(answer), 'data')), 'id'));
    if (claimedAfterMs !== null) {
      await sleep(this.#deps.clock, claimedAfterMs, new AbortController().signal);
      const key = this.#deps.ids.nameBased(id, 'claim');
      await this.#serve(post(`/terminal-payments/${id}/claim`, { agent: 'another-agent' }, key, OTHER_KEY));
    }
  }

  async #request(request: HttpRequest, isDead: () => boolean): Promise<HttpReply> {
    const { clock, random, trace } = this.#deps;
    const name = `${request.method} ${request.path}`;
    await sleep(clock, random.time(2, 400), request.signal);
    if (isDead()) return never();
    if (clock.monotonic() < this.#offlineUntil) {
      trace.say('service', () => `${name} → offline`);
      throw unreachable('no');
    }
    const fault = this.#take(name);
    if (fault) this.#deps.fault(`service: ${fault} for ${name}`);
    if (fault === 'portal') return portalReply(random, clock.now());
    this.watch.arrives(request);
    this.#deps.gauge?.arrives(request);
    const failed = fault?.startsWith('status_') ? failure(Number(fault.slice(7))) : null;
    const strange = failed ? null : this.#troubledReply(request);
    const broken = failed ?? strange;
    const reply = broken ?? (await this.#serve(request));
    // What another merchant's key hears is no word about our payment.
    if (strange === null) this.watch.answered(request, reply);
    this.#deps.gauge?.answered(request, reply);
    if (fault === 'twice' && !broken) await this.#serve(request);
    trace.say('service', () => `${name} → ${reply.status}${fault ? ` (${fault})` : ''}`);
    await sleep(clock, fault === 'hangs' ? 8000 : random.time(2, 400), request.signal);
    if (isDead()) return never();
    if (fault === 'hangs')
      throw new AppError('NET_TIMEOUT', 'no complete answer', { context: { reached: 'unknown' } });
    if (fault === 'answer_lost') throw unreachable('unknown');
    return { ...reply, dateMs: Math.floor(clock.now() / 1000) * 1000 };
  }

  /** What a key hears that was rolled, or that is of another merchant. */
  #troubledReply({ method, path }: HttpRequest): HttpReply | null {
    const trouble = this.#keyTrouble;
    if (!trouble || this.#deps.clock.monotonic() >= trouble.until) return null;
    if (trouble.what === 'unknown') return failure(401);
    const isList = method === 'GET' && /^\/(?:terminal-payments|terminal-devices)$/.test(path);
    if (!isList) return failure(path === '/events' ? 400 : 404);
    const headers = { 'service-version': '2026-05-01' };
    return {
      status: 200,
      headers,
      text: JSON.stringify({ object: 'list', data: [], has_more: false }),
      dateMs: null,
    };
  }

  async #serve(request: HttpRequest): Promise<HttpReply> {
    const path = `/v2${request.path}`;
    const headers: Record<string, string> = {};
    const requestId = `req_${this.#deps.ids.uuid()}`;
    const set = (more: Readonly<Record<string, string>>) => {
      for (const [name, value] of Object.entries(more)) headers[name.toLowerCase()] = value;
    };
    set(versionHeaders('2026-05-01'));
    try {
      const found = this.#find(request.method, path);
      const arrival = {
        requestId,
        method: request.method,
        path,
        params: found.params,
        query: request.query ?? {},
        headers: { ...request.headers },
        bodyText: request.body ?? '',
      };
      const { status, body } = await this.#pipeline.serve(found.operation, arrival, set);
      return { status, headers, text: JSON.stringify(body), dateMs: null };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      set(error.headers);
      return { status: error.status, headers, text: JSON.stringify(error.bodyFor(requestId)), dateMs: null };
    }
  }

  #find(method: string, path: string): { operation: Operation; params: Readonly<Record<string, string>> } {
    for (const { operation, path: pattern } of this.#operations) {
      const match = operation.method === method ? pattern.exec(path) : null;
      if (match) return { operation, params: { ...match.groups } };
    }
    throw unknownRoute();
  }

  #take(name: string): ServiceFault | null {
    const at = this.#faults.findIndex(({ only }) => name.startsWith(only));
    const first = this.#faults[at];
    if (!first) return null;
    first.times -= 1;
    if (first.times <= 0) this.#faults.splice(at, 1);
    return first.what;
  }
}

/** Everything is kept in the objects themselves: the service never restarts here. */
class RememberedLedger extends Ledger {
  override commit(): void {}
}

function post(path: string, body: object, key: string, credential: string): HttpRequest {
  const headers = { 'x-api-key': credential, 'idempotency-key': key, 'content-type': 'application/json' };
  return { method: 'POST', path, body: JSON.stringify(body), headers, signal: new AbortController().signal };
}

const CODES: Readonly<Record<number, string>> = {
  400: 'resource_missing',
  401: 'invalid_api_key',
  404: 'resource_missing',
  409: 'invalid_state',
  422: 'not_allowed',
  429: 'rate_limit_exceeded',
};

/** What a sign-in page or a proxy answers in the service's place: the request never reaches the service. */
function portalReply(random: Random, dateMs: number): HttpReply {
  const [status, text] = random.pick([
    [200, '{"status":"please sign in"}'],
    [200, '<html>please sign in</html>'],
    [302, ''],
    [403, '{"error":"blocked"}'],
    [404, '{"error":"Not Found"}'],
    [409, '{"error":{"code":"conflict","message":"blocked"}}'],
  ] as const);
  return { status, headers: {}, text, dateMs };
}

function failure(status: number): HttpReply {
  const code = CODES[status] ?? 'service_unavailable';
  const error = { type: 'api_error', code, message: 'It fails, as it was told to.' };
  const headers = { ...(status === 429 ? { 'retry-after': '3' } : {}), 'service-version': '2026-05-01' };
  return { status, headers, text: JSON.stringify({ error }), dateMs: null };
}

function unreachable(reached: 'no' | 'unknown'): AppError {
  const cause = reached === 'no' ? 'ECONNREFUSED' : 'ECONNRESET';
  return new AppError('NET_UNREACHABLE', `the connection failed (${cause})`, {
    retry: 'safe',
    context: { reached, cause },
  });
}

/** What nobody hears is never said. */
function never(): Promise<never> {
  return new Promise(() => undefined);
}
