import type { Clock } from '../base/clock.ts';
import type { AppError } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import type { HttpClient, HttpReply, Retried } from '../net/http-client.ts';
import { Budget } from '../outbox/budget.ts';
import type { Answer } from '../outbox/report-port.ts';
import { answerOfFailure, isSigned, notAppliedOf } from './answer.ts';
import { HEADERS, type ServicePaths } from './contract.ts';
import { CreateWatch } from './create-watch.ts';
import { InvoiceRecords } from './invoice-records.ts';
import { KeyWatch } from './key-watch.ts';
import { LineWatch, type Probe } from './line-watch.ts';
import { type ExchangeListener, ServiceClient } from './service-client.ts';
import { ServiceClock } from './service-clock.ts';
import { type Access, ServiceHealth } from './service-health.ts';
import { SyncLine } from './sync-line.ts';

/** `connect` creates the HTTP client; `main.ts` passes `createHttpClient`, the simulation its own. */
export interface ServiceConnectionDeps {
  readonly connect: (onRetry: (retried: Retried) => void) => HttpClient;
  /** Creates the client of the syncs, whose answers may be longer; absent: like the other one. */
  readonly connectSync?: (onRetry: (retried: Retried) => void) => HttpClient;
  /** Tries a bare connection to the service; absent: only answers show the state of the line. */
  readonly probe?: () => Probe;
  /** Gets the service's clock, epoch ms; absent: no other part uses it. */
  readonly heardTime?: (serviceMs: number) => void;
  readonly credential: () => string | null;
  /** The id of this process run; absent: it has none. */
  readonly processRun?: string;
  readonly clock: Clock;
  readonly log: Log;
}

export interface ServiceConnectionOptions {
  readonly budget?: { readonly perMinute: number; readonly burst: number };
  readonly paths?: Partial<ServicePaths>;
  readonly claimBy?: 'claim' | 'result';
}

/** The service as it is reached: its client, and what every answer tells of line, key, clock and quota. Payments do not need it. */
export interface ServiceConnection {
  readonly health: ServiceHealth;
  readonly serviceTime: ServiceClock;
  readonly client: ServiceClient;
  readonly budget: Budget;
  readonly creates: CreateWatch;
  /** The service's records of invoices. */
  readonly invoices: InvoiceRecords;
  /** The line of syncs, with a lower priority than all requests for payments. */
  readonly sync: SyncLine;
  /** Calls the listener when a bare connection succeeds after the line was down. */
  onLineBack(listener: () => void): void;
  /** Calls the listener when another credential is there. */
  onKeyChange(listener: () => void): void;
  /** The credential was rotated. */
  keyChanged(): void;
  /** Begins to watch the line. */
  start(): void;
  /** Aborts running requests; idempotent. */
  stop(): Promise<void>;
}

/** Nothing is sent before a request is made. */
export function createServiceConnection(
  deps: ServiceConnectionDeps,
  options: ServiceConnectionOptions = {},
): ServiceConnection {
  const { clock, log } = deps;
  const budget = new Budget(clock, options.budget);
  const health = new ServiceHealth(log);
  const serviceTime = new ServiceClock(clock, log);
  const creates = new CreateWatch(clock);
  const [lineBack, keyChange] = [new Set<() => void>(), new Set<() => void>()];
  const keyChanged = () => {
    log.info({}, 'the key for the service was changed');
    health.keyChanged();
    keyChange.forEach(call);
  };
  const key = new KeyWatch(clock, deps.credential, keyChanged);
  const line = deps.probe
    ? new LineWatch({ probe: deps.probe, clock, health, back: () => lineBack.forEach(call) })
    : null;
  const http = deps.connect((retried) => {
    budget.spend();
    if ('reply' in retried) health.observe(notAppliedOf(retried.reply), 'read');
    else noteFailure(health, answerOfFailure(retried.error), retried.error, 'read');
  });
  const listener = listenerOf(health, serviceTime, budget, deps.heardTime);
  const client = new ServiceClient({
    http: line ? over(line, http) : http,
    log,
    credential: key.current,
    ...(options.paths ? { paths: options.paths } : {}),
    ...(options.claimBy ? { claimBy: options.claimBy } : {}),
    listener,
  });
  const connect = () => (deps.connectSync ?? deps.connect)(() => budget.spend());
  const sync = new SyncLine({ connect, credential: key.current, budget, clock, listener });
  const unsubscribe = health.subscribe({ changed: ({ reason }) => key.refused(reason === 'key') });
  const run = deps.processRun === undefined ? {} : { processRun: deps.processRun };
  return {
    health,
    serviceTime,
    client,
    budget,
    creates,
    invoices: new InvoiceRecords({ client, creates, budget, clock, ...run }),
    sync,
    onLineBack: (back) => void lineBack.add(back),
    onKeyChange: (changed) => void keyChange.add(changed),
    keyChanged,
    start: () => line?.start(),
    stop: async () => {
      unsubscribe();
      key.stop();
      line?.stop();
      await sync.close();
      await http.close();
    },
  };
}

function call(listener: () => void): void {
  listener();
}

function listenerOf(
  health: ServiceHealth,
  serviceTime: ServiceClock,
  budget: Budget,
  heardTime: ((serviceMs: number) => void) | undefined,
): ExchangeListener {
  return {
    answered: (answer, reply, access) => {
      health.observe(answer, access);
      if (!isSigned(reply)) return;
      health.observeVersion(reply);
      serviceTime.observe(reply.dateMs);
      if (reply.dateMs !== null) heardTime?.(reply.dateMs);
      budget.learn(limitsIn(reply));
    },
    failed: (answer, error, access) => noteFailure(health, answer, error, access),
    withheld: (answer, access) => health.observe(answer, access),
  };
}

/** The same client; the watch sees the start and the end of each request. */
function over(line: LineWatch, http: HttpClient): HttpClient {
  return { request: (request) => line.over(() => http.request(request)), close: () => http.close() };
}

/** An open circuit breaker is tilld's own memory, not news of the line. */
function noteFailure(health: ServiceHealth, answer: Answer, error: AppError, access: Access): void {
  if (error.code !== 'NET_BREAKER_OPEN') health.observe(answer, access);
}

function limitsIn(reply: HttpReply): { readonly limit: number | null; readonly remaining: number | null } {
  return {
    limit: wholeNumber(reply.headers[HEADERS.rateLimit]),
    remaining: wholeNumber(reply.headers[HEADERS.rateRemaining]),
  };
}

function wholeNumber(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,9}$/.test(text.trim()) ? Number(text) : null;
}
