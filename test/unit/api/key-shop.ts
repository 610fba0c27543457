import { join } from 'node:path';
import type { InjectOptions } from 'fastify';
import type { Api } from '../../../src/api/api.ts';
import { ApiContext } from '../../../src/api/context.ts';
import { createApi } from '../../../src/api/create-api.ts';
import type { ApiRules } from '../../../src/api/deps.ts';
import { Database } from '../../../src/store/database.ts';
import { SqliteAnswerStore } from '../../../src/store/idempotency/sqlite-answer-store.ts';
import { SqliteKeyStore } from '../../../src/store/keys/sqlite-key-store.ts';
import { MONEY_MIGRATIONS } from '../../../src/store/schema/migrations.ts';
import { aFolder } from '../../support/money-database.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';
import { openShop } from './shop.ts';

export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

export interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of many shapes
  readonly json: any;
}

type InjectMethod = NonNullable<InjectOptions['method']>;

interface Knock {
  readonly key?: string;
  readonly address?: string;
  readonly method?: InjectMethod;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The API with real keys in a real file, on a clock that stands still; it can be closed and opened again. */
export class KeyShop {
  readonly clock = new VirtualClock();
  readonly shop = openShop();
  readonly path = join(aFolder(), 'money.db');
  readonly #rules: Partial<ApiRules>;
  database!: Database;
  keys!: SqliteKeyStore;
  #tcp!: Api;
  #socket!: Api;

  constructor(rules: Partial<ApiRules> = {}) {
    this.#rules = rules;
    this.restart();
  }

  /** What a new process finds: the file, and nothing that was in memory. */
  restart(change: Partial<ApiRules> = {}): void {
    this.database?.close();
    this.database = Database.open(this.path, MONEY_MIGRATIONS, '0.1.0');
    this.keys = new SqliteKeyStore(this.database);
    const answers = new SqliteAnswerStore(this.database);
    const ports = { ...this.shop.deps, keys: this.keys, answers, clock: this.clock };
    const rules = { environment: 'sandbox', version: '0.1.0', ...this.#rules, ...change } as const;
    const context = new ApiContext(rules, ports);
    this.#tcp = createApi(context, { via: 'tcp' });
    this.#socket = createApi(context, { via: 'socket' });
  }

  /** As an operator asks, through the unix socket. */
  socket(
    method: InjectMethod,
    url: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answered> {
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    return this.#ask(this.#socket, { method, url, headers: { ...type, ...headers } }, body);
  }

  /** As a till asks, through TCP. */
  till(
    url: string,
    { key, address = '127.0.0.1', method = 'GET', body, headers = {} }: Knock,
  ): Promise<Answered> {
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    const shown = { host: '127.0.0.1', ...(key === undefined ? {} : { 'x-api-key': key }) };
    const head = { method, url, headers: { ...type, ...shown, ...headers }, remoteAddress: address };
    return this.#ask(this.#tcp, head, body);
  }

  /** The code with which a key is refused; 200 when it is not. */
  async fate(key: string, address?: string): Promise<number | string> {
    const knock = address === undefined ? { key } : { key, address };
    const { status, json } = await this.till('/v2/terminal-payments?limit=1', knock);
    return status === 200 ? 200 : json.error.code;
  }

  async make(more: Record<string, unknown> = {}): Promise<{ id: string; key: string }> {
    const { json } = await this.socket('POST', '/v2/keys', {
      scopes: ['payments:read', 'payments:write'],
      ...more,
    });
    return json.data;
  }

  async roll(
    id: string,
    body: Record<string, unknown> = {},
    headers: Record<string, string> = {},
  ): Promise<Answered> {
    return this.socket('POST', `/v2/keys/${id}/roll`, body, headers);
  }

  async revoke(id: string, body: Record<string, unknown> = {}): Promise<Answered> {
    return this.socket('POST', `/v2/keys/${id}/revoke`, body);
  }

  async audit(id: string): Promise<readonly Record<string, unknown>[]> {
    return (await this.socket('GET', `/v2/keys/${id}/audit`)).json.data;
  }

  /** Opens an event stream without a socket. */
  async stream(key: string): Promise<{ readonly text: string; readonly ended: boolean }> {
    const seen = { text: '', ended: false };
    const headers = { host: '127.0.0.1', 'x-api-key': key };
    const url = '/v2/events/stream';
    const reply = await this.#tcp.inject({ method: 'GET', url, headers, payloadAsStream: true });
    if (reply.statusCode !== 200) throw new Error(`no stream: ${reply.statusCode}`);
    reply
      .stream()
      .on('data', (chunk: Buffer) => {
        seen.text += chunk.toString();
      })
      .once('close', () => {
        seen.ended = true;
      });
    return seen;
  }

  async #ask(api: Api, head: InjectOptions, body: unknown): Promise<Answered> {
    const reply = await api.inject(body === undefined ? head : { ...head, payload: JSON.stringify(body) });
    const headers = Object.fromEntries(
      Object.entries(reply.headers).map(([name, value]) => [name, String(value)]),
    );
    return { status: reply.statusCode, headers, text: reply.payload, json: reply.json() };
  }
}
