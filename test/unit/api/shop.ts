import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import type { Scope } from '../../../src/api/contract/key.ts';
import type { ApiDeps } from '../../../src/api/deps.ts';
import { hashOfKey } from '../../../src/api/keys/secret.ts';
import { Metrics } from '../../../src/api/metrics/metrics.ts';
import type { ApiKeyRecord } from '../../../src/api/ports.ts';
import { type ApiOptions, type RunningApi, startApi } from '../../../src/api/server.ts';
import type { LogFields } from '../../../src/base/log.ts';
import { silentLog } from '../../../src/base/log.ts';
import type { ProviderName } from '../../../src/integration/integration.ts';
import type { IntegrationSettings } from '../../../src/integration/settings/integration-settings.ts';
import type { WebhookScheme } from '../../../src/integration/webhook-scheme.ts';
import { OutboxAdmin } from '../../../src/outbox/outbox-admin.ts';
import { DrainLease } from '../../../src/payment/guards/drain-lease.ts';
import { shopCalendar } from '../../../src/runtime/shop-calendar.ts';
import { systemClock } from '../../../src/runtime/system-clock.ts';
import { systemIds } from '../../../src/runtime/system-ids.ts';
import { Database } from '../../../src/store/database.ts';
import { SqliteAnswerStore } from '../../../src/store/idempotency/sqlite-answer-store.ts';
import { SqliteKeyStore } from '../../../src/store/keys/sqlite-key-store.ts';
import { SqliteOutboxAdminStore } from '../../../src/store/outbox/sqlite-outbox-admin-store.ts';
import { MONEY_MIGRATIONS } from '../../../src/store/schema/migrations.ts';
import { SqliteTakings } from '../../../src/store/statistics/sqlite-takings.ts';
import { SqliteTerminalActivity } from '../../../src/store/terminals/sqlite-terminal-activity.ts';
import { SqliteWebhookStore } from '../../../src/store/webhooks/sqlite-webhook-store.ts';
import type { DeviceView } from '../../../src/terminal/device.ts';
import { folderOfFile } from '../../support/folders.ts';
import { anIntegrationService, CONFIGURED, type FakeRunner } from '../../support/integrations.ts';
import { aSealer, aWebhookService } from '../../support/webhooks.ts';
import { describeRoutesOf, undescribedIn } from './as-described.ts';
import { MemoryBackOffice } from './memory-back-office.ts';
import { DEVICE_ID, MemoryPayments } from './memory-payments.ts';

/** A key per case, by what is special about it. */
/** How the provider of `provider_a` signs its webhooks. */
const TOKEN = {
  signature: { type: 'token', header: 'X-Token', prefix: '' },
  event: null,
} as const satisfies WebhookScheme;

export const KEYS = {
  full: `rk_sandbox_${'F'.repeat(32)}`,
  other: `rk_sandbox_${'O'.repeat(32)}`,
  reader: `rk_sandbox_${'R'.repeat(32)}`,
  expired: `rk_sandbox_${'E'.repeat(32)}`,
  revoked: `rk_sandbox_${'V'.repeat(32)}`,
  elsewhere: `rk_sandbox_${'W'.repeat(32)}`,
  here: `rk_sandbox_${'H'.repeat(32)}`,
  unknown: `rk_sandbox_${'U'.repeat(32)}`,
} as const;

const EVERYTHING: readonly Scope[] = [
  'payments:read',
  'payments:write',
  'webhooks:read',
  'webhooks:write',
  'invoices:read',
  'customers:read',
  'products:read',
  'subscriptions:read',
  'finance:read',
  'settings:read',
  'settings:write',
];

/** The slots that a connector serves; `terminal` has none. */
const SERVED: readonly ProviderName[] = ['provider_a', 'provider_b', 'provider_d'];

/** The real store, whose keys a test may change behind its back. */
export class ShopKeys extends SqliteKeyStore {
  readonly #database: Database;

  constructor(database: Database) {
    super(database);
    this.#database = database;
  }

  get records(): readonly ApiKeyRecord[] {
    return [...this.list()].reverse();
  }

