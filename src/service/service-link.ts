import type { Clock } from '../base/clock.ts';
import type { AppError } from '../base/errors.ts';
import type { Ids } from '../base/ids.ts';
import type { Log } from '../base/log.ts';
import type { Spans } from '../base/span.ts';
import type { HttpClient, HttpReply, Retried } from '../net/http-client.ts';
import { Budget } from '../outbox/budget.ts';
import type { FeedPlace, OutboxStore } from '../outbox/ports.ts';
import type { Answer, Trouble } from '../outbox/report-port.ts';
import { OutboxSender } from '../outbox/sender.ts';
import { type DiskSpace, UNWATCHED_DISK } from '../payment/guards/disk-space.ts';
import type { ServiceWork } from '../payment/guards/service-work.ts';
import { answerOfFailure, isSigned, notAppliedOf } from './answer.ts';
import { HEADERS, type ServicePaths } from './contract.ts';
import { CreateWatch } from './create-watch.ts';
import { HookWakeup } from './hook-wakeup.ts';
import { ServiceHooks } from './hooks.ts';
import { InvoiceRecords } from './invoice-records.ts';
import { KeyWatch } from './key-watch.ts';
import { LineWatch, type Probe } from './line-watch.ts';
import { type Access, LinkState } from './link-state.ts';
import { Poller } from './poller.ts';
import { ReportsToService } from './reports-to-service.ts';
import { type ExchangeListener, ServiceClient } from './service-client.ts';
import { ServiceClock } from './service-clock.ts';
import { SyncLine } from './sync-line.ts';

/** The link's dependencies. `connect` creates the HTTP client; `main.ts` passes `createHttpClient`, the simulation its own. */
export interface ServiceLinkDeps {
  readonly connect: (onRetry: (retried: Retried) => void) => HttpClient;
  /** Creates the client of the syncs, whose answers may be longer; absent: like the other one. */
  readonly connectSync?: (onRetry: (retried: Retried) => void) => HttpClient;
  /** Tries a bare connection to the service; absent: only answers show the state of the line. */
  readonly probe?: () => Probe;
  readonly store: OutboxStore & FeedPlace;
  readonly work: ServiceWork;
  /** Gets the service's clock, epoch ms; absent: no other part uses it. */
  readonly heardTime?: (serviceMs: number) => void;
  /** Reports wait while it is in trouble; absent: it is not watched. */
  readonly disk?: DiskSpace;
  /** null or absent: no traces. */
  readonly spans?: Spans | null;
  readonly credential: () => string | null;
  /** Signing secrets of the service's webhooks; absent: tilld receives none. */
  readonly hookSecrets?: () => readonly string[];
  /** The id of this process run; absent: it has none. */
  readonly processRun?: string;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
}

export interface ServiceLinkOptions {
  readonly agent: string;
  /** The id of this machine and state folder: a claim of a copy with the same agent is another agent's. */
  readonly instance?: string;
  readonly deviceIds: readonly string[];
  readonly createLocal: boolean;
  readonly pollIntervalMs?: number;
  readonly cancelIntervalMs?: number;
  readonly maxAgeMs?: number;
  readonly budget?: { readonly perMinute: number; readonly burst: number };
  readonly paths?: Partial<ServicePaths>;
  readonly claimBy?: 'claim' | 'result';
}

/** All parts between the payment core and the service, started and stopped as one. */
export interface ServiceLink {
  readonly state: LinkState;
  readonly serviceTime: ServiceClock;
  readonly client: ServiceClient;
  /** The service's records of invoices. */
  readonly invoices: InvoiceRecords;
  /** The line of syncs, with a lower priority than all requests for payments. */
  readonly sync: SyncLine;
  /** Receives the service's webhooks; null when no signing secret is configured. */
  readonly hooks: ServiceHooks | null;
  start(): void;
  /** Aborts running requests; idempotent. */
  stop(): Promise<void>;
  /** A report was written. */
  reportWritten(): void;
  /** The service may have work: polls at once. */
  workMayWait(): void;
  /** The credential was rotated. */
  keyChanged(): void;
}

