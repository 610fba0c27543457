import { join } from 'node:path';
import { driver } from '../../../drivers/terminals/zvt/driver.ts';
import { zvt } from '../../../drivers/terminals/zvt/manifest.ts';
import { hashOfKey } from '../../../src/api/keys/authenticate.ts';
import { startApi } from '../../../src/api/server.ts';
import type { AppError } from '../../../src/base/errors.ts';
import { silentLog } from '../../../src/base/log.ts';
import { type Core, type Counter, makeCore } from '../../../src/payment/core.ts';
import { publicStatus } from '../../../src/payment/machine.ts';
import { systemIds } from '../../../src/runtime/system-ids.ts';
import { Database } from '../../../src/store/database.ts';
import { MONEY_MIGRATIONS } from '../../../src/store/migrations.ts';
import { SqliteAnswerStore } from '../../../src/store/sqlite-answer-store.ts';
import { SqliteIdentityStore } from '../../../src/store/sqlite-identity-store.ts';
import { SqliteKeyStore } from '../../../src/store/sqlite-key-store.ts';
import { SqlitePaymentStore } from '../../../src/store/sqlite-payment-store.ts';
import { FrameRing } from '../../../src/terminal/frame-ring.ts';
import { TerminalRoster } from '../../../src/terminal/roster.ts';
import { TerminalSupervisor } from '../../../src/terminal/supervisor.ts';
import { PLANS } from '../interface.ts';
import type { CounterTerminal } from './counter-terminal.ts';
import { KEY_PLANS, type KeyPlan } from './keys.ts';
import type { Setting } from './side.ts';
import type { Stage } from './stage.ts';

/** A day of virtual time passes in one row: a beat every 15 s would be most of the work. */
const HEARTBEAT_MS = 7_200_000;
/** So many that no row meets the limit by chance. */
const NO_LIMIT = { perMinute: 600_000, burst: 100_000 };
const READY_WITHIN_MS = 60_000;

export interface ShopParts {
  /** Where the database is; it outlives a restart. */
  readonly folder: string;
  readonly stage: Stage;
  readonly terminals: ReadonlyMap<string, CounterTerminal>;
  readonly setting: Setting;
  /** What the next reads of payments throw, first come first served. */
  readonly faults: AppError[];
}

/** A shop that sells, and the one who can look into its books. */
export interface OpenShop {
  readonly url: string;
  statusOf(paymentId: string): string;
  deviceOf(paymentId: string): string;
  close(): Promise<void>;
}

/** Opens the real core over the real database and serves its interface on a real socket. */
export async function openShop(parts: ShopParts): Promise<OpenShop> {
  const { folder, stage, terminals, setting } = parts;
  const { clock } = stage;
  const database = Database.open(join(folder, 'money.db'), MONEY_MIGRATIONS, '0.1.0');
  const keys = new SqliteKeyStore(database);
  if (keys.list().length === 0) for (const plan of KEY_PLANS) keys.insert(recordOf(plan, clock.now()));
  const core = coreOf(parts, database);
  core.lanes.inherit();
  core.lanes.start();
  for (let passed = 0; passed < READY_WITHIN_MS && !isReady(core); passed += 100) await clock.advance(100);
  const api = await startApi(
    {
      host: '127.0.0.1',
      port: 0,
      socketPath: null,
      environment: 'sandbox',
      version: '0.1.0',
      rateLimit: setting.plan === undefined ? NO_LIMIT : PLANS[setting.plan],
      stopWithinMs: 200,
    },
    {
      payments: failing(core.desk, parts.faults),
      backOffice: core.office,
      devices: core.lanes,
      keys,
      answers: new SqliteAnswerStore(database),
      status: { status: noStatus, health: noStatus },
      clock,
      ids: systemIds,
      log: silentLog,
    },
  );
  const attempt = (id: string) => core.service.require(id);
  return {
    url: api.url,
    statusOf: (id) => publicStatus(attempt(id).state),
    deviceOf: (id) => attempt(id).deviceId,
    close: async () => {
      await stage.through('the end of the interface', api.stop());
      await stage.through('the end of the lanes', core.lanes.stop());
      database.close();
    },
  };

  function isReady({ lanes }: Core): boolean {
    return [...terminals.keys()].every((id) => lanes.get(id)?.status === 'ready');
  }
}

function coreOf({ stage, terminals }: ShopParts, database: Database): Core {
  const { clock } = stage;
  const identities = new SqliteIdentityStore(database);
  const roster = new TerminalRoster();
  const late: { core?: Core } = {};
  const counters = [...terminals].map(([id, terminal]) =>
    counterOf(id, terminal, { clock, identities, roster, changed: () => late.core?.lanes.wake(id) }),
  );
  late.core = makeCore(
    {
      store: new SqlitePaymentStore(database),
      terminals: identities,
      reports: null,
      limits: { waitMs: 600_000, maxAgeMs: 3_600_000, maxWaiting: 20 },
      recovery: { settleMs: null, readIntervalMs: 5000, askPersonAfterMs: 120_000, giveUpMs: 240_000 },
      memory: { since: 0, lost: false },
      clock,
      ids: systemIds,
      log: silentLog,
      fatal: (error) => {
        throw error;
      },
    },
    counters,
  );
  return late.core;
}

interface CounterPorts {
  readonly clock: Stage['clock'];
  readonly identities: SqliteIdentityStore;
  readonly roster: TerminalRoster;
  readonly changed: () => void;
}

function counterOf(id: string, terminal: CounterTerminal, ports: CounterPorts): Counter {
  const { clock, identities, roster, changed } = ports;
  const frames = new FrameRing(clock, silentLog);
  const device = { id, name: `Counter ${id.slice(0, 8)}`, driver: zvt.id, currency: 'EUR' } as const;
  const range = { minAmountMinor: 1, maxAmountMinor: 99_999_999 };
  const supervisor = new TerminalSupervisor({
    device: { ...device, ...range },
    driver,
    capabilities: zvt.capabilities,
    driverOptions: zvt.options.parse({}),
    connectsPerExchange: zvt.connection === 'per_exchange',
    openLink: terminal.openLink,
    transcript: frames,
    heartbeatMs: HEARTBEAT_MS,
    clock,
    ids: systemIds,
    log: silentLog,
    identities: {
      get: () => identities.identityOf(id),
      remember: (identity) => identities.rememberIdentity(id, identity, clock.now()),
    },
    roster,
    onChange: changed,
  });
  const wishes = { lateApproval: 'void', partialApproval: 'void' } as const;
  return { device: { ...device, ...range }, terminal: supervisor, frames, log: silentLog, wishes };
}

/** The desk with a fault before it: the only way to make a server fail that has none. */
function failing(desk: Core['desk'], faults: AppError[]): Core['desk'] {
  return new Proxy(desk, {
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

function recordOf({ name, key, scopes, expiresInMs, revoked, allow = [] }: KeyPlan, now: number) {
  const known = [
    'payments:read',
    'payments:write',
    'webhooks:read',
    'webhooks:write',
    'settings:read',
    'settings:write',
  ] as const;
  return {
    id: `key-${name}`,
    name,
    hash: hashOfKey(key),
    scopes: known.filter((scope) => scopes.includes(scope)),
    createdAt: now,
    expiresAt: expiresInMs === undefined ? null : now + expiresInMs,
    revokedAt: revoked ? now : null,
    allow,
    lastUsedAt: null,
  };
}
