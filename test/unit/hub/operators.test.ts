import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { makeOperatorKey, signCommand } from '../../../src/hub/commands/sign.ts';
import { OPERATOR_ROUTES } from '../../../src/hub/http/operator-route.ts';
import { batch, entries, type Operator, type Reply, Shop, type TestHub, testHub } from '../../fleet/hub.ts';

const outcome = ({ status, body }: Reply) => [status, body?.error?.code];
const SETTINGS = { kind: 'configuration', revision: 1, settings: {} };
const DAY = 'from=2000-01-01T00:00:00Z&to=2100-01-01T00:00:00Z';

describe('the interface for operators', () => {
  let test: TestHub;
  let viewer: Operator;
  let operator: Operator;
  let admin: Operator;
  let foreign: Operator;
  let shop: Shop;
  /** Its agent is revoked. */
  let closed: Shop;
  let rollouts = 0;
  beforeAll(async () => {
    test = await testHub();
    await test.tenant('Bakery');
    await test.tenant('Butcher');
    viewer = await test.operator('Bakery', 'viewer');
    operator = await test.operator('Bakery', 'operator');
    admin = await test.operator('Bakery', 'admin');
    foreign = await test.operator('Butcher', 'admin');
    shop = await joined('Berlin 1');
    closed = await joined('Closed');
    await test.database
      .updateTable('agent')
      .set({ quarantined: 'two_processes' })
      .where('id', '=', agentOf(closed))
      .execute();
    await shop.post('/v1/journal', batch(entries(3), 1, 3));
    const terminals = [{ name: 'Till 1', in_doubt: true }, { in_doubt: false }];
    await shop.exchange({ state: { can_sell: false, can_report: true, terminals } }, test.now + 86_400_000);
  });
  afterAll(() => test.stop());

  async function joined(name: string): Promise<Shop> {
    const one = new Shop(test.send);
    expect((await one.join(await test.invite('Bakery', name))).status).toBe(201);
    return one;
  }
  const agentOf = (one: Shop) => one.issuer?.split('/')[1] ?? '';
  const alertId = async () => (await viewer.ask('GET', '/v1/alerts')).body.data[0].id;

  /** What a route must be sent, for what the Bakery has. */
  const bodyOf = async (method: string, path: string) => {
    if (method === 'PUT' && path === '/v1/alert-rules/{name}')
      return { body: { kind: 'silent', minutes: 5, shops: 'Berlin *', severity: 'info', enabled: false } };
    if (method === 'PUT' && path === '/v1/alert-destinations/{name}')
      return {
        body: { kind: 'webhook', url: 'https://chat.example/hook', secret: `whsec_${'A'.repeat(32)}` },
      };
    if (path === '/v1/agents/{id}/release')
      return { body: { epoch: 'e1', branch: 0, seq: 0, reason: 'found' } };
    if (method === 'POST' && path === '/v1/rollouts') {
      rollouts += 1;
      return { body: { name: `winter-${rollouts}` } };
    }
    if (path === '/v1/rollouts/{name}/commands') return { body: { signed: [await aCommand(SETTINGS)] } };
    return method === 'POST' && path === '/v1/commands' ? { body: { signed: await aCommand() } } : {};
  };
  const aCommand = async (command: object = { kind: 'doctor' }) => {
    const folder = mkdtempSync(join(tmpdir(), 'tilld-operator-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    makeOperatorKey(join(folder, 'key'));
    const asked = { agentId: agentOf(shop), operator: 'Anna', seconds: 60, command };
    return await signCommand(join(folder, 'key'), asked, test.now);
  };

  /** An address of every route for what the Bakery has. */
  const addressOf = async (path: string) =>
    path
      .replace('/agents/{id}', `/agents/${agentOf(closed)}`)
      .replace('/alerts/{id}', `/alerts/${await alertId()}`)
      .replace('/payments/{id}', '/payments/a2')
      .replace(/(alert-\w+)\/\{name\}/, '$1/Berlin-1')
      .replace('rollouts/{name}', `rollouts/winter-${rollouts}`)
      .replace('{name}', 'Berlin%201');

  it('answers each route in its described form, and shows nothing of it to another tenant', async () => {
    for (const { method, path, reply, status } of OPERATOR_ROUTES) {
      const url = await addressOf(path);
      const theirs = await foreign.ask(method === 'PUT' ? 'GET' : method, url, await bodyOf(method, path));
      if (path.includes('{')) expect([path, ...outcome(theirs)]).toEqual([path, 404, 'resource_missing']);
      else expect(JSON.stringify(theirs.body)).not.toMatch(/Berlin|"a2"|Bakery/);
      const ours = await admin.ask(method, url, await bodyOf(method, path));
      expect([path, ours.status, ours.body.error]).toEqual([path, status, undefined]);
      reply.parse(ours.body);
    }
    const own = await foreign.ask('PUT', '/v1/shops/Berlin%201');
    expect(own.body.data).toMatchObject({ state: 'not_joined', agents: [] });
    const lines = (await foreign.ask('GET', `/v1/exports/journal?${DAY}`)).body;
    expect(lines).toBe('{"record":"end","rows":0,"chains":0}\n');
  });

  it('describes each route in its OpenAPI document', async () => {
    const { body } = await viewer.ask('GET', '/openapi.json', { headers: { authorization: '' } });
    for (const { method, path, operationId } of OPERATOR_ROUTES)
      expect(body.paths[path][method.toLowerCase()].operationId).toBe(operationId);
    expect(Object.keys(body.paths)).toContain('/v1/exports/journal');
  });

  it('asks every route for a token, a role, and what it knows', async () => {
    const wrong = { headers: { authorization: 'Bearer tho_wrong' } };
    for (const { method, path, role } of OPERATOR_ROUTES) {
      const url = await addressOf(path);
      expect(outcome(await admin.ask(method, url, wrong))).toEqual([401, 'operator_unknown']);
      expect(outcome(await admin.ask(method, url, { headers: { authorization: '' } }))).toEqual([
        401,
        'operator_unknown',
      ]);
      if (role !== 'viewer') expect(outcome(await viewer.ask(method, url))).toEqual([403, 'role_too_small']);
      if (role === 'admin') expect(outcome(await operator.ask(method, url))).toEqual([403, 'role_too_small']);
      const strange = method === 'GET' ? { url: `${url}?strange=1` } : { url, body: { strange: 1 } };
      const refused = await admin.ask(method, strange.url, strange);
      expect([...outcome(refused), refused.body.error.message]).toEqual([
        400,
        'request_invalid',
        expect.stringContaining('strange'),
      ]);
    }
    for (const url of [
      '/v1/shops?limit=0',
      '/v1/shops?starting_after=x',
      '/v1/shops?state=x',
      '/v1/shops?q=%00',
      '/v1/shops?q=a&q=b',
      '/v1/shops/%00',
      '/v1/payments?from=yesterday',
      `/v1/payments?starting_after=${Buffer.from('["x",1]').toString('base64url')}`,
      '/v1/exports/journal',
      '/v1/exports/journal?from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z',
    ])
      expect([url, ...outcome(await admin.ask('GET', url))]).toEqual([url, 400, 'request_invalid']);
    expect(outcome(await admin.ask('POST', '/v1/alerts/x/end'))).toEqual([400, 'request_invalid']);
    expect(outcome(await viewer.ask('GET', `/v1/exports/journal?${DAY}`, wrong))).toEqual([
      401,
      'operator_unknown',
    ]);
  });

  it('shows each shop with its state, version, doubt and alerts; words and states narrow the list', async () => {
    await operator.ask('PUT', '/v1/shops/K%C3%B6ln%202');
    const silent = await joined('Köln 3');
    await silent.exchange({ version: '9.9.9' }, test.now);
    const list = async (query: string) => (await viewer.ask('GET', `/v1/shops?${query}`)).body.data;
    expect(await list('q=berlin+1.2')).toMatchObject([
      {
        ...{ name: 'Berlin 1', state: 'cannot_sell', version: '1.2.3', in_doubt: 1 },
        ...{ can_report: true, is_fresh: null },
      },
    ]);
    expect(await list('state=not_joined')).toMatchObject([{ name: 'Köln 2', version: null }]);
    expect(await list('q=9.9.9&state=ready')).toHaveLength(1);
    test.now += 16 * 60_000;
    expect(await list('q=9.9.9&state=silent')).toHaveLength(1);
    const one = (await viewer.ask('GET', '/v1/shops/Berlin%201')).body.data;
    expect(one.status.terminals[0].name).toBe('Till 1');
    expect(one.agents).toMatchObject([
      { id: agentOf(shop), journal: [{ epoch: 'e1', branch: 0, next_seq: 4 }] },
    ]);
    await shop.exchange({}, test.now);
  });

  it('gives every row of a list once, page by page', async () => {
    for (let no = 0; no < 5; no += 1) await operator.ask('PUT', `/v1/shops/page-${no}`);
    for (const path of ['/v1/shops', '/v1/payments', '/v1/alerts', '/v1/audit-entries']) {
      const whole = (await viewer.ask('GET', `${path}?limit=500`)).body.data;
      const read: unknown[] = [];
      for (let after = ''; ; ) {
        const { body } = await viewer.ask('GET', `${path}?limit=2${after}`);
        read.push(...body.data);
        if (!body.has_more) break;
        after = `&starting_after=${body.next_cursor}`;
      }
      expect([path, read]).toEqual([path, whole]);
    }
  });

  it('has a shop once however often it is put, and an invitation whose code joins', async () => {
    const first = await operator.ask('PUT', '/v1/shops/Hamburg%201');
    expect(await operator.ask('PUT', '/v1/shops/Hamburg%201')).toMatchObject({ body: first.body });
    const invited = await operator.ask('POST', '/v1/shops/Hamburg%201/invitations');
    const one = new Shop(test.send);
    expect((await one.join(invited.body.data.code)).body.data.shop.name).toBe('Hamburg 1');
    expect(outcome(await operator.ask('POST', '/v1/shops/Nowhere/invitations'))).toEqual([
      404,
      'resource_missing',
    ]);
    await admin.ask('POST', `/v1/agents/${agentOf(one)}/revoke`);
    expect((await one.exchange()).status).toBe(403);
    const { body } = await viewer.ask('GET', '/v1/audit-entries?limit=3');
    expect(body.data.map(({ actor, action }: Record<string, string>) => [actor, action])).toEqual([
      [`operator ${admin.name}`, 'agent_revoked'],
      [`agent ${agentOf(one)}`, 'agent_joined'],
      [`operator ${operator.name}`, 'shop_invited'],
    ]);
  });

  it('has a timeline for each payment, and its newest state in the list', async () => {
    const one = await joined('timeline');
    const all = entries(4).map((entry) => ({ ...entry }));
    await one.post('/v1/journal', batch(all, 1, 4));
    const list = await viewer.ask('GET', '/v1/payments?shop=timeline');
    expect(list.body.data.map(({ id }: { id: string }) => id)).toEqual(['a4', 'a3', 'a2', 'a1']);
    expect(list.body.data[0]).toMatchObject({ shop: 'timeline', state: 'succeeded', event: 'paid' });
    const timeline = await viewer.ask('GET', '/v1/shops/timeline/payments/a2');
    expect(timeline.body.data).toMatchObject({
      state: 'succeeded',
      entries: [{ seq: 2, hash: all[1]?.hash }],
    });
    expect((await viewer.ask('GET', '/v1/payments?shop=timeline&to=2001-01-01T00:00:00Z')).body.data).toEqual(
      [],
    );
    expect(outcome(await viewer.ask('GET', '/v1/payments?shop=Nowhere'))).toEqual([404, 'resource_missing']);
  });

  it('makes no shop of a name that no address, file or screen holds', async () => {
    const refused = [422, 'shop_name_invalid'];
    for (const name of [
      '.',
      '..',
      'a/b',
      'a\\b',
      ' a',
      'a ',
      'a\u001b[31m',
      'a\nb',
      'a\u202eb',
      'a\u2028b',
    ]) {
      const asked = await operator.ask('PUT', `/v1/shops/${encodeURIComponent(name)}`);
      if (name.startsWith('.')) expect([400, 404, 422]).toContain(asked.status);
      else expect([name, ...outcome(asked)]).toEqual([name, ...refused]);
      await expect(test.invite('Bakery', name)).rejects.toMatchObject({
        code: 'SHOP_NAME_INVALID',
        message: expect.stringContaining('no slash'),
      });
    }
    const older = await test.database
      .selectFrom('shop')
      .select('tenant_id')
      .where('name', '=', 'Berlin 1')
      .executeTakeFirstOrThrow();
    await test.database
      .insertInto('shop')
      .values({ ...older, name: 'a/b' })
      .execute();
    expect(await test.invite('Bakery', 'a/b')).toMatch(/^\w{4}-/);
    expect((await operator.ask('PUT', '/v1/shops/Br%C3%B6tchen%20%26%20S%C3%B6hne%20(1)')).status).toBe(200);
  });

  it('shows that an entry of a payment is damaged, and the state of the newest one that is proved', async () => {
    const one = await joined('damaged');
    const all = entries(3).map((entry) => ({ ...entry, attempt_id: 'a1' }));
    const why = 'the row does not fit its hash';
    const damage = (entry: object) => ({ ...entry, damaged: why, attempt_id: 'a1', content: 'x' });
    const proved = entries(1)[0];
    const sent = [proved, damage(all[1] ?? {}), { ...damage(all[2] ?? {}), attempt_id: 'a9' }];
    const body = { ...batch(entries(3), 1, 3), entries: sent };
    expect((await one.post('/v1/journal', body)).status).toBe(200);
    const payment = (await viewer.ask('GET', '/v1/shops/damaged/payments/a1')).body.data;
    expect(payment).toMatchObject({ state: 'succeeded', entries: [{ damaged: null }, { damaged: why }] });
    const lost = (await viewer.ask('GET', '/v1/shops/damaged/payments/a9')).body.data;
    expect(lost).toMatchObject({ state: null, entries: [{ damaged: why }] });
  });

  it('describes what a shop reports of itself', async () => {
    const { body } = await viewer.ask('GET', '/openapi.json');
    const shown = body.paths['/v1/shops/{name}'].get.responses['200'].content['application/json'].schema;
    const [status] = shown.properties.data.properties.status.anyOf;
    expect(Object.keys(status.properties)).toEqual(
      expect.arrayContaining(['can_sell', 'reasons', 'terminals', 'outbox', 'integrations']),
    );
    expect(status.additionalProperties).toEqual({});
  });

  it('ends an alert once; it stays in the list', async () => {
    const id = await alertId();
    const ended = await operator.ask('POST', `/v1/alerts/${id}/end`);
    test.now += 1_000;
    expect((await operator.ask('POST', `/v1/alerts/${id}/end`)).body).toEqual(ended.body);
    const ids = async (open: string) =>
      (await viewer.ask('GET', `/v1/alerts?open=${open}`)).body.data.map((alert: { id: string }) => alert.id);
    expect(await ids('true')).not.toContain(id);
    expect(await ids('false')).toContain(id);
  });
});
