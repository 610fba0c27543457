import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { request } from 'undici';
import { expect, it, onTestFinished, vi } from 'vitest';
import { aWorld, Daemon, eventually, type World } from '../support/daemon.ts';
import { askOver } from '../support/socket.ts';
import { tillctl } from '../support/till.ts';

vi.setConfig({ testTimeout: 90_000 });

const KEY = 'the-key-of-people';
const SECRET = 'whsec_of-the-provider-0123456789';
const HOUR = 3_600_000;

const people = (path: string) => ({
  path,
  items: 'data',
  page: { style: 'whole' },
  id: 'id',
  fields: { name: 'name' },
});

/** Signs as Stripe does. */
const RECIPE = {
  recipe: 1,
  id: 'people',
  title: 'People',
  documentation: 'https://people.example/docs',
  auth: { type: 'bearer' },
  resources: { customers: people('/people'), products: people('/things') },
  webhook: {
    signature: {
      type: 'hmac',
      header: 'X-People-Signature',
      encoding: 'hex',
      form: { style: 'pairs', signature: 'v1', timestamp: 't' },
      signed: '{timestamp}.{body}',
    },
    event: { in: { body: 'type' }, resources: { 'person.*': ['customers'], ping: [] } },
  },
};

/** A provider whose lists can grow, and that can refuse; it notes the paths that it was asked for. */
async function aSource() {
  const state = {
    people: 2,
    asked: [] as string[],
    instead: null as null | [number, Record<string, string>],
  };
  const server = createServer((asked, answer) => {
    const path = asked.url?.split('?')[0] ?? '';
    state.asked.push(path);
    const [status, headers] = state.instead ?? [200, {}];
    answer.writeHead(status, { 'content-type': 'application/json', ...headers });
    const count = path === '/people' ? state.people : 1;
    const data = Array.from({ length: count }, (_, index) => ({ id: `${index}`, name: `Person ${index}` }));
    answer.end(JSON.stringify(status === 200 ? { data } : { error: 'no' }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return { ...{ url: `http://127.0.0.1:${port}`, state } };
}

interface Webhook {
  readonly url: string;
  readonly secret_stored: boolean;
  readonly accepted: number;
  readonly refused: number;
  readonly last_refusal: string | null;
}

async function aShop(integration: object = {}) {
  const provider_a = {
    connector: 'rest',
    sink: 'mirror',
    interval_s: 900,
    settings: { recipe: RECIPE },
    ...integration,
  };
  const world = await aWorld(
    {},
    { listen: { port: 0, webhooks: { port: 0 } }, integrations: { provider_a } },
  );
  const source = await aSource();
  const daemon = await Daemon.start(world);
  const secretFile = join(world.folder, 'secret');
  writeFileSync(secretFile, `${SECRET}\n`);
  const set = await tillctl(daemon, 'webhook-secret', 'provider_a', '--secret-file', secretFile);
  expect(set.code, set.stderr).toBe(0);
  await askOver(daemon.socket, 'POST', '/v2/integrations/provider_a/activate', {
    credentials: { apiKey: KEY, baseUrl: source.url },
  });
  await eventually(async () => (await streams(daemon)).every(({ run }) => run?.outcome === 'complete'));
  return { world, daemon, source: source.state };
}

async function streams(daemon: Daemon) {
  const path = '/v2/integrations/provider_a/streams';
  const { data } = (await askOver(daemon.socket, 'GET', path)) as {
    data: { resource: string; rows: number; run: { no: number; outcome: string } | null }[];
  };
  return data;
}

async function rows(daemon: Daemon) {
  return (await streams(daemon)).find(({ resource }) => resource === 'customers')?.rows;
}

async function webhook(daemon: Daemon): Promise<Webhook> {
  const { data } = (await askOver(daemon.socket, 'GET', '/v2/integrations/provider_a')) as {
    data: { webhook: Webhook };
  };
  return data.webhook;
}

/** What a provider sends. */
function signed(body: string, at = Date.now(), secret = SECRET) {
  const t = Math.floor(at / 1_000);
  return {
    'x-people-signature': `t=${t},v1=${createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')}`,
  };
}

async function post(url: string, body: string, headers: Record<string, string> = {}): Promise<number> {
  const reply = await request(url, { method: 'POST', body, headers });
  await reply.body.dump();
  return reply.statusCode;
}

/** No file of the state folder has it in plain text. */
function filesWith(world: World, text: string): readonly string[] {
  const state = join(world.folder, 'state');
  return readdirSync(state, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map((one) => join(one.parentPath, one.name))
    .filter((file) => readFileSync(file).includes(text));
}

it('a changed record is there seconds after a webhook, and a false one changes nothing', async () => {
  const { world, daemon, source } = await aShop();
  const { url } = await webhook(daemon);
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/hooks\/provider_a$/);
  const before = source.asked.length;
  source.people = 3;
  const body = '{"type":"person.changed","name":"never believed"}';
  const changed = signed(body);
  const began = performance.now();
  expect(await post(url, body, changed)).toBe(202);
  expect(performance.now() - began).toBeLessThan(1_000);
  await eventually(async () => (await rows(daemon)) === 3, 20_000);
  expect(new Set(source.asked.slice(before)), 'what it is not about is not asked for').toEqual(
    new Set(['/people']),
  );

  source.people = 4;
  const old = Date.now() - 301_000;
  expect(await post(url, body, signed(body, Date.now(), 'another-secret-0123456789'))).toBe(401);
  expect(await post(url, `${body} `, changed)).toBe(401);
  expect(await post(url, body, signed(body, old))).toBe(401);
  expect(await post(url, body)).toBe(401);
  expect(await post(url, 'x'.repeat(300_000), signed('x'))).toBe(413);
  expect(await post(url.replace('provider_a', 'provider_b'), body, changed)).toBe(401);
  expect(await post(url.replace('/hooks/provider_a', '/v2/status'), body)).toBe(404);
  expect((await request(url)).statusCode).toBe(405);
  expect(await post(url, '{"type":"ping"}', signed('{"type":"ping"}'))).toBe(202);
  const asked = source.asked.length;
  await wait(3_000);
  expect(source.asked.length).toBe(asked);

  // A replay is another wakeup, and wakeups are one run.
  for (let times = 0; times < 50; times += 1) expect(await post(url, body, changed)).toBe(202);
  await eventually(async () => (await rows(daemon)) === 4, 20_000);
  expect(source.asked.length - asked).toBeLessThanOrEqual(2);

  const shown = await tillctl(daemon, 'integrations', 'provider_a');
  expect(shown.stdout).toMatch(/webhooks +at http.*; 52 since the start, the last at .*; 5 refused/);
  const metrics = await (await request(`${daemon.url}/metrics`)).body.text();
  expect(metrics).toContain('tilld_provider_webhooks_total{provider="provider_a",outcome="accepted"} 52');
  expect(daemon.log).not.toContain(SECRET);
  expect(daemon.log).not.toContain('never believed');
  expect(filesWith(world, SECRET)).toEqual([]);

  expect(await daemon.stop()).toBe(0);
  const again = await Daemon.start(world);
  const { url: there } = await eventually(async () => {
    const found = await webhook(again);
    return found.url === null ? undefined : found;
  });
  source.people = 5;
  expect(await post(there, body, signed(body))).toBe(202);
  await eventually(async () => (await rows(again)) === 5, 30_000);
  expect(await again.stop()).toBe(0);
});

it('a source that said "not before" is not asked, nor one that refuses the key, and the webhook is taken all the same', async () => {
  const { daemon, source } = await aShop();
  const { url } = await webhook(daemon);
  const body = '{"type":"person.changed"}';
  source.instead = [429, { 'retry-after': '600' }];
  expect(await post(url, body, signed(body))).toBe(202);
  await eventually(async () => (await streams(daemon)).some(({ run }) => run?.outcome === 'waiting'), 60_000);
  source.instead = null;
  const asked = source.asked.length;
  for (const one of [body, '{"type":"other"}']) expect(await post(url, one, signed(one))).toBe(202);
  await wait(12_000);
  expect(source.asked.length, 'neither this stream nor another of this source').toBe(asked);
  await daemon.stop();
});

it('one that is paused, and quiet hours, are honoured', async () => {
  const now = Date.now();
  const wallTime = (ms: number) => new Date(ms).toISOString().slice(11, 16);
  const quiet_hours = { from: wallTime(now - HOUR), to: wallTime(now + 3 * HOUR) };
  const { daemon, source } = await aShop({ quiet_hours, time_zone: 'UTC' });
  const { url } = await webhook(daemon);
  const body = '{"type":"person.changed"}';
  const asked = source.asked.length;
  expect(await post(url, body, signed(body))).toBe(202);
  await wait(3_000);
  expect(source.asked.length, 'quiet').toBe(asked);
  source.instead = [401, {}];
  await askOver(daemon.socket, 'POST', '/v2/integrations/provider_a/sync', {});
  await eventually(async () => {
    const { data } = (await askOver(daemon.socket, 'GET', '/v2/integrations/provider_a')) as {
      data: { paused_reason: string | null };
    };
    return data.paused_reason === 'credentials';
  });
  source.instead = null;
  const paused = source.asked.length;
  expect(await post(url, body, signed(body))).toBe(202);
  await wait(3_000);
  expect(source.asked.length, 'paused').toBe(paused);
  await daemon.stop();
});

it('a flood of 2,000 unsigned ones costs neither the disk nor the log, and the shop sells', async () => {
  const { daemon } = await aShop();
  const { url } = await webhook(daemon);
  const lines = daemon.log.split('\n').length;
  const statuses: number[] = [];
  for (let round = 0; round < 20; round += 1)
    statuses.push(...(await Promise.all(Array.from({ length: 100 }, () => post(url, '{}').catch(() => 0)))));
  expect(statuses.filter((status) => ![0, 401, 429].includes(status))).toEqual([]);
  expect(statuses).toContain(429);
  const { can_sell } = (await askOver(daemon.socket, 'GET', '/healthz')) as { can_sell: boolean };
  expect(can_sell).toBe(true);
  const added = daemon.log.split('\n').slice(lines);
  expect(added.filter((line) => line.includes('webhook')).length).toBeLessThanOrEqual(3);
  expect((await webhook(daemon)).refused).toBeGreaterThan(500);
  await wait(1_200);
  expect(await post(url, '{}', signed('{}'))).toBe(202);
  await daemon.stop();
});
