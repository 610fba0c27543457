import { z } from 'zod';
import { createAgent, type Agent as TilldAgent } from '../../src/agent/create-agent.ts';
import { type Money, openMoney } from '../../src/agent/money.ts';
import { StatusReport } from '../../src/agent/status-report.ts';
import type { Api } from '../../src/api/api.ts';
import { ApiContext } from '../../src/api/context.ts';
import { createApi } from '../../src/api/create-api.ts';
import { hashOfKey } from '../../src/api/keys/secret.ts';
import { refundAndVoidRoutes } from '../../src/api/routes/refunds-and-voids.ts';
import { terminalPaymentRoutes } from '../../src/api/routes/terminal-payments.ts';
import { terminalSettlementRoutes } from '../../src/api/routes/terminal-settlements.ts';
import { terminalTaskRoutes } from '../../src/api/routes/terminal-tasks.ts';
import { terminalUpkeepRoutes } from '../../src/api/routes/terminal-upkeep.ts';
import { hasCode, messageOf } from '../../src/base/errors.ts';
import type { Ids } from '../../src/base/ids.ts';
import { OutboxAdmin } from '../../src/outbox/outbox-admin.ts';
import type { Counter as CoreCounter } from '../../src/payment/core.ts';
import type { DevicePolicy } from '../../src/payment/follow-up.ts';
import type { Task } from '../../src/payment/tasks/task.ts';
import { Lifecycle } from '../../src/runtime/lifecycle.ts';
import { shopCalendar } from '../../src/runtime/shop-calendar.ts';
import { createServiceConnection } from '../../src/service/service-connection.ts';
import { SqliteOutboxAdminStore } from '../../src/store/outbox/sqlite-outbox-admin-store.ts';
import { SqliteTakings } from '../../src/store/statistics/sqlite-takings.ts';
import { SqliteTerminalActivity } from '../../src/store/terminals/sqlite-terminal-activity.ts';
import type { Device } from '../../src/terminal/device.ts';
import { anIntegrationService } from '../support/integrations.ts';
import { stateFolder } from '../support/state-folder.ts';
import { aSealer, aWebhookService } from '../support/webhooks.ts';
import type { RunLedger } from './books.ts';
import type { Cable, Direction, LifeOnLine } from './cable.ts';
import type { Disk } from './disk.ts';
import type { SimFamily } from './families/family.ts';
import { SERVICE_KEY, type SimService } from './service.ts';
import { PartClock, type SimClock, type Wall } from './sim-clock.ts';
import type { Trace } from './trace.ts';
import { watchedDriver } from './watched-driver.ts';
import { watchedStore } from './watched-store.ts';

/** The config's defaults. */
const RECOVERY = { settleMs: null, readIntervalMs: 5000, askPersonAfterMs: 120_000, giveUpMs: 240_000 };
const LIMITS = { waitMs: 60_000, maxAgeMs: 300_000, maxWaiting: 20 };
const HEARTBEAT_MS = 15_000;
const HOURLY_MS = 3_600_000;
const AGENT = 'agent-1';

/** The key of the second till; the first one uses the unix socket. */
const TILL_KEY = `rk_sandbox_${'T'.repeat(32)}`;
export type Till = 'socket' | 'till-2';

/** Where an agent will crash: at the n-th commit from now, before or after it is on disk, or when n more bytes have passed. */
export type CrashPlan =
  | { readonly at: 'commit'; readonly left: number; readonly side: 'before' | 'after' }
  | { readonly at: 'byte'; readonly left: number; readonly direction: Direction };

export interface Counter {
  readonly device: Device;
  readonly cable: Cable;
  readonly family: SimFamily;
  readonly policy: Pick<DevicePolicy, 'lateApproval' | 'partialApproval'>;
  /** The device's `options` in the configuration. */
  readonly options: Readonly<Record<string, unknown>>;
}

export interface AgentDeps {
  readonly disk: Disk;
  readonly counters: readonly Counter[];
  readonly time: SimClock;
  /** The machine's wall clock, which outlives the agent. */
  readonly wall: Wall;
  readonly ids: Ids;
  readonly trace: Trace;
  readonly books: RunLedger;
  readonly service: SimService;
  readonly createLocal: boolean;
  /** It is gone, with all it had in memory. */
  readonly onCrash: (why: string) => void;
}

/** What the local interface answered; null when nobody was there, or died before it had answered. */
export type LocalReply = { readonly status: number; readonly body: unknown } | null;

/**
 * One life of the agent: the real core, store, driver, outbox and local interface, wired as `agent/` wires them.
 * A crash drops everything between two awaits: its clock stops, its connections end, its database refuses, and nobody hears it.
 */
export class Agent implements LifeOnLine {
  readonly clock: PartClock;
  readonly #deps: AgentDeps;
  readonly #money: Money;
  readonly #agent: TilldAgent;
  readonly #context: ApiContext;
  readonly #apis: Readonly<Record<Till, Api>>;
  #dead = false;
  #plan: CrashPlan | null = null;

