import { driver } from '../../../drivers/terminals/zvt/driver.ts';
import { zvt } from '../../../drivers/terminals/zvt/manifest.ts';
import { type Agent, createAgent } from '../../../src/agent/create-agent.ts';
import { type Money, openMoney } from '../../../src/agent/money.ts';
import { makeWebhooks } from '../../../src/agent/webhooks.ts';
import { Scope } from '../../../src/api/contract/key.ts';
import { entryOf } from '../../../src/api/keys/audit.ts';
import { hashOfKey } from '../../../src/api/keys/secret.ts';
import { startApi } from '../../../src/api/server.ts';
import type { AppError } from '../../../src/base/errors.ts';
import { silentLog as log } from '../../../src/base/log.ts';
import type { MirrorReader } from '../../../src/integration/views/mirror.ts';
import { OutboxAdmin } from '../../../src/outbox/outbox-admin.ts';
import { publicStatus } from '../../../src/payment/attempt/state-machine.ts';
import type { Counter, PaymentCore } from '../../../src/payment/core.ts';
import { UNWATCHED_DISK } from '../../../src/payment/guards/disk-space.ts';
import { Lifecycle } from '../../../src/runtime/lifecycle.ts';
import { shopCalendar } from '../../../src/runtime/shop-calendar.ts';
import { holdStateFolder } from '../../../src/runtime/state-folder.ts';
import { systemIds as ids } from '../../../src/runtime/system-ids.ts';
import { SqliteOutboxAdminStore } from '../../../src/store/outbox/sqlite-outbox-admin-store.ts';
import { SqliteTakings } from '../../../src/store/statistics/sqlite-takings.ts';
import { SqliteTerminalActivity } from '../../../src/store/terminals/sqlite-terminal-activity.ts';
import { PLANS } from '../interface.ts';
import { accountMirror, MIRRORED } from './account.ts';
import type { CounterTerminal } from './counter-terminal.ts';
import { integrationsOf } from './integrations.ts';
import { KEY_PLANS, type KeyPlan } from './keys.ts';
import type { Setting } from './side.ts';
import type { Stage } from './stage.ts';

/** Days of virtual time pass in one row: a beat every 15 s would be most of the work. */
const HEARTBEAT_MS = 7_200_000;
/** So many that no row meets the limit by chance. */
/** The origin of a browser till. */
const TILL = 'https://till.example';
const NO_LIMIT = { perMinute: 600_000, burst: 100_000 };
const READY_WITHIN_MS = 60_000;
const version = '0.1.0';

export interface ShopDeps {
  /** The state folder; it outlives a restart. */
  readonly folder: string;
  readonly stage: Stage;
  readonly terminals: ReadonlyMap<string, CounterTerminal>;
  readonly setting: Setting;
  /** What the next lists of payments throw, first come first served. */
  readonly faults: AppError[];
}

/** A shop that sells, and the one who can look into its books. */
export interface OpenShop {
  readonly url: string;
  /** The unix socket, where keys are made and ended. */
  readonly socket: string;
  statusOf(paymentId: string): string;
  deviceOf(paymentId: string): string;
  close(): Promise<void>;
}

