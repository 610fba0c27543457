import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { messageOf } from '../../src/base/errors.ts';
import { mailOver } from '../../src/hub/alerts/mail.ts';
import { networksOf } from '../../src/hub/alerts/networks.ts';
import { Beat } from '../../src/hub/beat.ts';
import { makeOperatorKey } from '../../src/hub/commands/sign.ts';
import { asTenant, type Database } from '../../src/hub/database/connect.ts';
import { migrate } from '../../src/hub/database/migrate.ts';
import { createHub } from '../../src/hub/http/create-hub.ts';
import { addOperator } from '../../src/hub/operators/operators.ts';
import { invite, tenantId } from '../../src/hub/shops/invite.ts';
import { type DemoShop, startDemoShop } from './demo-shop.ts';
import { openPglite } from './pglite.ts';

const TENANT = 'Bakery';
const SHOPS = ['Berlin 1', 'Hamburg 1', 'Köln 1'];

const USAGE = `fleet:demo [-- --port PORT]
  a hub in memory and three shops with a few sales, on this machine alone; Ctrl-C ends them and removes what they wrote
`;

const cleanup = new AsyncDisposableStack();
const stopping = new AbortController();
const stopped = new Promise<void>((resolve) => stopping.signal.addEventListener('abort', () => resolve()));
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => stopping.abort());

try {
  await start(portOf(process.argv.slice(2)));
  await stopped;
} catch (error) {
  if (!stopping.signal.aborted) {
    process.stderr.write(`${messageOf(error)}\n`);
    process.exitCode = 1;
  }
} finally {
  stopping.abort();
  await cleanup.disposeAsync();
}

/** @throws with the usage */
function portOf(args: readonly string[]): number {
  try {
    const { port } = parseArgs({
      args: [...args],
      options: { port: { type: 'string', default: '8490' } },
    }).values;
    if (/^\d{1,5}$/.test(port) && Number(port) < 65_536) return Number(port);
    throw new Error(`--port ${port} is no port`);
  } catch (error) {
    throw new Error(`${messageOf(error)}\n${USAGE}`);
  }
}

async function start(port: number): Promise<void> {
  process.stdout.write('A hub and three shops are started …\n');
  const database = await openPglite();
  cleanup.defer(() => database.destroy());
  const alerts = { mayReach: networksOf('127.0.0.1'), sendMail: mailOver(process.env) };
  const beat = new Beat({ database, ...alerts });
  cleanup.defer(() => beat.stop());
  const hub = createHub({ database, now: Date.now, alerts });
  cleanup.defer(() => hub.close());
  await migrate(database);
  await database.insertInto('tenant').values({ name: TENANT }).execute();
  beat.start();
  const url = await hub.listen({ host: '127.0.0.1', port });
  const folder = mkdtempSync(join(tmpdir(), 'tilld-fleet-demo-'));
  cleanup.defer(() => rmSync(folder, { recursive: true, force: true }));
  const key = makeOperatorKey(join(folder, 'anna.key'));
  const shops = await Promise.all(SHOPS.map((name, index) => joined(name, index + 1, database, url, key)));
  const tenant = await tenantId(database, TENANT);
  const anna = { name: 'Anna', role: 'admin' } as const;
  const token = await asTenant(database, tenant, (transaction) =>
    addOperator(transaction, tenant, anna, 'fleet:demo'),
  );
  process.stdout.write(ready(url, token, shops));
}

/** A shop that has taken a few sales before it joins: its journal follows. */
async function joined(
  name: string,
  number: number,
  database: Database,
  url: string,
  key: string,
): Promise<DemoShop> {
  const shop = await startDemoShop(name, number, stopping.signal, cleanup);
  for (const amount of ['4.20', '12.80', `${number}7.50`])
    await shop.tillctl('pay', '--device', 'Counter 1', '--amount', amount, '--yes');
  const { code } = await invite(database, { tenant: TENANT, shop: name }, 'fleet:demo', Date.now());
  await shop.tillctl('fleet', 'join', url, code, '--operator-key', `Anna=${key}`);
  return shop;
}

function ready(url: string, token: string, shops: readonly DemoShop[]): string {
  const [first] = shops;
  const ask = `curl -s -H "Authorization: Bearer ${token}" "${url}`;
  const at = `npx tillctl --socket ${first?.socket}`;
  return `fleet:demo is ready at ${url}

  sign in there with this token of Anna (admin):
  ${token}

Or in another terminal, in this folder:
  ${ask}/v1/shops"
  ${ask}/v1/payments?limit=3"
  ${ask}/v1/exports/journal?from=2020-01-01T00:00:00Z&to=2100-01-01T00:00:00Z"
  ${at} pay --device "Counter 1" --amount 9.90 --yes    # ${first?.name} sells; the hub has it a second later
  ${at} fleet status

Ctrl-C ends the hub and the shops, and removes what they wrote.
`;
}
