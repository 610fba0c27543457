import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TerminalTask } from '../../../src/api/contract/terminal-task.ts';
import type { FleetMember } from '../../../src/api/fleet-member.ts';
import type { PageDeps } from '../../../src/api/ports.ts';
import type { BooksCommand } from '../../../src/fleet/contract/command.ts';
import { systemClock } from '../../../src/runtime/system-clock.ts';
import { SqlitePeopleStore } from '../../../src/store/people/sqlite-people-store.ts';
import { SqliteSessionStore } from '../../../src/store/people/sqlite-session-store.ts';
import { commandsOf } from '../fleet/commands-of.ts';
import { DEVICE_ID } from './memory-payments.ts';
import { ask } from './page-request.ts';
import { KEYS, openShop, type Shop, startShop } from './shop.ts';

const CLOSE: BooksCommand = { kind: 'end_of_day', device_id: DEVICE_ID, reason: 'three days old' };
const MARIA = { by: 'Maria' };
type Credentials = Readonly<Record<string, string>>;

describe('what an operator of the fleet asks a person of the shop for', () => {
  let started: Awaited<ReturnType<typeof startShop>>;
  let shop: Shop;
  let fleet: ReturnType<typeof commandsOf>;
  beforeEach(async () => {
    shop = openShop();
    fleet = commandsOf({ run: async () => '', clock: systemClock });
    const member: FleetMember = {
      view: () => ({ joined: null }),
      join: async () => undefined,
      leave: async () => undefined,
      tasks: () => fleet.tasks.list(),
      performTask: (id, by, work) => fleet.tasks.perform(id, by, work),
      declineTask: (id, by, reason) => fleet.tasks.decline(id, by, reason),
    };
    const pages: PageDeps = { files: [], sessions: new SqliteSessionStore(shop.books) };
    const people = new SqlitePeopleStore(shop.books);
    started = await startShop({}, { ...shop, deps: { ...shop.deps, pages, people, fleet: member } });
  });
  afterEach(() => started.api.stop());

  const call = (to: string, method: string, path: string, body?: unknown, headers: Credentials = {}) =>
    ask(to, { method, path, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
  const socket = (method: string, path: string, body?: unknown, user?: string) =>
    call(started.socketPath, method, path, body, user === undefined ? {} : { 'x-tilld-user': user });
  const page = (credentials: Credentials, path: string, body: unknown) =>
    call(started.api.url, 'POST', path, body, credentials);
  const signedIn = async (body: object): Promise<Credentials> => {
    const { code } = (await socket('POST', '/v2/sign-in-codes', body)).json.data;
    const { headers, json } = await call(started.api.url, 'POST', '/v2/sessions', { code });
    const cookie = String(headers['set-cookie']).split(';')[0] ?? '';
    return { cookie, 'x-tilld-page': String(json.data.proof) };
  };
  const add = (name: string, role: string) =>
    socket('POST', '/v2/people', { name, role, system_user: name.toLowerCase() });
  const asked = (command: BooksCommand) => {
    const id = randomUUID();
    const known = { id, at: Date.now(), kind: command.kind, operator: 'Anna', until: Date.now() + 60_000 };
    fleet.records.add({ ...known, is_reported: false, ...fleet.tasks.begin(command) }, Date.now());
    return `/v2/terminal-tasks/${id}`;
  };
  const codeOf = ({ status, json }: Awaited<ReturnType<typeof call>>) => [status, json.error?.code];
  const openTasks = async () => (await socket('GET', '/v2/terminal-tasks?open=true')).json.data;

  it('is listed with who asks, why and until when, and says that no customer was charged', async () => {
    asked(CLOSE);
    const [task] = await openTasks();
    expect(TerminalTask.parse(task)).toMatchObject({
      ...{ kind: 'fleet_end_of_day', device_id: DEVICE_ID, payment_id: null },
      asked: { operator: 'Anna', command: 'end_of_day', role: 'lead', reason: 'three days old' },
      message: expect.stringMatching(/Anna.*“three days old”\. This request has charged no customer\. Close/),
    });
  });

  it('is done in the role that the same action of the shop needs, under the own name, and by no key', async () => {
    const path = asked(CLOSE);
    for (const [name, role] of [
      ['Tom', 'staff'],
      ['Maria', 'lead'],
    ] as const)
      await add(name, role);
    const byKey = await page({ 'x-api-key': KEYS.full }, `${path}/perform`, MARIA);
    expect(codeOf(byKey)).toEqual([403, 'internal_only']);
    expect(codeOf(await page({}, `${path}/perform`, MARIA))[0]).toBe(403);
    const tom = await signedIn({ person: 'Tom' });
    expect(codeOf(await page(tom, `${path}/perform`, MARIA))).toEqual([403, 'insufficient_permissions']);
    expect(codeOf(await page(tom, `${path}/decline`, { ...MARIA, reason: 'no' }))[0]).toBe(403);
    expect(codeOf(await socket('POST', `${path}/perform`, MARIA))).toEqual([403, 'person_required']);
    expect(codeOf(await socket('POST', `${path}/perform`, MARIA, 'eve'))).toEqual([403, 'person_required']);
    expect(shop.backOffice.all).toEqual([]);
    const maria = await signedIn({ person: 'Maria' });
    const answer = await page(maria, `${path}/perform`, { by: 'Tom' });
    expect([answer.status, answer.json.data.asked.begun_by]).toEqual([200, 'Maria']);
    expect(shop.backOffice.all).toHaveLength(1);
    const [entry] = (await socket('GET', '/v2/audit')).json.data;
    expect(entry).toMatchObject({
      ...{ event: 'task_confirmed', who: 'Maria', subject: path.split('/').at(-1) },
      details: { command: 'end_of_day', operator: 'Anna' },
    });
  });

  it('a shared code does nothing once there are people; before, the request names one', async () => {
    const path = asked({ kind: 'adopt', device_id: DEVICE_ID });
    const shared = await signedIn({ role: 'ops' });
    expect(codeOf(await page(shared, `${path}/perform`, {}))[0]).toBe(400);
    await add('Maria', 'lead');
    expect(codeOf(await page(shared, `${path}/perform`, MARIA))).toEqual([403, 'person_required']);
    expect(shop.backOffice.adopted).toEqual([]);
    const other = await signedIn({ person: 'Maria' });
    expect(codeOf(await page(other, `${path}/perform`, MARIA))).toEqual([403, 'insufficient_permissions']);
    await add('Olga', 'ops');
    const done = await page(await signedIn({ person: 'Olga' }), `${path}/perform`, MARIA);
    expect(done.json.data.done).toMatchObject({ by: 'Olga', note: 'done: the terminal was adopted' });
    expect(shop.backOffice.adopted).toEqual([[DEVICE_ID, 'Olga']]);
  });

  it('the first people are not there yet: the name of the request is kept, and nothing runs without one', async () => {
    const path = asked({ kind: 'adopt', device_id: DEVICE_ID });
    expect((await socket('POST', `${path}/perform`, {})).status).toBe(400);
    expect((await socket('POST', `${path}/perform`, MARIA)).json.data.done.by).toBe('Maria');
    expect(shop.backOffice.adopted).toEqual([[DEVICE_ID, 'Maria']]);
  });

  it('is declined with a reason, once, and closed by no word that it is done', async () => {
    const path = asked(CLOSE);
    const byWord = await socket('POST', `${path}/done`, { by: 'Maria', note: 'I did' });
    expect(codeOf(byWord)).toEqual([409, 'task_to_perform']);
    const declined = await socket('POST', `${path}/decline`, { ...MARIA, reason: 'we count first' });
    expect(declined.json.data.done).toMatchObject({ by: 'Maria', note: 'declined: we count first' });
    expect(codeOf(await socket('POST', `${path}/perform`, MARIA))).toEqual([409, 'task_done']);
    expect(await openTasks()).toEqual([]);
    expect((await socket('GET', '/v2/terminal-tasks')).json.data).toHaveLength(1);
    expect(shop.backOffice.all).toEqual([]);
    expect(codeOf(await socket('POST', `/v2/terminal-tasks/${randomUUID()}/perform`, MARIA))[0]).toBe(404);
  });

  it('stands behind the tasks of the shop, page by page', async () => {
    const paths = [asked(CLOSE), asked({ kind: 'adopt', device_id: DEVICE_ID })];
    const seen: string[] = [];
    for (let after = ''; ; ) {
      const { data, has_more } = (await socket('GET', `/v2/terminal-tasks?open=true&limit=1${after}`)).json;
      seen.push(...data.map(({ id }: { id: string }) => `/v2/terminal-tasks/${id}`));
      if (!has_more) break;
      after = `&starting_after=${data[0].id}`;
    }
    expect(seen).toEqual(paths);
  });

  it('a payment is answered at the payment, and a report is discarded with a reason', async () => {
    const resolve = asked({ kind: 'resolve', payment_id: randomUUID() });
    expect(codeOf(await socket('POST', `${resolve}/perform`, MARIA))[0]).toBe(404);
    const drop = asked({ kind: 'drop_report', report_id: randomUUID() });
    expect(codeOf(await socket('POST', `${drop}/perform`, MARIA))).toEqual([400, 'missing_required_field']);
    const gone = await socket('POST', `${drop}/perform`, { ...MARIA, reason: 'double' });
    expect(codeOf(gone)[0]).toBe(404);
    expect(await openTasks()).toHaveLength(2);
  });
});