/** Wires what the daemon wires, in the order of its boot: the real core over a real state folder, served on a real socket. */
export async function openShop(deps: ShopDeps): Promise<OpenShop> {
  const { stage, setting, terminals } = deps;
  const { clock } = stage;
  const lifecycle = new Lifecycle(log);
  const folder = holdStateFolder(deps.folder);
  lifecycle.started('state folder', () => folder.release());
  const money = openMoney({ folder, version, clock, ids, log, lifecycle });
  if (money.keys.list().length === 0) for (const plan of KEY_PLANS) insert(plan, money.keys, clock.now());
  const mirror = accountMirror(folder.mirrorDatabase, clock.now(), lifecycle);
  const agent = agentOf(deps, money, mirror);
  agent.inherit();
  const webhooks = makeWebhooks({
    allowPrivate: ['127.0.0.0/8', '::1'],
    folder,
    money,
    disk: UNWATCHED_DISK,
    agent,
    version,
    clock,
    ids,
    log,
    lifecycle,
  });
  const rateLimit = setting.plan === undefined ? NO_LIMIT : PLANS[setting.plan];
  const address = { host: '127.0.0.1', port: 0, socketPath: folder.socket } as const;
  const api = await startApi(
    { ...address, environment: 'sandbox', version, rateLimit, stopWithinMs: 200, allowedOrigins: [TILL] },
    {
      payments: failing(agent.payments, deps.faults),
      operations: agent.operations,
      takings: new SqliteTakings(money.database),
      activity: new SqliteTerminalActivity(money.database),
      calendar: shopCalendar('UTC'),
      drain: agent.drain,
      devices: agent.queues,
      keys: money.keys,
      answers: money.answers,
      outbox: new OutboxAdmin({
        store: new SqliteOutboxAdminStore(money.database),
        clock,
        changed: () => undefined,
      }),
      webhooks: webhooks.webhooks,
      mirror,
      mirrorLists: setting.mirror === 'empty' ? [] : MIRRORED,
      integrations: integrationsOf({
        database: money.database,
        mirror: folder.mirrorDatabase,
        sealer: webhooks.sealer,
        clock,
        setting,
        lifecycle,
      }),
      sealer: webhooks.sealer,
      status: { status: noStatus, health: noStatus, metrics: noStatus },
      clock,
      ids,
      log,
    },
  );
  lifecycle.started('local interface', () => api.stop());
  webhooks.start();
  lifecycle.started('agent', () => agent.stop());
  agent.start();
  const isReady = () => [...terminals.keys()].every((id) => agent.queues.get(id)?.status === 'ready');
  for (let passed = 0; passed < READY_WITHIN_MS && !isReady(); passed += 100) await clock.advance(100);
  return {
    url: api.url,
    socket: folder.socket,
    statusOf: (id) => publicStatus(agent.writer.require(id).state),
    deviceOf: (id) => agent.writer.require(id).deviceId,
    close: () => stage.through('the end of the shop', lifecycle.stop()),
  };
}

function agentOf({ stage, terminals }: ShopDeps, money: Money, mirror: MirrorReader): Agent {
  return createAgent({
    name: 'agent-1',
    money,
    counters: [...terminals].map(([id, terminal]) => counterOf(id, terminal)),
    service: null,
    mirror,
    limits: { waitMs: 600_000, maxAgeMs: 3_600_000, maxWaiting: 30 },
    recovery: { settleMs: null, readIntervalMs: 5000, askPersonAfterMs: 120_000, giveUpMs: 240_000 },
    clock: stage.clock,
    ids,
    log,
    fatal: (error) => {
      throw error;
    },
  });
}

function counterOf(id: string, { openLink }: CounterTerminal): Counter {
  const named = { id, name: `Counter ${id.slice(0, 8)}`, driver: zvt.id, currency: 'EUR' } as const;
  const terminal = {
    driver,
    capabilities: zvt.capabilities,
    driverOptions: zvt.options.parse({}),
    connectsPerExchange: zvt.connection === 'per_exchange',
    openLink,
    heartbeatMs: HEARTBEAT_MS,
  };
  const policy = { lateApproval: 'void', partialApproval: 'void' } as const;
  return { device: { ...named, minAmountMinor: 1, maxAmountMinor: 99_999_999 }, terminal, log, policy };
}

/** The interface of payments with a fault before it: the only way to make a server fail that has none. */
function failing(payments: PaymentCore['payments'], faults: AppError[]): PaymentCore['payments'] {
  return new Proxy(payments, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      return (...args: readonly unknown[]) => {
        const fault = name === 'list' ? faults.shift() : undefined;
        if (fault) throw fault;
        return Reflect.apply(member, target, args);
      };
    },
  });
}

function noStatus(): never {
  throw new Error('no row asks for the status');
}

function insert(plan: KeyPlan, keys: Money['keys'], now: number): void {
  const { name, key, scopes, expiresInMs, revoked, allow = [] } = plan;
  const id = `key-${name}`;
  const record = {
    id,
    name,
    hash: hashOfKey(key),
    scopes: Scope.options.filter((scope) => scopes.includes(scope)),
    createdAt: now,
    expiresAt: expiresInMs === undefined ? null : now + expiresInMs,
    revokedAt: revoked ? now : null,
    allow,
    lastUsedAt: null,
    overlapEndsAt: null,
  };
  keys.insert(record, entryOf('created', id, now, { caller: 'contract', by: undefined, from: 'socket' }));
}