  /** A key that was made in some way. */
  add(record: ApiKeyRecord): void {
    const at = record.createdAt;
    const by = { caller: 'socket', by: null, from: 'socket', overlapEndsAt: null };
    this.insert(record, { keyId: record.id, event: 'created', at, ...by });
  }

  endNow(id: string): void {
    this.#database.run('UPDATE api_keys SET revoked_at = 1 WHERE id = ?', id);
  }
}

export interface Shop {
  readonly deps: ApiDeps;
  readonly payments: MemoryPayments;
  readonly backOffice: MemoryBackOffice;
  readonly keys: ShopKeys;
  readonly health: { can_sell: boolean };
  readonly webhookStore: SqliteWebhookStore;
  readonly books: Database;
  readonly settings: IntegrationSettings;
  readonly runner: FakeRunner;
  /** What the log was told, as text. */
  readonly logged: string[];
}

/** Ports for one test: two devices, the keys above, a status that can be changed. */
export function openShop(): Shop {
  const devices = new Map(DEVICES.map((view) => [view.device.id, view]));
  const payments = new MemoryPayments({ list: () => [...devices.values()], get: (id) => devices.get(id) });
  const operations = new MemoryBackOffice();
  const books = database();
  const keys = new ShopKeys(books);
  for (const record of keyRecords()) keys.add(record);
  const health = { can_sell: true };
  const sealer = aSealer();
  const integrations = anIntegrationService(books, {
    clock: systemClock,
    sealer,
    configured: new Map(
      SERVED.map((name) => [name, name === 'provider_a' ? { ...CONFIGURED, webhook: TOKEN } : CONFIGURED]),
    ),
  });
  const logged: string[] = [];
  const write = (fields: LogFields, message: string) => logged.push(`${message} ${JSON.stringify(fields)}`);
  const view = () => ({ ...health, can_report: true, is_fresh: true, reasons: [] });
  return {
    payments,
    backOffice: operations,
    keys,
    health,
    webhookStore: new SqliteWebhookStore(books),
    books,
    settings: integrations.settings,
    runner: integrations.runner,
    logged,
    deps: {
      payments,
      operations,
      takings: new SqliteTakings(books),
      activity: new SqliteTerminalActivity(books),
      calendar: shopCalendar('Europe/Berlin'),
      drain: new DrainLease({ busy: () => [], clock: systemClock, log: silentLog }),
      devices: { list: () => [...devices.values()], get: (id) => devices.get(id) },
      keys,
      answers: new SqliteAnswerStore(books),
      outbox: new OutboxAdmin({
        store: new SqliteOutboxAdminStore(books),
        clock: systemClock,
        changed: () => undefined,
      }),
      webhooks: aWebhookService(books, systemClock, systemIds, sealer),
      integrations: integrations.integrations,
      sealer,
      status: {
        health: view,
        status: () => ({
          version: '0.1.0',
          environment: 'sandbox',
          urls: { local: 'http://127.0.0.1:8480', sandbox: null, socket: '.tilld/tilld.sock' },
          ...view(),
          terminals: [],
          link: { state: 'off', reason: null, code: null, environment: null, clock_skew_ms: null },
          outbox: { pending: 0, oldest_at: null, parked: 0 },
          integrations: [],
          upgrade: null,
        }),
        metrics: () => new Metrics().text([{ name: 'tilld_unknown_outcomes', value: 2 }]),
      },
      clock: systemClock,
      ids: systemIds,
      log: { ...silentLog, warn: write, error: write },
    },
  };
}

function database(): Database {
  return Database.open(join(folderOfFile('tilld-api-'), 'money.db'), MONEY_MIGRATIONS, '0.1.0');
}

export async function startShop(
  options: Partial<ApiOptions> = {},
  shop = openShop(),
): Promise<{ shop: Shop; api: RunningApi; socketPath: string }> {
  await describeRoutesOf(shop.deps);
  const socketPath = join(folderOfFile('tilld-api-'), 'tilld.sock');
  const api = await startApi(
    {
      host: '127.0.0.1',
      port: 0,
      socketPath,
      environment: 'sandbox',
      version: '0.1.0',
      stopWithinMs: 200,
      ...options,
    },
    shop.deps,
  );
  return { shop, api, socketPath };
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of many shapes
  readonly json: any;
}

