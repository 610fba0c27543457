import { type Clock, sleep } from '../../src/base/clock.ts';
import { AppError } from '../../src/base/errors.ts';
import type { Ids } from '../../src/base/ids.ts';
import { silentLog } from '../../src/base/log.ts';
import type { HttpClient, HttpReply, HttpRequest } from '../../src/net/http-client.ts';
import { BehaviourSwitch } from '../../src/sandbox/service/behaviour.ts';
import { Door } from '../../src/sandbox/service/door.ts';
import { Refusal, unknownRoute } from '../../src/sandbox/service/errors.ts';
import { Events } from '../../src/sandbox/service/events.ts';
import { IdempotencyKeys } from '../../src/sandbox/service/idempotency.ts';
import { Ledger } from '../../src/sandbox/service/ledger.ts';
import type { Operation } from '../../src/sandbox/service/operation.ts';
import { operationsOf } from '../../src/sandbox/service/operations.ts';
import { Payments } from '../../src/sandbox/service/payments.ts';
import { RateLimit } from '../../src/sandbox/service/rate-limit.ts';
import type { PaymentRecord } from '../../src/sandbox/service/records.ts';
import { ServiceClock } from '../../src/sandbox/service/service-clock.ts';
import type { SandboxSettings } from '../../src/sandbox/service/settings.ts';
import { versionHeaders } from '../../src/sandbox/service/versions.ts';
import { WebhookDeliveries } from '../../src/sandbox/service/webhook-deliveries.ts';
import { WebhookEndpoints } from '../../src/sandbox/service/webhook-endpoints.ts';
import type { Random } from './random.ts';
import type { Trace } from './trace.ts';

export const SERVICE_KEY = 'rk_sandbox_simulated';
const OTHER_KEY = 'rk_sandbox_another_agent';
const SCOPES = ['payments:read', 'payments:write', 'webhooks:read'];

/** What is wrong with the next requests. */
export type ServiceFault = 'status_500' | 'status_503' | 'status_429' | 'answer_lost' | 'hangs' | 'twice';

export interface SimServicePorts {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly random: Random;
  readonly trace: Trace;
  readonly fault: (text: string) => void;
}

export interface SimServiceShape extends Pick<SandboxSettings, 'honoursOurId' | 'keepsMetadata' | 'plan'> {
  readonly devices: SandboxSettings['devices'];
}

/**
 * The billing service below HTTP: the sandbox's own door, ledger and keys, with a line in front of it that loses requests,
 * loses answers, doubles them and goes away. It is one `HttpClient` for each life of the agent.
 */
export class SimService {
  readonly #ports: SimServicePorts;
  readonly #ledger = new RememberedLedger({ load: () => null, save: () => undefined });
  readonly #payments: Payments;
  readonly #door: Door;
  readonly #operations: readonly { readonly operation: Operation; readonly path: RegExp }[];
  readonly #faults: { what: ServiceFault; times: number }[] = [];
  #offlineUntil = 0;

  constructor(shape: SimServiceShape, ports: SimServicePorts) {
    const { ids } = ports;
    this.#ports = ports;
    const settings: SandboxSettings = {
      ...shape,
      listen: { host: '127.0.0.1', port: 0 },
      keys: [SERVICE_KEY, OTHER_KEY].map((key) => ({ key, scopes: SCOPES })),
      refusesUnknownFields: shape.honoursOurId,
      hasClaim: true,
    };
    const behaviour = new BehaviourSwitch();
    const clock = new ServiceClock(ports.clock, () => 0);
    const ledger = this.#ledger;
    const deliveries = new WebhookDeliveries(ledger, clock, ids, silentLog, behaviour);
    const events = new Events(ledger, clock, ids, () => undefined);
    this.#payments = new Payments({ settings, ledger, events, clock, ids, behaviour });
    const endpoints = new WebhookEndpoints(ledger, clock, ids, true);
    const parts = { settings, payments: this.#payments, events, endpoints, deliveries, behaviour };
    this.#operations = operationsOf(parts).map((operation) => ({
      operation,
      path: new RegExp(`^${operation.path.replace(':id', '(?<id>[^/]+)')}$`),
    }));
    this.#door = new Door({
      keys: settings.keys,
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
    this.#offlineUntil = Math.max(this.#offlineUntil, this.#ports.clock.monotonic() + ms);
  }

  spoil(what: ServiceFault, times: number): void {
    this.#faults.push({ what, times });
  }

  heal(): void {
    this.#offlineUntil = 0;
    this.#faults.length = 0;
  }

  /** The back office asks for a payment; another agent that claims it after so long may be quicker than ours. */
  async ask(body: Readonly<Record<string, unknown>>, claimedAfterMs: number | null): Promise<void> {
    const { body: answer } = this.#payments.request(body);
    const id = String(Reflect.get(Object(Reflect.get(Object(answer), 'data')), 'id'));
    if (claimedAfterMs !== null) {
      await sleep(this.#ports.clock, claimedAfterMs, new AbortController().signal);
      const key = this.#ports.ids.nameBased(id, 'claim');
      await this.#serve(post(`/terminal-payments/${id}/claim`, { agent: 'another-agent' }, key, OTHER_KEY));
    }
  }

  async #request(request: HttpRequest, isDead: () => boolean): Promise<HttpReply> {
    const { clock, random, trace } = this.#ports;
    const name = `${request.method} ${request.path}`;
    await sleep(clock, random.time(2, 400), request.signal);
    if (isDead()) return never();
    if (clock.monotonic() < this.#offlineUntil) {
      trace.say('service', () => `${name} → offline`);
      throw unreachable('no');
    }
    const fault = this.#take();
    if (fault) this.#ports.fault(`service: ${fault} for ${name}`);
    const reply = fault?.startsWith('status_') ? failure(Number(fault.slice(7))) : await this.#serve(request);
    if (fault === 'twice') await this.#serve(request);
    trace.say('service', () => `${name} → ${reply.status}${fault ? ` (${fault})` : ''}`);
    await sleep(clock, fault === 'hangs' ? 8000 : random.time(2, 400), request.signal);
    if (isDead()) return never();
    if (fault === 'hangs')
      throw new AppError('NET_TIMEOUT', 'no complete answer', { context: { reached: 'unknown' } });
    if (fault === 'answer_lost') throw unreachable('unknown');
    return { ...reply, dateMs: Math.floor(clock.now() / 1000) * 1000 };
  }

  async #serve(request: HttpRequest): Promise<HttpReply> {
    const path = `/v2${request.path}`;
    const headers: Record<string, string> = {};
    const requestId = `req_${this.#ports.ids.uuid()}`;
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
      const { status, body } = await this.#door.serve(found.operation, arrival, set);
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

  #take(): ServiceFault | null {
    const first = this.#faults[0];
    if (!first) return null;
    first.times -= 1;
    if (first.times <= 0) this.#faults.shift();
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

function failure(status: number): HttpReply {
  const code = status === 429 ? 'rate_limit_exceeded' : 'service_unavailable';
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
