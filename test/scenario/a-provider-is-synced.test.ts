import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { request } from 'undici';
import { describe, expect, it } from 'vitest';
import { aWorld, Daemon, eventually, type World } from '../support/daemon.ts';
import { aFolder } from '../support/money-database.ts';
import { aPeopleProvider, PEOPLE_RECIPE } from '../support/people-provider.ts';
import { askOver } from '../support/socket.ts';

const KEY = 'rk_sandbox_daemon_under_test';
const ROWS = 3_000;
const BATCH = 100;
const LONG_AGO = '2001-01-01T00:00:00.000Z';

/** A file that was written to less than a second ago is left for the next run, which is a minute away. */
async function dropped(folder: string, name: string, rows: number): Promise<void> {
  const lines = Array.from({ length: rows }, (_, row) => `${row},c${row}@shop.example,Customer ${row}`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), `number,mail,name\n${lines.join('\n')}\n`);
  await wait(1_200);
}

function filesIntegration(folder: string, sink: 'service' | 'mirror'): object {
  const fields = { email: 'mail', name: 'name' };
  const customers = { files: 'customers*.csv', id: 'number', fields };
  return {
    connector: 'files',
    folder,
    sink,
    interval_s: 60,
    settings: { still_s: 1, resources: { customers } },
  };
}

/** What the service says of the ids when somebody comes with an old version of each: those that it has are stale. */
async function known(world: World, ids: readonly string[]): Promise<number> {
  let count = 0;
  for (let at = 0; at < ids.length; at += BATCH) {
    const customers = ids
      .slice(at, at + BATCH)
      .map((id) => ({ external_id: id, source_updated_at: LONG_AGO, name: 'x' }));
    const reply = await request(`${world.service.url}/v2/customers/external/batch`, {
      method: 'PUT',
      headers: { 'x-api-key': KEY, 'content-type': 'application/json' },
      body: JSON.stringify({ customers }),
    });
    const { data } = (await reply.body.json()) as { data: { status: string }[] };
    count += data.filter(({ status }) => status === 'stale').length;
  }
  return count;
}

async function streamsOf(
  daemon: Daemon,
  provider: string,
): Promise<{ rows: number; run: { outcome: string } | null }[]> {
  const { data } = (await askOver(daemon.socket, 'GET', `/v2/integrations/${provider}/streams`)) as {
    data: { rows: number; run: { outcome: string } | null }[];
  };
  return data;
}

describe('a provider', () => {
  it('is imported into the service whole, though tilld is killed in the middle of it', async () => {
    const folder = join(aFolder(), 'drop');
    await dropped(folder, 'customers-1.csv', ROWS);
    const world = await aWorld({}, { integrations: { provider_a: filesIntegration(folder, 'service') } });
    const first = await Daemon.start(world);
    await askOver(first.socket, 'POST', '/v2/integrations/provider_a/activate', {});
    await eventually(async () => (await known(world, ['0'])) === 1);
    await first.kill();
    const second = await Daemon.start(world);
    await eventually(async () => (await streamsOf(second, 'provider_a'))[0]?.run?.outcome === 'complete');
    expect((await streamsOf(second, 'provider_a'))[0]?.rows).toBe(ROWS);
    const ids = Array.from({ length: ROWS }, (_, row) => String(row));
    expect(await known(world, ids)).toBe(ROWS);
    await second.stop();
  });

  it('that refuses its credential is paused alone, and comes back with another one', async () => {
    const { url: baseUrl } = await aPeopleProvider('the-new-one', 2);
    const folder = join(aFolder(), 'drop');
    await dropped(folder, 'customers-1.csv', 10);
    const world = await aWorld(
      {},
      {
        integrations: {
          provider_a: {
            connector: 'rest',
            sink: 'mirror',
            interval_s: 60,
            settings: { recipe: PEOPLE_RECIPE },
          },
          provider_b: filesIntegration(folder, 'mirror'),
        },
      },
    );
    const daemon = await Daemon.start(world);
    const ask = (method: string, path: string, body?: object) => askOver(daemon.socket, method, path, body);
    await ask('POST', '/v2/integrations/provider_a/activate', {
      credentials: { apiKey: 'the-old-one', baseUrl },
    });
    await ask('POST', '/v2/integrations/provider_b/activate', {});
    await eventually(async () => {
      const { data } = (await ask('GET', '/v2/integrations/provider_a')) as {
        data: { paused_reason: string | null };
      };
      return data.paused_reason !== null;
    });
    await eventually(async () => (await streamsOf(daemon, 'provider_b'))[0]?.rows === 10);
    const health = (await ask('GET', '/healthz')) as { can_sell: boolean; reasons: { code: string }[] };
    expect(health.can_sell).toBe(true);
    expect(health.reasons.map(({ code }) => code)).toContain('integration_paused');
    await ask('POST', '/v2/integrations/provider_a/rotate', {
      credentials: { apiKey: 'the-new-one', baseUrl },
    });
    await eventually(async () => (await streamsOf(daemon, 'provider_a'))[0]?.rows === 2);
    expect(daemon.log).not.toContain('the-old-one');
    expect(daemon.log).not.toContain('the-new-one');
    await daemon.stop();
  });

  it('is the service itself, and its open invoices are still there when it is not', async () => {
    const world = await aWorld({}, { mirror: { lists: ['invoices'] } });
    const daemon = await Daemon.start(world);
    const openInvoices = async () => {
      const { data } = (await askOver(daemon.socket, 'GET', '/v2/invoices?status=open&limit=5')) as {
        data: { status: string }[];
      };
      return data;
    };
    await eventually(async () => (await openInvoices()).length > 0);
    await world.service.stop();
    const offline = await openInvoices();
    expect(offline).toHaveLength(5);
    expect(offline.every(({ status }) => status === 'open')).toBe(true);
    await daemon.stop();
  });
});
