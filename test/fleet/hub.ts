import { createHash, generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto';
import { SignJWT } from 'jose';
import { networksOf } from '../../src/hub/alerts/networks.ts';
import { asTenant, connect, type Database } from '../../src/hub/database/connect.ts';
import { migrate } from '../../src/hub/database/migrate.ts';
import { createHub } from '../../src/hub/http/create-hub.ts';
import { addOperator, type Role } from '../../src/hub/operators/operators.ts';
import { invite, tenantId } from '../../src/hub/shops/invite.ts';
import { openPglite } from './pglite.ts';
import { newDatabase } from './postgres.ts';

/** A hub on a new database: of PGlite, or of the PostgreSQL that `TILLHUB_TEST_SERVER` names (`postgres://USER@HOST:PORT`). */
export interface TestHub {
  /** To this hub, without a socket. */
  readonly send: Send;
  readonly database: Database;
  /** Epoch ms; the tests move it. */
  now: number;
  tenant(name: string): Promise<void>;
  invite(tenant: string, shop: string): Promise<string>;
  /** Listens on loopback. @returns its address */
  listen(): Promise<string>;
  /** A new operator, who asks with a token. */
  operator(tenant: string, role: Role): Promise<Operator>;
  stop(): Promise<void>;
}

export async function testHub(): Promise<TestHub> {
  const server = process.env['TILLHUB_TEST_SERVER'];
  const database =
    server === undefined ? await openPglite() : connect(await newDatabase(server), { connections: 16 });
  await migrate(database);
  const hub = createHub({
    database,
    now: () => test.now,
    alerts: { mayReach: networksOf('127.0.0.1'), sendMail: null },
  });
  const test: TestHub = {
    async send(url, headers, payload) {
      const reply = await hub.inject({ method: 'POST', url, headers, payload });
      return { status: reply.statusCode, body: reply.json() };
    },
    database,
    now: Date.parse('2026-11-27T12:00:00Z'),
    async tenant(name) {
      await database.insertInto('tenant').values({ name }).execute();
    },
    async invite(tenant, shop) {
      return (await invite(database, { tenant, shop }, 'test', test.now)).code;
    },
    listen: () => hub.listen({ host: '127.0.0.1', port: 0 }),
    async operator(tenant, role) {
      const id = await tenantId(database, tenant);
      const name = `${role}-${randomUUID().slice(0, 8)}`;
      const token = await asTenant(database, id, (transaction) =>
        addOperator(transaction, id, { name, role }, 'test'),
      );
      const ask: Ask = async (method, url, { headers = {}, body } = {}) => {
        const sent = body === undefined ? {} : { payload: JSON.stringify(body) };
        const type = body === undefined ? {} : { 'content-type': 'application/json' };
        const authorization = `Bearer ${token}`;
        const reply = await hub.inject({
          method,
          url,
          headers: { authorization, ...type, ...headers },
          ...sent,
        });
        const text = reply.body;
        const isJson = String(reply.headers['content-type']).startsWith('application/json');
        return { status: reply.statusCode, body: isJson ? reply.json() : text, headers: reply.headers };
      };
      return { name, token, ask };
    },
    async stop() {
      await hub.close();
      await database.destroy();
    },
  };
  return test;
}

export interface Reply {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into any answer.
  readonly body: any;
}

/** Asks as an operator; `headers` replace those that prove it. */
type Ask = (
  method: 'GET' | 'PUT' | 'POST' | 'DELETE',
  url: string,
  more?: { readonly headers?: Readonly<Record<string, string>>; readonly body?: unknown },
) => Promise<Reply & { readonly headers: Readonly<Record<string, unknown>> }>;

export interface Operator {
  readonly name: string;
  readonly token: string;
  readonly ask: Ask;
}

/** Sends one request to a hub. */
export type Send = (url: string, headers: Record<string, string>, payload: string) => Promise<Reply>;

/** A shop's side of the protocol, written from its description alone. */
export class Shop {
  readonly key: KeyObject;
  readonly x: string;
  readonly runId = randomUUID();
  readonly #send: Send;
  issuer: string | undefined;
  exchanges = 0;

  constructor(send: Send, key = generateKeyPairSync('ed25519').privateKey) {
    this.#send = send;
    this.key = key;
    this.x = String(key.export({ format: 'jwk' }).x);
  }

  async join(code: string): Promise<Reply> {
    const key = { kty: 'OKP', crv: 'Ed25519', x: this.x };
    const reply = await this.post('/v1/enrolments', { code, key, version: '1.2.3' });
    if (reply.status === 201) this.issuer = `${reply.body.data.tenant.id}/${reply.body.data.agent_id}`;
    return reply;
  }

  async exchange(more: Readonly<Record<string, unknown>> = {}, now = Date.parse('2026-11-27T12:00:00Z')) {
    this.exchanges += 1;
    const run = { run_id: this.runId, exchange: this.exchanges };
    return await this.post('/v1/exchange', { epoch: 'e1', ...run, now, version: '1.2.3', ...more });
  }

  /** @param signed what the signature is over, where it is not what is sent */
  async post(url: string, body: unknown, signed: { url?: string; body?: unknown } = {}): Promise<Reply> {
    const payload = JSON.stringify(body);
    const digest = createHash('sha256')
      .update(JSON.stringify(signed.body ?? body))
      .digest('base64url');
    const claims = { htm: 'POST', htu: signed.url ?? url, digest };
    const jwt = new SignJWT(this.issuer === undefined ? claims : { ...claims, iss: this.issuer });
    const token = await jwt.setProtectedHeader({ alg: 'EdDSA' }).sign(this.key);
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
    return await this.#send(url, headers, payload);
  }
}

export const CHAIN_START = '0'.repeat(64);

/** Entries of a journal, chained after `previous`. */
export function entries(count: number, first = 1, previous = CHAIN_START, event = 'paid') {
  let last = previous;
  return Array.from({ length: count }, (_, index) => {
    const entry = {
      seq: first + index,
      attempt_id: `a${first + index}`,
      at: 1_764_000_000_000 + index,
      event,
      from_state: 'dispatched',
      to_state: 'succeeded',
      details: JSON.stringify({ no: first + index, text: 'é\u0000"' }),
    };
    const fields = [
      entry.seq,
      entry.attempt_id,
      entry.at,
      entry.event,
      entry.from_state,
      entry.to_state,
      entry.details,
    ];
    last = createHash('sha256')
      .update(`${last}\n${JSON.stringify(fields)}`)
      .digest('hex');
    return { ...entry, hash: last };
  });
}

export type Entries = ReturnType<typeof entries>;

/** The body that sends a part of a journal. */
export function batch(all: Entries, from: number, to: number, epoch = 'e1') {
  const sent = all.filter(({ seq }) => seq >= from && seq <= to);
  const before = all.find(({ seq }) => seq === from - 1)?.hash ?? CHAIN_START;
  return { epoch, first_seq: from, previous_hash: before, entries: sent };
}