/** Wires the link; nothing is sent before `start()`. */
export function createServiceLink(deps: ServiceLinkDeps, options: ServiceLinkOptions): ServiceLink {
  const { clock, ids, log, store, work } = deps;
  const { agent, deviceIds } = options;
  const budget = new Budget(clock, options.budget);
  const state = new LinkState(log);
  const serviceTime = new ServiceClock(clock, log);
  const creates = new CreateWatch(clock);
  const key = new KeyWatch(clock, deps.credential);
  const line = deps.probe ? lineWatch(deps.probe, clock, state, () => lineIsBack()) : null;
  const http = deps.connect((retried) => {
    budget.spend();
    if ('reply' in retried) state.observe(notAppliedOf(retried.reply), 'read');
    else noteFailure(state, answerOfFailure(retried.error), retried.error, 'read');
  });
  const listener: ExchangeListener = {
    answered: (answer, reply, access) => {
      state.observe(answer, access);
      if (!isSigned(reply)) return;
      serviceTime.observe(reply.dateMs);
      if (reply.dateMs !== null) deps.heardTime?.(reply.dateMs);
      budget.learn(limitsIn(reply));
    },
    failed: (answer, error, access) => noteFailure(state, answer, error, access),
    withheld: (answer, access) => state.observe(answer, access),
  };
  const client = new ServiceClient({
    http: line ? over(line, http) : http,
    log,
    credential: key.current,
    ...(options.paths ? { paths: options.paths } : {}),
    ...(options.claimBy ? { claimBy: options.claimBy } : {}),
    listener,
  });
  const sync = new SyncLine({
    connect: () => (deps.connectSync ?? deps.connect)(() => budget.spend()),
    credential: key.current,
    budget,
    clock,
    listener,
  });
  const port = new ReportsToService(client, budget, deviceIds, creates);
  const sender = new OutboxSender(
    {
      store,
      port,
      serviceTime,
      budget,
      disk: deps.disk ?? UNWATCHED_DISK,
      clock,
      ids,
      log,
      spans: deps.spans ?? undefined,
    },
    { createLocal: options.createLocal },
  );
  const wakeup = deps.hookSecrets ? new HookWakeup(clock) : null;
  const poller = new Poller(
    {
      ...(wakeup ? { wakeup } : {}),
      client,
      work,
      place: store,
      serviceTime,
      creates,
      budget,
      clock,
      ids,
      log,
    },
    {
      agent,
      deviceIds,
      ...(options.instance === undefined ? {} : { instance: options.instance }),
      ...(options.pollIntervalMs === undefined ? {} : { intervalMs: options.pollIntervalMs }),
      ...(options.cancelIntervalMs === undefined ? {} : { cancelIntervalMs: options.cancelIntervalMs }),
      ...(options.maxAgeMs === undefined ? {} : { maxAgeMs: options.maxAgeMs }),
    },
  );
  wakeup?.onRing((cancels) => poller.poke(cancels));
  const secrets = deps.hookSecrets;
  const unsubscribe = state.subscribe((view) => {
    if (view.state === 'online') {
      sender.lineRestored();
      poller.lineRestored();
    }
    key.refused(view.reason === 'key');
    line?.linkIs(view);
  });
  const lineIsBack = () => {
    sender.lineRestored();
    poller.poke();
  };
  const keyChanged = () => {
    log.info({}, 'the key for the service was changed');
    state.keyChanged();
    sender.keyChanged();
    poller.poke();
  };
  key.onChange(keyChanged);
  state.onKeyTaken(() => sender.keyChanged());
  return {
    state,
    serviceTime,
    client,
    invoices: new InvoiceRecords({
      client,
      creates,
      budget,
      clock,
      ...(deps.processRun === undefined ? {} : { processRun: deps.processRun }),
    }),
    sync,
    hooks: wakeup && secrets ? new ServiceHooks({ secrets, serviceTime, wakeup, clock }) : null,
    start: () => {
      line?.start();
      poller.start();
      sender.start();
    },
    stop: async () => {
      unsubscribe();
      wakeup?.stop();
      key.stop();
      line?.stop();
      await Promise.all([sender.stop(), poller.stop(), sync.close()]);
      await http.close();
    },
    reportWritten: () => sender.poke(),
    workMayWait: () => poller.poke(),
    keyChanged,
  };
}

/** The same client; the watch sees the start and the end of each request. */
function over(line: LineWatch, http: HttpClient): HttpClient {
  return { request: (request) => line.over(() => http.request(request)), close: () => http.close() };
}

function lineWatch(probe: () => Probe, clock: Clock, state: LinkState, back: () => void): LineWatch {
  const words = 'no answer, or no connection';
  const down = (trouble: Trouble) =>
    state.observe({ kind: 'unavailable', trouble, reached: 'unknown', retryAfterMs: null, words }, 'read');
  return new LineWatch({ probe, clock, down, back });
}

/** An open circuit breaker is tilld's own memory, not news of the line. */
function noteFailure(state: LinkState, answer: Answer, error: AppError, access: Access): void {
  if (error.code !== 'NET_BREAKER_OPEN') state.observe(answer, access);
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
