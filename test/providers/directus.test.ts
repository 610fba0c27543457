import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aWorld, Daemon, eventually, type World } from '../support/daemon.ts';
import { aFolder } from '../support/money-database.ts';
import { askOver } from '../support/socket.ts';
import { tillctl } from '../support/till.ts';
import { Directus, freePort } from './directus.ts';
import { installDirectus } from './install-directus.ts';

const CUSTOMERS = 10_250;
const PRODUCTS = 40;
const INVOICES = 300;
const KILLS = 20;
const SYNCS_AFTER = 8;
const MOST_GROWTH_MIB = 40;

const installed = installDirectus();
if ('missing' in installed) process.stderr.write(`Directus is not tested: ${installed.missing}\n`);

const text = (field: string) => ({ field, type: 'string' });

async function fill(directus: Directus): Promise<void> {
  await directus.collection('customers', ['first_name', 'last_name', 'email'].map(text));
  await directus.collection('products', [text('name'), { field: 'price', type: 'decimal' }]);
  await directus.collection('invoices', [
    text('number'),
    text('currency'),
    text('due_on'),
    { field: 'total', type: 'decimal' },
    { field: 'customer', type: 'integer' },
    { field: 'lines', type: 'json', meta: { special: ['cast-json'] } },
  ]);
  await directus.add(
    'customers',
    Array.from({ length: CUSTOMERS }, (_, at) => customer(at + 1)),
  );
  const products = Array.from({ length: PRODUCTS }, (_, at) => ({
    name: `Product ${at + 1}`,
    price: '12.50',
  }));
  await directus.add('products', products);
  await directus.add(
    'invoices',
    Array.from({ length: INVOICES }, (_, at) => invoice(at + 1)),
  );
}

/** Every seventh has no last name, every fifth no address. */
function customer(no: number): object {
  return {
    first_name: `First ${no}`,
    last_name: no % 7 === 0 ? null : `Last ${no}`,
    email: no % 5 === 0 ? null : `c${no}@example.com`,
  };
}

/** Every other one has a single line. */
function invoice(no: number): object {
  const line = { description: 'Haircut', quantity: 1, price: '14.50' };
  const lines = no % 2 === 0 ? [line] : [line, line];
  return {
    number: `I-${no}`,
    status: 'open',
    currency: null,
    due_on: '2026-12-31',
    total: '29.00',
    customer: no,
    lines,
  };
}

const INTEGRATION = {
  connector: 'rest',
  sink: 'mirror',
  interval_s: 86_400,
  settings: { recipe: 'directus', values: { currency: 'EUR' } },
};

interface Stream {
  readonly resource: string;
  readonly rows: number;
  readonly state: string;
  readonly parked: number;
  readonly run: { readonly outcome: string; readonly kind: string; readonly code: string | null } | null;
}

async function streamsOf(daemon: Daemon): Promise<ReadonlyMap<string, Stream>> {
  const { data } = (await askOver(daemon.socket, 'GET', '/v2/integrations/provider_a/streams')) as {
    data: Stream[];
  };
  return new Map(data.map((stream) => [stream.resource, stream]));
}

async function customersOf(daemon: Daemon): Promise<Stream> {
  const customers = (await streamsOf(daemon)).get('customers');
  if (!customers) throw new Error('there is no stream of customers');
  return customers;
}

/** Memory of the daemon, MiB. */
function rssOf({ folder }: World): number {
  const pid = /\d+/.exec(readFileSync(join(folder, 'state', 'tilld.pid'), 'utf8'))?.[0];
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}

/** Records of customers that all runs so far have read. */
async function readBy(daemon: Daemon): Promise<number> {
  const { data } = (await askOver(daemon.socket, 'GET', '/v2/integrations/provider_a/runs?limit=100')) as {
    data: { resource: string; read: number }[];
  };
  return data.filter(({ resource }) => resource === 'customers').reduce((sum, { read }) => sum + read, 0);
}