export interface Ask {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** null: none. */
  readonly key?: string | null;
}

/**
 * One request over real HTTP: to a URL, or to a unix socket by its path. Every answer is held against the OpenAPI document: one that it
 * does not describe (status, header or body) is an error.
 */
export function ask(
  to: string,
  { method = 'GET', path, headers = {}, body, key = KEYS.full }: Ask,
): Promise<Answer> {
  const target = to.startsWith('http')
    ? { host: new URL(to).hostname, port: new URL(to).port }
    : { socketPath: to };
  const type =
    body === undefined
      ? {}
      : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  return new Promise((resolve, reject) => {
    const request = httpRequest({
      ...target,
      method,
      path,
      agent: false,
      headers: { ...type, ...(key === null ? {} : { 'x-api-key': key }), ...headers },
    });
    request.once('error', reject);
    request.once('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('error', reject);
      response.once('end', () => {
        const text = Buffer.concat(chunks).toString();
        const isJson = String(response.headers['content-type']).startsWith('application/json');
        const seen = { status: response.statusCode ?? 0, headers: response.headers, text };
        const undescribed = undescribedIn(method, path, seen);
        if (undescribed) reject(undescribed);
        else resolve({ ...seen, json: isJson && text ? JSON.parse(text) : null });
      });
    });
    request.end(body);
  });
}

export function sale(change: Readonly<Record<string, unknown>> = {}): string {
  return JSON.stringify({ device_id: DEVICE_ID, amount_minor: 1234, currency: 'EUR', ...change });
}

const DEVICES: readonly DeviceView[] = [
  deviceView(DEVICE_ID, 'Counter 1'),
  deviceView('0198c5a0-aaaa-7000-8000-000000000002', 'Counter 2'),
];

function deviceView(id: string, name: string): DeviceView {
  return {
    device: { id, name, driver: 'zvt', currency: 'EUR', minAmountMinor: 1, maxAmountMinor: 99_999_999 },
    status: 'ready',
    statusReason: null,
    identity: { grade: 'serial', serial: 'S-1', terminalId: '12345678', model: 'Virtual', firmware: '1.0' },
    capabilities: {
      refund: false,
      void: 'none',
      voidNeedsCard: false,
      tip: false,
      abort: true,
      recover: 'by_number',
      commitPoint: 'acknowledged',
      settleMs: 20_000,
      goesOnMs: 0,
      endOfDay: false,
      totalsWithoutPaper: false,
      identity: 'serial',
    },
    answering: null,
    lastSeenAt: 1_700_000_000_000,
    inDoubtAttemptId: null,
    waiting: 0,
    sharedUse: false,
    needs: null,
    isConnected: true,
  };
}

function keyRecords(): readonly ApiKeyRecord[] {
  const now = Date.now();
  const record = (name: keyof typeof KEYS, change: Partial<ApiKeyRecord> = {}): ApiKeyRecord => ({
    id: keyId(name),
    name,
    hash: hashOfKey(KEYS[name]),
    scopes: EVERYTHING,
    createdAt: now - 1_000,
    expiresAt: null,
    revokedAt: null,
    allow: [],
    lastUsedAt: null,
    overlapEndsAt: null,
    ...change,
  });
  return [
    record('full'),
    record('other'),
    record('reader', { scopes: ['payments:read'] }),
    record('expired', { expiresAt: now - 1 }),
    record('revoked', { revokedAt: now - 1 }),
    record('elsewhere', { allow: ['10.0.0.0/8', 'fd00::/8', '192.0.2.7'] }),
    record('here', { allow: ['10.0.0.0/8', '127.0.0.0/8'] }),
  ];
}

/** The id of the key of a case. */
export function keyId(name: keyof typeof KEYS): string {
  return `0198c5a0-dddd-7000-8000-00000000000${Object.keys(KEYS).indexOf(name)}`;
}
