import { once } from 'node:events';
import { request } from 'node:http';
import { json } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PageDeps } from '../../../src/api/ports.ts';
import { Sessions } from '../../../src/api/sessions/sessions.ts';
import { brokenAuditIn } from '../../../src/store/audit/audit-trail.ts';
import { SqlitePeopleStore } from '../../../src/store/people/sqlite-people-store.ts';
import { SqliteSessionStore } from '../../../src/store/people/sqlite-session-store.ts';
import { DEVICE_ID } from './memory-payments.ts';
import { type Answer, ask } from './page-request.ts';
import { KEYS, openShop, type Shop, sale, startShop } from './shop.ts';

const AS_LEAD = { name: 'Anna', role: 'lead', system_user: 'anna' };
const KEY = { 'x-api-key': KEYS.full };
const DECISION = { as: 'succeeded', by: 'whoever', reason: 'the slip', shown: 'receipt 7' };
type Started = Awaited<ReturnType<typeof startShop>>;
type Credentials = Readonly<Record<string, string>>;

describe('the people of a shop', () => {
  let started: Started;
  let shop: Shop;
  let anna = '';
  beforeEach(async () => {
    shop = openShop();
    const pages: PageDeps = { files: [], sessions: new SqliteSessionStore(shop.books) };
    const people = new SqlitePeopleStore(shop.books);
    started = await startShop({}, { ...shop, deps: { ...shop.deps, pages, people } });
  });
  afterEach(() => started.api.stop());

  const call = (to: string, method: string, path: string, body?: unknown, headers: Credentials = {}) =>
    ask(to, { method, path, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
  const socket = (method: string, path: string, body?: unknown, user?: string) =>
    call(started.socketPath, method, path, body, user === undefined ? {} : { 'x-tilld-user': user });
  const page = (credentials: Credentials, method: string, path: string, body?: unknown) =>
    call(started.api.url, method, path, body, credentials);
  const add = async (body: object) => (await socket('POST', '/v2/people', body)).json.data;
  const code = async (body: object) => (await socket('POST', '/v2/sign-in-codes', body)).json.data.code;
  const signIn = (text: string) => call(started.api.url, 'POST', '/v2/sessions', { code: text });
  const signedIn = async (body: object): Promise<Credentials> => {
    const { headers, json } = await signIn(await code(body));
    return {
      cookie: String(headers['set-cookie']).split(';')[0] ?? '',
      'x-tilld-page': String(json.data.proof),
    };
  };
  /** Ends an unknown outcome; gives who the books say decided it. */
  const deciderOf = async (resolve: (path: string) => Promise<Answer>) => {
    const { id } = (await call(started.api.url, 'POST', '/v2/terminal-payments', JSON.parse(sale()), KEY))
      .json.data;
    shop.payments.move(id, { state: { name: 'in_doubt', since: 1, reason: 'link_lost' } as never });
    const answer = await resolve(`/v2/terminal-payments/${id}/resolve`);
    if (answer.status !== 200) return answer.json.error.code;
    const decided = shop.payments.attempts.find((attempt) => attempt.id === id)?.evidence;
    return decided?.kind === 'person' ? decided.by : null;
  };

  it('decide under their own names, whatever the request says, in the role they have', async () => {
    await add(AS_LEAD);
    const credentials = await signedIn({ person: 'anna', role: 'ops' });
    const { data } = (await page(credentials, 'GET', '/v2/sessions/current')).json;
    expect(data).toMatchObject({ role: 'lead', person: { name: 'Anna' } });
    expect(await deciderOf((path) => page(credentials, 'POST', path, DECISION))).toBe('Anna');
  });

  it('a shared code decides nothing any more once there is a person, and does before', async () => {
    const shared = await signedIn({ role: 'lead' });
    const resolve = (path: string) => page(shared, 'POST', path, DECISION);
    expect(await deciderOf(resolve)).toBe('whoever');
    await add(AS_LEAD);
    expect(await deciderOf(resolve)).toBe('person_required');
    const body = { force: { by: 'whoever', reason: 'late' } };
    const closing = await page(shared, 'POST', `/v2/terminal-devices/${DEVICE_ID}/end-of-day`, body);
    expect(closing).toMatchObject({ status: 403, json: { error: { code: 'person_required' } } });
    expect(shop.backOffice.all).toEqual([]);
  });

  it('a shared code of ops adds no one and makes no code of a person once there is one: it would decide under a name', async () => {
    const shared = await signedIn({ role: 'ops' });
    expect((await page(shared, 'POST', '/v2/people', AS_LEAD)).status).toBe(201);
    const refused = [
      await page(shared, 'POST', '/v2/sign-in-codes', { person: 'Anna' }),
      await page(shared, 'POST', '/v2/people', { name: 'Eve', role: 'lead' }),
    ];
    expect(refused.map(({ json }) => json.error?.code)).toEqual(['person_required', 'person_required']);
    await add({ name: 'Olga', role: 'ops' });
    const olga = await signedIn({ person: 'Olga' });
    expect((await page(olga, 'POST', '/v2/sign-in-codes', { person: 'Anna' })).status).toBe(201);
    expect((await page(olga, 'POST', '/v2/people', { name: 'Eve', role: 'lead' })).status).toBe(201);
  });

  it('on the unix socket the user of the machine is the person', async () => {
    await add(AS_LEAD);
    expect(await deciderOf((path) => socket('POST', path, DECISION, 'anna'))).toBe('Anna');
    expect(await deciderOf((path) => socket('POST', path, DECISION, 'eve'))).toBe('person_required');
    expect(await deciderOf((path) => socket('POST', path, DECISION))).toBe('person_required');
  });

  it('who asks for a refund or a void is in the audit trail before it begins, and a shared code gets none', async () => {
    const shared = await signedIn({ role: 'lead' });
    await add(AS_LEAD);
    const anna = await signedIn({ person: 'Anna' });
    const sold = await call(started.api.url, 'POST', '/v2/terminal-payments', JSON.parse(sale()), KEY);
    const { id } = sold.json.data;
    shop.payments.move(id, { state: { name: 'succeeded' } as never });
    const back = (credentials: Credentials, what: string, body?: object) =>
      page(credentials, 'POST', `/v2/terminal-payments/${id}/${what}`, body);
    expect((await back(shared, 'refund', { amount_minor: 100 })).json.error.code).toBe('person_required');
    expect((await back(shared, 'void')).json.error.code).toBe('person_required');
    expect(shop.payments.attempts).toHaveLength(1);
    expect((await back(anna, 'refund', { amount_minor: 100 })).status).toBe(201);
    expect((await back(anna, 'void')).status).toBe(201);
    const trail = (await socket('GET', '/v2/audit')).json.data;
    expect(trail.slice(0, 2)).toMatchObject([
      { event: 'void_requested', subject: id, who: 'Anna' },
      { event: 'refund_requested', subject: id, who: 'Anna', details: { amount_minor: 100 } },
    ]);
    expect(
      (await call(started.api.url, 'POST', `/v2/terminal-payments/${id}/void`, undefined, KEY)).status,
    ).toBe(201);
  });

  it('a till answers for its own users, and cannot claim to be a user of the machine', async () => {
    await add(AS_LEAD);
    const till = (path: string) =>
      call(started.api.url, 'POST', path, DECISION, { ...KEY, 'x-tilld-user': 'anna' });
    expect(await deciderOf(till)).toBe('whoever');
  });

  it('who is disabled is signed out at once, gets no code, and an earlier code opens nothing', async () => {
    const { id } = await add(AS_LEAD);
    const early = await code({ person: 'Anna' });
    const credentials = await signedIn({ person: 'Anna' });
    await socket('POST', `/v2/people/${id}/disable`);
    expect((await page(credentials, 'GET', '/v2/terminal-payments')).status).toBe(401);
    expect((await signIn(early)).json.error.code).toBe('sign_in_code_invalid');
    expect((await socket('POST', '/v2/sign-in-codes', { person: 'Anna' })).status).toBe(404);
    expect(await deciderOf((path) => socket('POST', path, DECISION, 'anna'))).toBe('person_required');
    const again = await socket('POST', `/v2/people/${id}/disable`);
    expect(again.json.data).toMatchObject({ status: 'disabled' });
    const trail: { subject: string; event: string }[] = (await socket('GET', '/v2/audit')).json.data;
    const theirs = trail.filter(({ subject }) => subject === id).map(({ event }) => event);
    expect(theirs).toEqual(['person_disabled', 'signed_in', 'person_added']);
  });

  it.each(['ANNA', 'Anna\u00a0', '\uff21nna', 'A\u006ena'])('%j is the name of Anna', async (name) => {
    await add(AS_LEAD);
    expect((await socket('POST', '/v2/people', { name, role: 'lead' })).status).toBe(409);
  });

  it('one who signs in hundreds of times signs no one else out', async () => {
    await add(AS_LEAD);
    const anna = await signedIn({ person: 'Anna' });
    const { id } = await add({ name: 'Berta', role: 'staff' });
    const sessions = new Sessions({
      store: new SqliteSessionStore(shop.books),
      clock: shop.deps.clock,
      ids: shop.deps.ids,
    });
    const berta = new SqlitePeopleStore(shop.books).list().find((person) => person.id === id) ?? null;
    const opened = {
      role: 'staff',
      person: berta,
      device: null,
      way: 'pin',
      codeBy: null,
      from: 'x',
    } as const;
    for (let count = 0; count < 300; count += 1) sessions.open(opened);
    expect((await page(anna, 'GET', '/v2/sessions/current')).status).toBe(200);
    const rows = shop.books.all('SELECT id FROM page_sessions WHERE person_id = ?', id);
    expect(rows).toHaveLength(16);
  });

  it('a name comes free with its person, and each has one user of the machine', async () => {
    const { id } = await add(AS_LEAD);
    const taken = [
      { name: 'ANNA', role: 'staff' },
      { name: 'Berta', role: 'staff', system_user: 'anna' },
    ];
    for (const body of taken) expect((await socket('POST', '/v2/people', body)).status).toBe(409);
    await socket('POST', `/v2/people/${id}/disable`);
    for (const body of taken) expect((await socket('POST', '/v2/people', body)).status).toBe(201);
    expect((await socket('GET', '/v2/people')).json.data).toMatchObject([
      { name: 'ANNA', status: 'active' },
      { name: 'Berta', status: 'active' },
      { name: 'Anna', status: 'disabled' },
    ]);
  });

  it.each([
    ['', 'staff'],
    [' Anna', 'staff'],
    ['a'.repeat(65), 'staff'],
    ['An\u0000na', 'staff'],
    ['An\u202Ena', 'staff'],
    ['Anna', 'root'],
  ])('%j as %s is refused', async (name, role) => {
    expect((await socket('POST', '/v2/people', { name, role })).status).toBe(400);
  });

  it('are added by the unix socket and by ops alone', async () => {
    const staff = await signedIn({ role: 'lead' });
    const ops = await signedIn({ role: 'ops' });
    expect((await page(staff, 'POST', '/v2/people', AS_LEAD)).status).toBe(403);
    expect((await page(staff, 'GET', '/v2/audit')).status).toBe(403);
    expect((await call(started.api.url, 'POST', '/v2/people', AS_LEAD, KEY)).status).toBe(403);
    expect((await page(ops, 'POST', '/v2/people', AS_LEAD)).status).toBe(201);
  });

  it('a code that signs a person in says in the audit trail who made it', async () => {
    await add(AS_LEAD);
    await add({ name: 'Olga', role: 'ops' });
    const olga = await signedIn({ person: 'Olga' });
    const made = await page(olga, 'POST', '/v2/sign-in-codes', { person: 'Anna' });
    await signIn(made.json.data.code);
    const trail = (await socket('GET', '/v2/audit')).json.data;
    expect(trail.slice(0, 2)).toMatchObject([
      { event: 'signed_in', who: 'Anna', details: { way: 'code', code_by: 'Olga' } },
      { event: 'signed_in', who: 'Olga', details: { way: 'code', code_by: 'socket' } },
    ]);
  });

  it.each<[string, (credentials: Credentials) => Promise<unknown>]>([
    ['was disabled', async () => socket('POST', `/v2/people/${anna}/disable`)],
    ['has signed out', (credentials) => page(credentials, 'DELETE', '/v2/sessions/current')],
  ])('a body that comes after its person %s decides nothing', async (_name, end) => {
    anna = (await add(AS_LEAD)).id;
    const credentials = await signedIn({ person: 'Anna' });
    const decided = await deciderOf(async (path) => {
      const body = JSON.stringify(DECISION);
      const headers = { ...credentials, 'content-type': 'application/json', 'content-length': body.length };
      const { port } = new URL(started.api.url);
      const sent = request({ host: '127.0.0.1', port, method: 'POST', path, headers, agent: false });
      sent.flushHeaders();
      const answered = once(sent, 'response');
      await wait(400);
      await end(credentials);
      sent.end(body);
      const [answer] = await answered;
      return { status: answer.statusCode, headers: {}, text: '', json: await json(answer) };
    });
    expect(decided).toBe('session_invalid');
  });

  it('the audit trail says who did what to people and keys, from where, in a chain', async () => {
    await add({ name: 'Olga', role: 'ops', system_user: 'olga' });
    const ops = await signedIn({ person: 'Olga' });
    const { data } = (await page(ops, 'POST', '/v2/people', AS_LEAD)).json;
    const { json } = await socket('POST', '/v2/keys', { name: 'till', scopes: ['payments:read'] }, 'olga');
    await socket('POST', `/v2/keys/${json.data.id}/revoke`, { by: 'Olga' }, 'root');
    await page(ops, 'POST', `/v2/people/${data.id}/disable`);
    const trail = (await page(ops, 'GET', '/v2/audit')).json.data;
    expect(trail.map(({ event, name, who, from }: never) => [event, name, who, from]).slice(0, 6)).toEqual([
      ['person_disabled', 'Anna', 'Olga', '127.0.0.1'],
      ['key_revoked', 'till', 'user root', 'socket'],
      ['key_created', 'till', 'Olga', 'socket'],
      ['person_added', 'Anna', 'Olga', '127.0.0.1'],
      ['signed_in', 'Olga', 'Olga', '127.0.0.1'],
      ['person_added', 'Olga', 'socket', 'socket'],
    ]);
    expect(brokenAuditIn(shop.books)).toBeNull();
  });

  it.each([
    ['changed', "UPDATE audit_trail SET who = 'Eve' WHERE seq = 2", 2],
    ['removed', 'DELETE FROM audit_trail WHERE seq = 2', 3],
    ['moved', 'UPDATE audit_trail SET seq = CASE seq WHEN 2 THEN 99 ELSE seq END', 3],
  ])('an entry that was %s is found', async (_name, sql, found) => {
    for (const name of ['Anna', 'Berta', 'Cora']) await add({ name, role: 'staff' });
    const first = (await socket('GET', '/v2/audit?limit=100')).json.data.at(-1).seq;
    shop.books.run(sql.replace(/\b2\b/g, String(first + 1)));
    expect(brokenAuditIn(shop.books)).toBe(first + found - 1);
  });
});