/** What readers see of a resource, by its id at the source. */
function rowsOf(world: World, resource: string): ReadonlyMap<string, Record<string, unknown>> {
  const database = new Sqlite(join(world.folder, 'state', 'mirror.db'), { readonly: true });
  try {
    const rows = database
      .prepare(
        `SELECT rows.id, rows.body FROM rows JOIN streams ON rows.stream = streams.id AND rows.generation = streams.generation
         WHERE streams.slot = 'provider_a' AND streams.resource = ? AND rows.fate <> 2`,
      )
      .all(resource) as { id: string; body: string | null }[];
    return new Map(rows.map(({ id, body }) => [id, JSON.parse(body ?? 'null')]));
  } finally {
    database.close();
  }
}

describe.skipIf('missing' in installed)('a Directus that nobody here wrote', () => {
  const program = 'folder' in installed ? installed.folder : '';
  let site = '';
  let port = 0;
  let directus: Directus;
  let world: World;
  let gone = 0;

  beforeAll(async () => {
    site = join(program, `site-${process.pid}-${Date.now()}`);
    mkdirSync(site, { recursive: true });
    port = await freePort();
    directus = await Directus.start(program, site, port);
    await fill(directus);
  });
  afterAll(async () => {
    await directus?.stop();
    rmSync(site, { recursive: true, force: true });
  });

  const keyFile = (key: string) => {
    const file = join(aFolder(), 'key');
    writeFileSync(file, key);
    return file;
  };

  /** A shop of its own, whose first sync is complete. */
  async function synced(): Promise<Daemon> {
    world = await aWorld({}, { integrations: { provider_a: INTEGRATION } });
    const daemon = await Daemon.start(world);
    const key = ['--api-key-file', keyFile(directus.token), '--base-url', directus.url];
    expect(await tillctl(daemon, 'activate', 'provider_a', ...key)).toMatchObject({ code: 0 });
    await complete(daemon);
    return daemon;
  }

  async function complete(daemon: Daemon): Promise<void> {
    await eventually(async () => {
      const streams = [...(await streamsOf(daemon)).values()];
      return streams.every(({ run, state }) => run?.outcome === 'complete' && state === 'idle');
    }, 200_000);
  }

  it('is read whole by the first sync, nulls and lists of one included', async () => {
    const daemon = await synced();
    const streams = await streamsOf(daemon);
    const rows = (name: string) => streams.get(name)?.rows;
    expect([rows('customers'), rows('products'), rows('invoices')]).toEqual([CUSTOMERS, PRODUCTS, INVOICES]);
    expect([...streams.values()].map(({ parked }) => parked)).toEqual([0, 0, 0]);
    const customers = rowsOf(world, 'customers');
    expect(customers.get('7')).toMatchObject({ name: 'First 7', email: 'c7@example.com' });
    expect(customers.get('10')).toMatchObject({ name: 'First 10 Last 10', email: null });
    const invoices = rowsOf(world, 'invoices');
    expect(invoices.get('2')).toMatchObject({
      total_minor: 2900,
      currency: 'EUR',
      customer_external_id: '2',
      lines: [{ description: 'Haircut', quantity: 1, unit_amount_minor: 1450 }],
    });
    expect(invoices.get('3')?.['lines']).toHaveLength(2);
    await daemon.stop();
  });

  it('is read anew by a full resync, which is killed twenty times and changes nothing', async () => {
    let daemon = await synced();
    const before = rowsOf(world, 'customers');
    const resync = { resource: 'customers', fullResync: true };
    await askOver(daemon.socket, 'POST', '/v2/integrations/provider_a/sync', resync);
    for (let kill = 0; kill < KILLS; kill += 1) {
      await wait(100 + ((kill * 137) % 500));
      // One that ended between two kills begins again: each kill meets a full resync.
      if ((await customersOf(daemon)).state === 'idle')
        await askOver(daemon.socket, 'POST', '/v2/integrations/provider_a/sync', resync);
      await eventually(async () => (await customersOf(daemon)).state === 'running', 60_000);
      expect((await customersOf(daemon)).run).toMatchObject({ kind: 'full', outcome: 'running' });
      await daemon.kill();
      daemon = await Daemon.start(world);
      expect((await streamsOf(daemon)).get('customers')?.rows).toBe(CUSTOMERS);
    }
    await complete(daemon);
    expect(rowsOf(world, 'customers')).toEqual(before);
    expect(rowsOf(world, 'invoices').size).toBe(INVOICES);
    await daemon.stop();
  });

  it('shows what was changed, added and put away', async () => {
    const daemon = await synced();
    await directus.call('PATCH', '/items/customers', { keys: [11, 12, 13], data: { status: 'archived' } });
    await directus.call('PATCH', '/items/customers/14', { email: 'new@example.com' });
    await directus.add('customers', [{ first_name: 'Late', last_name: null, email: null }]);
    gone += 3;
    expect((await tillctl(daemon, 'sync', 'provider_a', '--wait')).code).toBe(0);
    const customers = rowsOf(world, 'customers');
    expect(customers.get('14')).toMatchObject({ email: 'new@example.com' });
    expect(customers.get(String(CUSTOMERS + 1))).toMatchObject({ name: 'Late' });
    expect((await streamsOf(daemon)).get('customers')?.rows).toBe(CUSTOMERS + 1 - gone);
    await daemon.stop();
  });

  it('whose customers all changed in one instant is synced again and again, and memory stays flat', async () => {
    const daemon = await synced();
    await directus.call('PATCH', '/items/customers/20', { email: 'instant@example.com' });
    const database = new Sqlite(join(site, 'data.db'), { timeout: 10_000 });
    const { changes } = database
      .prepare(
        "UPDATE customers SET last_name = 'Same', date_updated = (SELECT max(date_updated) FROM customers)",
      )
      .run();
    database.close();
    expect(changes).toBeGreaterThan(10_000);
    const sync = async () => {
      expect((await tillctl(daemon, 'sync', 'provider_a', '--wait')).code).toBe(0);
    };
    await sync();
    expect(rowsOf(world, 'customers').get('20')).toMatchObject({ name: 'First 20 Same' });
    await sync();
    const before = rssOf(world);
    const readBefore = await readBy(daemon);
    for (let run = 0; run < SYNCS_AFTER; run += 1) await sync();
    const [grownMib, readEach] = [rssOf(world) - before, ((await readBy(daemon)) - readBefore) / SYNCS_AFTER];
    process.stdout.write(
      `${JSON.stringify({ rows_at_one_instant: changes, syncs: SYNCS_AFTER, rss_grown_mib: Math.round(grownMib), read_by_each: Math.round(readEach) })}\n`,
    );
    expect(grownMib).toBeLessThan(MOST_GROWTH_MIB);
    await daemon.stop();
  });

  it('refuses a wrong key: nothing of it is stored; a key that was withdrawn pauses the provider alone', async () => {
    const daemon = await synced();
    const wrong = await tillctl(daemon, 'rotate', 'provider_a', '--api-key-file', keyFile('wrong'));
    expect(wrong).toMatchObject({ code: 1, stderr: expect.stringMatching(/Invalid user credentials/) });
    expect((await tillctl(daemon, 'sync', 'provider_a', '--wait')).code).toBe(0);
    const kept = ['rotate', 'provider_a', '--api-key-file', keyFile('wrong'), '--no-test'];
    expect((await tillctl(daemon, ...kept)).code).toBe(0);
    await tillctl(daemon, 'sync', 'provider_a', '--wait');
    const listed = await tillctl(daemon, 'integrations');
    expect(listed.stdout).toMatch(/PAUSED \(credentials\)/);
    expect(
      (await tillctl(daemon, 'rotate', 'provider_a', '--api-key-file', keyFile(directus.token))).code,
    ).toBe(0);
    expect((await tillctl(daemon, 'sync', 'provider_a', '--wait')).code).toBe(0);
    await daemon.stop();
  });

  it('whose rows are deleted has them gone after one full resync, and a record that cannot be read on hold until it can', async () => {
    const daemon = await synced();
    const { rows } = await customersOf(daemon);
    await directus.call('DELETE', '/items/customers', [21, 22, 23]);
    const priced = (price: string) => ({ lines: [{ description: 'Haircut', quantity: 1, price }] });
    await directus.call('PATCH', '/items/invoices/5', priced('for free'));
    const planned = await tillctl(daemon, 'sync', 'provider_a', '--dry-run');
    expect(planned).toMatchObject({ code: 0, stdout: expect.stringMatching(/invoices/) });
    expect((await tillctl(daemon, 'sync', 'provider_a', '--full-resync', '--wait')).code).toBe(0);
    expect((await customersOf(daemon)).rows).toBe(rows - 3);
    expect(rowsOf(world, 'customers').has('22')).toBe(false);
    const causes = await tillctl(daemon, 'parked', 'provider_a');
    expect(causes.stdout).toMatch(/invoices/);
    const records = await tillctl(daemon, 'parked', 'provider_a', '--by', 'record');
    expect(records.stdout).toMatch(/\b5\b/);
    await directus.call('PATCH', '/items/invoices/5', priced('14.50'));
    expect((await tillctl(daemon, 'retry-parked', 'provider_a')).code).toBe(0);
    expect((await tillctl(daemon, 'sync', 'provider_a', '--wait')).code).toBe(0);
    await eventually(async () => (await streamsOf(daemon)).get('invoices')?.parked === 0, 60_000);
    const runs = await tillctl(daemon, 'integrations', 'provider_a', '--runs');
    expect(runs.stdout).toMatch(/customers +full.*complete/);
    const shown = await tillctl(daemon, 'credentials', 'provider_a');
    expect(shown.stdout).toContain(directus.url);
    expect(shown.stdout).not.toContain(directus.token);
    expect((await tillctl(daemon, 'test', 'provider_a')).code).toBe(0);
    gone += 3;
    await daemon.stop();
  });

  it('that lets a key read no invoices pauses that list alone, and says so', async () => {
    const daemon = await synced();
    const read = (collection: string) => ({ collection, action: 'read', fields: ['*'], permissions: {} });
    const policy = await directus.call('POST', '/policies', {
      name: 'no invoices',
      permissions: [read('customers'), read('products')],
    });
    await directus.call('POST', '/users', {
      ...{ email: 'limited@example.com', password: 'a-password-of-a-user', token: 'a-limited-token' },
      policies: [{ policy: policy.data.id }],
    });
    const key = ['--api-key-file', keyFile('a-limited-token'), '--no-test'];
    expect((await tillctl(daemon, 'rotate', 'provider_a', ...key)).code).toBe(0);
    await tillctl(daemon, 'sync', 'provider_a', '--wait');
    const streams = await streamsOf(daemon);
    expect(streams.get('customers')?.run?.outcome).toBe('complete');
    expect(streams.get('invoices')?.run?.outcome).not.toBe('complete');
    const listed = await tillctl(daemon, 'integrations', 'provider_a');
    expect(listed.stdout).toMatch(/invoices[\s\S]*permission/);
    await daemon.stop();
  });

  it('that limits its requests is read at its pace', async () => {
    const daemon = await synced();
    const before = rowsOf(world, 'customers');
    await directus.stop();
    const limits = { RATE_LIMITER_ENABLED: 'true', RATE_LIMITER_POINTS: '10', RATE_LIMITER_DURATION: '1' };
    directus = await Directus.start(program, site, port, limits);
    const burst = await Promise.all(
      Array.from({ length: 30 }, () => fetch(`${directus.url}/server/ping`).then(({ status }) => status)),
    );
    expect(burst).toContain(429);
    // A wait of more than half a minute ends the run, and it goes on by itself.
    await askOver(daemon.socket, 'POST', '/v2/integrations/provider_a/sync', { fullResync: true });
    await eventually(async () => {
      const streams = [...(await streamsOf(daemon)).values()];
      return streams.every(({ run }) => run?.kind === 'full' && run.outcome === 'complete');
    }, 400_000);
    expect(rowsOf(world, 'customers')).toEqual(before);
    expect((await tillctl(daemon, 'integrations')).stdout).not.toMatch(/PAUSED/);
    await daemon.stop();
  });
});