  /** Boots on what the folder holds, as `main.ts` does. */
  constructor(deps: AgentDeps) {
    this.#deps = deps;
    const { time, wall, ids, trace } = deps;
    const clock = new PartClock(time, wall);
    const log = trace.log('agent');
    this.clock = clock;
    const lifecycle = new Lifecycle(log);
    this.#money = openMoney({
      folder: stateFolder(deps.disk.folder),
      version: '0.1.0',
      clock,
      ids,
      log,
      lifecycle,
    });
    deps.books.booted(this.#money);
    watchedStore(this.#money, this, deps.disk, deps.books, trace);
    try {
      const connection = createServiceConnection({
        connect: () => deps.service.connect(() => this.#dead),
        processRun: this.#money.processRun,
        credential: () => SERVICE_KEY,
        clock,
        log,
      });
      this.#agent = createAgent({
        name: AGENT,
        money: this.#money,
        counters: deps.counters.map((counter) => this.#counter(counter)),
        service: { connection, createLocal: deps.createLocal },
        limits: LIMITS,
        recovery: RECOVERY,
        clock,
        ids,
        log,
        fatal: () => this.crash('an outcome could not be stored'),
      });
      this.#context = this.#apiContext(this.#agent);
      this.#apis = {
        socket: createApi(this.#context, { via: 'socket' }),
        'till-2': createApi(this.#context, { via: 'tcp' }),
      };
      this.#agent.inherit();
    } catch (error) {
      this.crash(`at its start: ${messageOf(error)}`);
      throw error;
    }
    this.#agent.start();
    this.#anchor();
  }

  get dead(): boolean {
    return this.#dead;
  }

  /** Places that could take a card now. */
  get ready(): readonly string[] {
    return this.#agent.queues.list().flatMap(({ device, status }) => (status === 'ready' ? [device.id] : []));
  }

  /** Another terminal answers at this place than the one that is known there. */
  isWrongAt(deviceId: string): boolean {
    return this.#agent.queues.get(deviceId)?.status === 'wrong_terminal';
  }

  /** What can still be reported; rows behind a parked one wait for a person. */
  get pendingReports(): number {
    return this.#money.outbox.due(100).length;
  }

  /** Every report that was ever written, oldest first. */
  get reports(): readonly ReportRow[] {
    return this.#money.database.all(REPORTS).map((row) => ReportRow.parse(row));
  }

  get tasks(): readonly Task[] {
    return this.#money.payments.tasks({ open: false, limit: 100_000 });
  }

  serviceIdOf(attemptId: string): string {
    return this.#money.outbox.serviceIdOf(attemptId) ?? attemptId;
  }

  /** The same, without what waits because creates are switched off. */
  get pendingResults(): number {
    return this.#money.outbox.due(100, 'result').length;
  }

  /** Asks the local interface, without a socket. */
  async ask(
    till: Till,
    method: 'GET' | 'POST',
    target: string,
    body?: object,
    key?: string,
  ): Promise<LocalReply> {
    const headers = {
      host: '127.0.0.1:8480',
      'content-type': 'application/json',
      ...(till === 'socket' ? {} : { 'x-api-key': TILL_KEY }),
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    };
    const payload = body === undefined ? {} : { payload: JSON.stringify(body) };
    const reply = await this.#apis[till].inject({ method, url: `/v2${target}`, headers, ...payload });
    if (this.#dead) return null;
    const heard = { status: reply.statusCode, body: reply.json() };
    this.#judgeRefusal(heard.body, body);
    return heard;
  }

  /** A refusal is of this moment: one that was kept under its key says what is over. */
  #judgeRefusal(answer: unknown, asked: object | undefined): void {
    const code: unknown = Reflect.get(Object(Reflect.get(Object(answer), 'error')), 'code');
    const deviceId: unknown = Reflect.get(Object(asked), 'device_id');
    if (typeof deviceId !== 'string' || !this.ready.includes(deviceId)) return;
    if (code === 'terminal_in_doubt' || code === 'terminal_not_ready')
      this.#deps.books.accuse('broken_rules', `${deviceId} is ready and a sale is refused with ${code}`);
  }

  /** The service has work: a webhook would come. */
  notify(): void {
    this.#agent.link?.workMayWait();
  }

  /** Somebody puts the new key in. */
  keyChanged(): void {
    this.#agent.link?.keyChanged();
  }

  arm(plan: CrashPlan): void {
    this.#plan = plan;
  }

  /** Called around each commit. @throws when it crashes here. */
  commit(side: 'before' | 'after'): void {
    const plan = this.#plan;
    if (plan?.at !== 'commit' || plan.side !== side) return;
    this.#plan = plan.left > 1 ? { ...plan, left: plan.left - 1 } : null;
    if (this.#plan) return;
    this.crash(`${side} a commit`);
    throw new Error('the agent has crashed');
  }

  passes(direction: Direction, length: number): number {
    const plan = this.#plan;
    if (plan?.at !== 'byte' || plan.direction !== direction) return length;
    const left = plan.left - length;
    this.#plan = left >= 0 ? { ...plan, left } : null;
    return this.#plan ? length : plan.left;
  }

  crash(why: string): void {
    if (this.#dead) return;
    this.#dead = true;
    this.clock.die();
    for (const { cable } of this.#deps.counters) cable.agentDied();
    this.#money.database.close();
    this.#deps.onCrash(why);
  }

  /** Goes down in order, as for SIGTERM. */
  async stop(): Promise<void> {
    this.#context.close();
    try {
      await this.#agent.stop();
    } catch (error) {
      // A disk that refuses ends the process all the same.
      if (!hasCode(error, 'STORAGE_FULL') && !hasCode(error, 'STORAGE_FAILED')) throw error;
    }
    this.crash('an orderly stop');
  }

  /** The hourly scheduled job of the daemon, and the one at its start. */
  #anchor(): void {
    this.#money.anchorJournal();
    this.clock.timer('journal anchor', HOURLY_MS, () => this.#anchor());
  }

  #counter({ device, cable, family, policy, options }: Counter): CoreCounter {
    const { trace, books } = this.#deps;
    const log = trace.log('agent');
    const terminal = {
      driver: watchedDriver(family.driver, device.id, books),
      capabilities: family.manifest.capabilities,
      driverOptions: family.manifest.options.parse(options),
      connectsPerExchange: family.manifest.connection === 'per_exchange',
      openLink: () => (this.#dead ? new Promise<never>(() => undefined) : cable.open(this)),
      heartbeatMs: HEARTBEAT_MS,
    };
    return { device, terminal, log, frameLog: trace.log('wire'), policy };
  }

  #apiContext({ payments, operations, drain, queues, link }: TilldAgent): ApiContext {
    const { ids, trace } = this.#deps;
    const money = this.#money;
    const { clock } = this;
    const status = new StatusReport({ version: '0.1.0', environment: 'sandbox', queues, link, money, clock });
    const hash = hashOfKey(TILL_KEY);
    if (!this.#money.keys.byHash(hash)) this.#money.keys.insert({ ...SECOND_TILL, hash }, SECOND_TILL_MADE);
    const sealer = aSealer();
    const ports = {
      payments,
      operations,
      takings: new SqliteTakings(this.#money.database),
      activity: new SqliteTerminalActivity(this.#money.database),
      calendar: shopCalendar('UTC'),
      drain,
      devices: queues,
      keys: this.#money.keys,
      answers: this.#money.answers,
      outbox: new OutboxAdmin({
        store: new SqliteOutboxAdminStore(this.#money.database),
        clock: this.clock,
        changed: () => link?.reportWritten(),
      }),
      webhooks: aWebhookService(this.#money.database, this.clock, ids, sealer),
      integrations: anIntegrationService(this.#money.database, { clock: this.clock, sealer }).integrations,
      sealer,
      status,
      clock: this.clock,
      ids,
    };
    const log = trace.log('door');
    return new AskedContext({ environment: 'sandbox', version: '0.1.0' }, { ...ports, log });
  }
}

/** With the routes that somebody here asks; to make all others is a tenth of a history. */
class AskedContext extends ApiContext {
  override readonly routes = [
    terminalPaymentRoutes(this.deps),
    refundAndVoidRoutes({ ...this.deps, people: null }),
    terminalUpkeepRoutes(this.deps),
    terminalSettlementRoutes(this.deps),
    terminalTaskRoutes(this.deps),
  ];
}

const REPORTS = `SELECT id, attempt_id AS attemptId, kind, operation, key, body, state, tries, last_error AS lastError
  FROM outbox ORDER BY seq`;
const ReportRow = z.object({
  id: z.string(),
  attemptId: z.string(),
  kind: z.enum(['create', 'result']),
  operation: z.enum(['sale', 'refund', 'void']),
  key: z.string(),
  body: z.string(),
  state: z.enum(['pending', 'done', 'parked']),
  tries: z.int(),
  lastError: z.string().nullable(),
});
/** One report of the service, as it stands. */
export type ReportRow = z.infer<typeof ReportRow>;

const SECOND_TILL = {
  id: 'till-2',
  name: 'Till 2',
  scopes: ['payments:read', 'payments:write'],
  createdAt: 0,
  expiresAt: null,
  revokedAt: null,
  allow: [],
  lastUsedAt: null,
  overlapEndsAt: null,
} as const;

const SECOND_TILL_MADE = {
  keyId: SECOND_TILL.id,
  at: 0,
  event: 'created',
  caller: 'socket',
  by: null,
  from: 'socket',
  overlapEndsAt: null,
} as const;
