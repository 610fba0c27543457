import { join } from 'node:path';
import type { Request } from '../../../src/api/door/request.ts';
import { type ApiRules, openDoor } from '../../../src/api/open-door.ts';
import type { Sink } from '../../../src/api/stream/sink.ts';
import { Database } from '../../../src/store/database.ts';
import { MONEY_MIGRATIONS } from '../../../src/store/migrations.ts';
import { SqliteAnswerStore } from '../../../src/store/sqlite-answer-store.ts';
import { SqliteKeyStore } from '../../../src/store/sqlite-key-store.ts';
import { aFolder } from '../../support/money-database.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';
import { openShop } from './shop.ts';

export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

export interface Said {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of many shapes
  readonly json: any;
}

interface Knock {
  readonly key?: string;
  readonly address?: string;
  readonly method?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The door with real keys in a real file, on a clock that stands still; it can be closed and opened again. */
export class KeyShop {
  readonly clock = new VirtualClock();
  readonly shop = openShop();
  readonly path = join(aFolder(), 'money.db');
  readonly #rules: Partial<ApiRules>;
  database!: Database;
  keys!: SqliteKeyStore;
  #opened!: ReturnType<typeof openDoor>;

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
    this.#opened = openDoor(rules, ports);
  }

  /** As an operator asks, through the unix socket. */
  socket(
    method: string,
    target: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Said> {
    return this.#ask({ method, target, headers, peer: { kind: 'socket' } }, body);
  }

  /** As a till asks, through TCP. */
  till(
    target: string,
    { key, address = '127.0.0.1', method = 'GET', body, headers = {} }: Knock,
  ): Promise<Said> {
    const shown = { host: '127.0.0.1', ...(key === undefined ? {} : { 'x-api-key': key }), ...headers };
    return this.#ask({ method, target, headers: shown, peer: { kind: 'tcp', address } }, body);
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
  ): Promise<Said> {
    return this.socket('POST', `/v2/keys/${id}/roll`, body, headers);
  }

  async revoke(id: string, body: Record<string, unknown> = {}): Promise<Said> {
    return this.socket('POST', `/v2/keys/${id}/revoke`, body);
  }

  async audit(id: string): Promise<readonly Record<string, unknown>[]> {
    return (await this.socket('GET', `/v2/keys/${id}/audit`)).json.data;
  }

  /** Opens an event stream below HTTP. */
  async stream(key: string): Promise<{ readonly text: string; readonly ended: boolean }> {
    const seen = { text: '', ended: false };
    const sink: Sink = {
      buffered: 0,
      write: (text) => {
        seen.text += text;
      },
      onDrain: () => undefined,
      onClose: () => undefined,
      end: () => {
        seen.ended = true;
      },
      cut: () => {
        seen.ended = true;
      },
    };
    const headers = { host: '127.0.0.1', 'x-api-key': key };
    const target = '/v2/events/stream';
    const peer = { kind: 'tcp', address: '127.0.0.1' } as const;
    const reply = await this.#opened.door.dispatch({ method: 'GET', target, headers, peer });
    if (reply.kind !== 'stream') throw new Error(`no stream: ${reply.body}`);
    reply.open(sink);
    return seen;
  }

  async #ask(head: Omit<Request, 'body'>, body: unknown): Promise<Said> {
    const bytes = body === undefined ? {} : { body: new TextEncoder().encode(JSON.stringify(body)) };
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    const request = { ...head, headers: { ...type, ...head.headers }, ...bytes };
    const reply = await this.#opened.door.dispatch(request);
    if (reply.kind !== 'document') throw new Error('a stream has no end');
    const { status, headers, body: text } = reply;
    return { status, headers, text, json: JSON.parse(text) };
  }
}
