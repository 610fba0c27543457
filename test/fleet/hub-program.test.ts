import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { decodeJwt } from 'jose';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { eventually } from '../support/daemon.ts';
import { aFolder } from '../support/money-database.ts';
import { batch, entries, type Reply, Shop } from './hub.ts';
import { type HubProcess, startHub } from './hub-process.ts';
import { asOwner, newDatabase } from './postgres.ts';
import { PostgresPair } from './postgres-pair.ts';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '../..');
const SERVER = process.env['TILLHUB_TEST_SERVER'];

/** Sends over a real socket. */
const overHttp =
  (url: () => string) => async (path: string, headers: Record<string, string>, payload: string) => {
    const reply = await fetch(`${url()}${path}`, { method: 'POST', headers, body: payload });
    return { status: reply.status, body: await reply.json() } satisfies Reply;
  };

const revisionOf = (signed: string) =>
  decodeJwt<{ command: { revision: number } }>(signed.split('\n')[0] ?? '').command.revision;

describe.runIf(SERVER !== undefined)('tillhub (needs PostgreSQL: npm run fleet:test -- stories)', () => {
  const hubs: HubProcess[] = [];
  afterAll(() => Promise.all(hubs.map((hub) => hub.kill())));

  const tillhub = async (database: string, ...args: readonly string[]) => {
    const env = { ...process.env, TILLHUB_DATABASE: database };
    return await run(process.execPath, ['src/hub/main.ts', ...args], { cwd: ROOT, env }).then(
      ({ stdout }) => stdout,
      ({ stderr, stdout }: { stderr: string; stdout: string }) => stderr || stdout,
    );
  };

  it('is walked from an empty database to a revoked agent, with two hubs of which one is killed', async () => {
    const database = await newDatabase(String(SERVER));
    expect(await tillhub(database, 'serve')).toContain('tillhub migrate');
    expect(await tillhub(database, 'migrate')).toContain('Done: 0001');
    expect(await tillhub(database, 'migrate')).toBe('The tables are up to date.\n');
    expect(await tillhub(database, 'doctor')).toMatch(/^(ok {4}\w+: .+\n){7}$/);
    expect(await tillhub(database, 'shops', 'invite', 'Berlin 1', '--tenant', 'Bakery')).toContain(
      'tillhub tenants add "Bakery"',
    );
    await tillhub(database, 'tenants', 'add', 'Bakery');
    expect(await tillhub(database, 'tenants', 'add', 'Bakery')).toContain('there is a tenant Bakery already');
    const invited = await tillhub(database, 'shops', 'invite', 'Berlin 1', '--tenant', 'Bakery', '--json');
    const [first, second] = [await startHub(database), await startHub(database)];
    hubs.push(first, second);
    let url = first.url;
    const shop = new Shop(overHttp(() => url));
    expect((await shop.join(JSON.parse(invited).data.code)).status).toBe(201);
    const all = entries(40);
    await shop.post('/v1/journal', batch(all, 1, 20));
    await first.kill();
    url = second.url;
    expect((await shop.exchange()).body.data.journal).toEqual({ next_seq: 21 });
    expect((await shop.post('/v1/journal', batch(all, 11, 40))).body.data).toMatchObject({
      next_seq: 41,
      stored: 20,
    });
    const agent = shop.issuer?.split('/')[1] ?? '';
    expect(await tillhub(database, 'shops', 'list', '--tenant', 'Bakery')).toMatch(
      new RegExp(`Berlin 1 {2}${agent} {2}1.2.3 {2}seen `),
    );
    await shop.exchange({ version: '1\u001b[31m\u202e\nx' });
    expect(await tillhub(database, 'shops', 'list', '--tenant', 'Bakery')).toMatch(
      /1\\u001b\[31m\\u202e\\u000ax {2}seen [^\n]+\n$/,
    );
    expect(await tillhub(database, 'shops', 'list', '--tenant', 'Bakery', '--json')).toContain('\\u202e');
    const other = [...all.slice(0, 30), ...entries(12, 31, all[29]?.hash, 'declined')];
    await shop.post('/v1/journal', batch(other, 29, 42));
    const shown = await tillhub(database, 'agents', 'show', agent, '--tenant', 'Bakery');
    expect(shown).toMatch(/no commands: journal_contradicts\n/);
    expect(shown).toMatch(/break {2}e1 {2}branch 1 {2}entry 31 {2}found /);
    const command = /tillhub (agents release .* --branch 1 --seq 42) --reason/.exec(shown)?.[1] ?? '';
    expect(await tillhub(database, ...command.split(' '), '--reason', 'put back')).toContain(
      'commands again',
    );
    expect(await tillhub(database, ...command.split(' '), '--reason', 'again')).toContain(
      'not in quarantine',
    );
    expect(await tillhub(database, 'agents', 'show', agent, '--tenant', 'Bakery')).toMatch(
      /break .*\nreleased .* branch 1 {2}from entry 42 on {2}put back\n$/,
    );
    expect(await tillhub(database, 'agents', 'show', 'x', '--tenant', 'Bakery')).toContain('has no agent x');
    const key = join(aFolder(), 'operator.key');
    expect(await tillhub(database, 'keys', 'new', key)).toMatch(/^[\w-]{43}\n$/);
    expect(await tillhub(database, 'keys', 'new', key)).toContain('EEXIST');
    const by = ['--key', key, '--agent', agent, '--operator', 'Anna'];
    expect(await tillhub(database, 'sign', '{"kind": "pay"}', ...by)).toContain('this is no command');
    const signed = await tillhub(database, 'sign', '{"kind": "doctor"}', ...by);
    expect(await tillhub(database, 'commands', 'send', signed, '--tenant', 'Bakery')).toContain(
      'doctor waits for',
    );
    expect(await tillhub(database, 'commands', 'list', '--tenant', 'Bakery')).toMatch(
      /Berlin 1 {2}doctor {2}by Anna {2}waiting\n$/,
    );
    expect((await shop.exchange()).body.data.commands).toMatchObject([{ envelope: signed.trim() }]);
    expect(await tillhub(database, 'agents', 'revoke', agent, '--tenant', 'Bakery')).toContain('is revoked');
    expect((await shop.exchange()).status).toBe(403);
    expect(await tillhub(database, 'agents', 'revoke', agent, '--tenant', 'Bakery')).toContain(
      'has no agent',
    );
  }, 120_000);

  it('adds, lists and removes operators, whose token works and is shown once', async () => {
    const database = await newDatabase(String(SERVER));
    await tillhub(database, 'migrate');
    await tillhub(database, 'tenants', 'add', 'Bakery');
    const of = ['--tenant', 'Bakery'];
    const added = await tillhub(database, 'operators', 'add', 'Anna', ...of, '--role', 'operator', '--json');
    const { token } = JSON.parse(added).data;
    expect(await tillhub(database, 'operators', 'add', 'Anna', ...of)).toContain('operator Anna already');
    expect(await tillhub(database, 'operators', 'add', 'B', ...of, '--role', 'king')).toContain(
      'viewer, operator',
    );
    expect(await tillhub(database, 'operators', 'list', ...of)).toBe('Anna  operator\n');
    const hub = await startHub(database);
    hubs.push(hub);
    const ask = (path: string) =>
      fetch(`${hub.url}${path}`, { headers: { authorization: `Bearer ${token}` } });
    expect(await (await ask('/v1/session')).json()).toEqual({ data: { name: 'Anna', role: 'operator' } });
    const period = 'from=2000-01-01T00:00:00Z&to=2100-01-01T00:00:00Z';
    const file = await (await ask(`/v1/exports/journal?${period}`)).text();
    expect(file).toBe('{"record":"end","rows":0,"chains":0}\n');
    expect(await tillhub(database, 'operators', 'remove', 'Anna', ...of)).toContain('signed out');
    expect((await ask('/v1/session')).status).toBe(401);
    expect(await tillhub(database, 'operators', 'remove', 'Anna', ...of)).toContain('no operator Anna');
  }, 120_000);

  it('gives settings to shops ring by ring, as its own hints say', async () => {
    const database = await newDatabase(String(SERVER));
    await tillhub(database, 'migrate');
    await tillhub(database, 'tenants', 'add', 'Bakery');
    const of = ['--tenant', 'Bakery'];
    const hub = await startHub(database);
    hubs.push(hub);
    const shops: Shop[] = [];
    for (const name of ['Berlin 1', 'Berlin 2', 'Berlin 3']) {
      const invited = await tillhub(database, 'shops', 'invite', name, ...of, '--json');
      const shop = new Shop(overHttp(() => hub.url));
      await shop.join(JSON.parse(invited).data.code);
      await shop.exchange({}, Date.now());
      shops.push(shop);
    }
    expect(await tillhub(database, 'releases', 'list', ...of)).toBe(
      '1.2.3  3 shops  0 cannot sell  0 silent  0 with a payment in doubt\n',
    );
    const gate = (...more: string[]) => tillhub(database, 'releases', 'check', '1.2.3', ...of, ...more);
    expect(await gate('--least', '3')).toBe('Nothing stands against 1.2.3.\n');
    expect(await gate('--least', '4')).toContain('tillhub: 3 shops run 1.2.3, and 4 were asked for');
    const folder = aFolder();
    const [key, list, file] = [
      join(folder, 'anna.key'),
      join(folder, 'agents.txt'),
      join(folder, 'all.json'),
    ];
    await tillhub(database, 'keys', 'new', key);
    writeFileSync(file, '{"heartbeat_ms": 5000}');
    writeFileSync(join(folder, 'berlin-2.json'), '{"heartbeat_ms": 6000}');
    const agents = await tillhub(database, 'shops', 'list', ...of, '--agents');
    expect(agents).toMatch(/^[0-9a-f-]{36} {2}# Berlin 1\n.*# Berlin 2\n.*# Berlin 3\n$/);
    const sign = async (text: string) => {
      writeFileSync(list, text);
      const by = ['--key', key, '--operator', 'Anna'];
      return await tillhub(database, 'configuration', 'sign', file, '--agents', list, ...by);
    };
    expect(await sign('')).toContain('has no agent');
    expect(await sign('x')).toContain('line 1: x is no id of an agent');
    expect(await sign(agents + agents)).toContain('twice');
    const signed = await sign(agents.replace('  # Berlin 2', ' berlin-2.json # Berlin 2'));
    const settings = signed
      .trim()
      .split('\n')
      .map((one) => decodeJwt<{ command: { settings: object } }>(one).command.settings);
    expect(settings).toEqual([{ heartbeat_ms: 5_000 }, { heartbeat_ms: 6_000 }, { heartbeat_ms: 5_000 }]);
    const commands = join(folder, 'signed.txt');
    writeFileSync(commands, signed);

    const rollout = (verb: string, ...more: string[]) => tillhub(database, 'rollouts', verb, ...more, ...of);
    expect(await rollout('list')).toBe('There are no rollouts.\n');
    expect(await rollout('start', 'winter', commands, '--percent', '50,20')).toContain('must rise to 100');
    expect(await rollout('start', 'winter', commands, '--percent', '50,100')).toContain('it has 1 numbers');
    expect(await rollout('start', 'a b', commands)).toContain('is named with letters');
    expect(await rollout('start', 'winter', join(folder, 'none'))).toContain('ENOENT');
    const rings = ['--percent', '34,100', '--hours', '0', '--most-failures', '1'];
    expect(await rollout('start', 'winter', commands, ...rings)).toBe(
      'winter has started with 3 shops. Next: tillhub rollouts show winter --tenant Bakery\n',
    );
    expect(await rollout('start', 'winter', commands)).toContain('there is a rollout winter already');
    const given: { readonly id: string }[] = [];
    await eventually(async () => {
      const { body } = (await shops[0]?.exchange({}, Date.now())) ?? {};
      given.push(...body.data.commands);
      return given.length > 0;
    }, 60_000);
    const failed = { revision: revisionOf(signed), why: 'it did not\u001b[31m sell', at: 1 };
    const outcomes = given.map(({ id }) => ({ id, state: 'done', details: null }));
    await shops[0]?.exchange({ outcomes, state: { configuration: { running: null, failed } } }, Date.now());
    await eventually(async () => (await rollout('list')).includes('paused by failures'), 60_000);
    expect(await rollout('show', 'winter')).toMatch(
      /^winter {2}paused by failures {2}ring 1 of 2 {2}0 of 3 shops have the settings.*\nfailed {2}Berlin 1 {2}[0-9a-f-]{36} {2}ring 1 {2}it did not\\u001b\[31m sell\nThen: tillhub rollouts resume winter --tenant Bakery/,
    );
    expect(await rollout('resume', 'winter')).toContain('running');
    expect(await rollout('pause', 'winter')).toContain('paused by ');
    expect(await rollout('stop', 'winter')).toContain('stopped');
    expect(await rollout('stop', 'winter')).toContain('this rollout is stopped: it is over');
    expect(JSON.parse(await rollout('show', 'winter', '--json')).data.shops).toMatchObject({ failed: 1 });
  }, 180_000);

  it('raises one alert and sends it once, with two hubs, as the program', async () => {
    const received: string[] = [];
    const receiver = createServer((request, response) => {
      received.push(String(request.headers['webhook-id']));
      response.writeHead(204).end();
    });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void receiver.close());
    const address = receiver.address();
    const target = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`;
    const database = await newDatabase(String(SERVER));
    await tillhub(database, 'migrate');
    await tillhub(database, 'tenants', 'add', 'Bakery');
    const of = ['--tenant', 'Bakery'];
    const added = await tillhub(database, 'operators', 'add', 'Anna', ...of, '--role', 'admin', '--json');
    const settings = { TILLHUB_WEBHOOK_NETWORKS: '127.0.0.1' };
    const [one, two] = [await startHub(database, 0, settings), await startHub(database, 0, settings)];
    hubs.push(one, two);
    const put = async (path: string, body: object) => {
      const headers = {
        authorization: `Bearer ${JSON.parse(added).data.token}`,
        'content-type': 'application/json',
      };
      const reply = await fetch(`${one.url}/v1/${path}`, {
        method: 'PUT',
        headers,
        body: JSON.stringify(body),
      });
      expect(reply.status).toBe(200);
    };
    await put('alert-destinations/here', { kind: 'webhook', url: target, secret: `whsec_${'A'.repeat(44)}` });
    await put('alert-rules/cannot_sell', { kind: 'cannot_sell', destinations: ['here'] });
    const invited = await tillhub(database, 'shops', 'invite', 'Berlin 1', ...of, '--json');
    const shop = new Shop(overHttp(() => two.url));
    await shop.join(JSON.parse(invited).data.code);
    await shop.exchange({ state: { can_sell: false } });
    await asOwner(database, (client) => client.query('UPDATE alert_beat SET evaluated_at = to_timestamp(0)'));
    await expect.poll(() => received.length, { timeout: 60_000 }).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 20_000));
    expect(received).toHaveLength(1);
    await asOwner(database, async (client) => {
      const { rows } = await client.query('SELECT kind FROM alert WHERE ended_at IS NULL');
      expect(rows.filter(({ kind }) => kind === 'cannot_sell')).toHaveLength(1);
    });
    expect(await tillhub(database, 'serve', '--webhook-networks', 'intranet')).toContain('10.1.0.0/16');
  }, 180_000);

  it.each(['', '?target_session_attrs=read-write'])(
    'finds the primary of a pair, and tells a standby from it%s',
    async (attributes) => {
      const pair = await PostgresPair.start();
      onTestFinished(() => pair.stop());
      const [standby, primary] = pair
        .url('postgres', 'standby')
        .replace('postgres://owner@', '')
        .split(/[,/]/);
      expect(await tillhub(`${pair.url('postgres', 'standby')}${attributes}`, 'migrate')).toContain(
        'Done: 0001',
      );
      await pair.caughtUp();
      expect(await tillhub(`postgres://owner@${primary}/postgres`, 'doctor')).toMatch(/^ok {4}primary: /m);
      expect(await tillhub(`postgres://owner@${standby}/postgres`, 'doctor')).toMatch(/^FAIL {2}primary: /m);
    },
    120_000,
  );

  it('says in words what is wrong with a call', async () => {
    expect(await tillhub('mysql://x', 'migrate')).toContain('--database postgres://');
    expect(await tillhub('postgres://127.0.0.1:1/none', 'doctor')).toMatch(
      /^FAIL {2}database: .+\n {6}Next: /,
    );
    const database = await newDatabase(String(SERVER));
    await asOwner(database, (client) =>
      client.query('CREATE ROLE tillhub LOGIN').catch(() => client.query('ALTER ROLE tillhub LOGIN')),
    );
    const asRole = database.replace('owner@', 'tillhub@');
    expect(await tillhub(asRole, 'migrate')).toContain('connect as another user');
    expect(await tillhub(database, 'serve', '--listen', '0.0.0.0:1')).toContain('--tls-cert');
    expect(await tillhub(database, 'serve', '--listen', 'nonsense')).toContain('127.0.0.1:8490');
  });
});
