import { join } from 'node:path';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { makeOperatorKey, signCommand } from '../../src/hub/commands/sign.ts';
import { DEVICE_ID } from '../support/attempts.ts';
import { aWorld, eventually } from '../support/daemon.ts';
import { aFolder } from '../support/money-database.ts';
import { tillctl } from '../support/till.ts';
import { testBeat } from './alerts.ts';
import { Shop, type TestHub, testHub } from './hub.ts';
import { ServiceManager } from './service-manager.ts';

const RING = Number(process.env['FLEET_RING'] ?? 0);
/** Those are whole daemons, and first in the ring: they are the ones that are touched. */
const DAEMONS = 5;
const BAR = { shops: 5, healedMs: 15 * 60_000 };
const REVISION = 7;
const LIMIT_MS = 600_000;

describe.runIf(RING > 0)(
  'settings with which no shop sells (npm run fleet:test -- bad-configuration)',
  () => {
    let hub: TestHub;
    afterAll(() => hub?.stop());

    it('touch five shops of a ring, which go back by themselves and sell', async () => {
      hub = await testHub();
      hub.now = Date.now();
      await hub.tenant('Bakery');
      const anna = await hub.operator('Bakery', 'operator');
      const key = join(aFolder(), 'anna.key');
      const operatorKey = `Anna=${makeOperatorKey(key)}`;
      const url = await hub.listen();
      const managers: ServiceManager[] = [];
      for (let number = 1; number <= DAEMONS; number += 1) {
        const manager = new ServiceManager(await aWorld());
        await manager.start();
        const code = await hub.invite('Bakery', `Daemon ${number}`);
        await tillctl(manager, 'fleet', 'join', url, code, '--operator-key', operatorKey);
        managers.push(manager);
      }
      const clients: Shop[] = [];
      for (let number = DAEMONS + 1; number <= RING; number += 1) {
        const shop = new Shop(hub.send);
        await shop.join(await hub.invite('Bakery', `Client ${number}`));
        clients.push(shop);
      }
      await askNow(hub, clients);
      const daemons = await agents(hub, 'Daemon');
      await eventually(async () => (await seen(hub, daemons)) === DAEMONS, LIMIT_MS);

      const signed = await Promise.all(
        [...daemons, ...(await agents(hub, 'Client'))].map((agentId) =>
          signCommand(key, { agentId, operator: 'Anna', seconds: 86_400, command: BAD }, hub.now),
        ),
      );
      await anna.ask('POST', '/v1/rollouts', {
        body: { name: 'bad', rings: [{ percent: 100, minutes: 0 }] },
      });
      await anna.ask('POST', '/v1/rollouts/bad/commands', { body: { signed } });
      await anna.ask('POST', '/v1/rollouts/bad/start');
      const beat = testBeat(hub.database);
      beat.start();
      onTestFinished(() => beat.stop());
      const asking = setInterval(() => void askNow(hub, clients), 20_000);
      onTestFinished(() => clearInterval(asking));
      const began = performance.now();
      const view = async () => (await anna.ask('GET', '/v1/rollouts/bad')).body.data;
      await eventually(async () => (await view()).state === 'paused', LIMIT_MS);
      const healedMs = Math.round(performance.now() - began);
      // Two more minutes, in which every shop asks.
      await new Promise((resolve) => setTimeout(resolve, 120_000));
      const { shops } = await view();
      for (const manager of managers) {
        const { code, stderr } = await tillctl(manager, 'pay', '--device', 'Counter 1', '--amount', '12.34');
        expect([code, stderr]).toMatchObject([0, expect.anything()]);
      }
      const { touched } = await hub.database
        .selectFrom('rollout_target')
        .select(hub.database.fn.count<number>('handed_at').as('touched'))
        .executeTakeFirstOrThrow();
      process.stdout.write(
        `${JSON.stringify({
          ...{ test: 'bad-configuration', shops: RING, whole_daemons: DAEMONS, touched: Number(touched) },
          ...{ bar_touched: BAR.shops, healed_ms: healedMs, bar_ms: BAR.healedMs },
        })}\n`,
      );
      expect(Number(touched)).toBeLessThanOrEqual(BAR.shops);
      expect(shops).toEqual({ failed: DAEMONS, waiting: RING - DAEMONS });
      expect(healedMs).toBeLessThan(BAR.healedMs);
    }, 1_800_000);
  },
);

/** No terminal answers at this port. */
const BAD = {
  kind: 'configuration',
  revision: REVISION,
  settings: { devices: { [DEVICE_ID]: { link: { port: 9 } } } },
};

/** Every client asks; one that is given the settings would give them up. */
async function askNow(hub: TestHub, clients: readonly Shop[]): Promise<void> {
  hub.now = Date.now();
  const failed = { revision: REVISION, why: 'it did not sell', at: hub.now };
  for (const client of clients) {
    const { body } = await client.exchange({}, hub.now);
    for (const { id } of body.data.commands)
      await client.exchange(
        {
          outcomes: [{ id, state: 'done', details: null }],
          state: { configuration: { running: null, attempted: null, failed } },
        },
        hub.now,
      );
  }
}

async function agents(hub: TestHub, kind: string): Promise<readonly string[]> {
  const rows = await hub.database
    .selectFrom('agent')
    .innerJoin('shop', 'shop.id', 'agent.shop_id')
    .select('agent.id')
    .where('shop.name', 'like', `${kind} %`)
    .orderBy('shop.name')
    .execute();
  return rows.map(({ id }) => id);
}

async function seen(hub: TestHub, ids: readonly string[]): Promise<number> {
  const rows = await hub.database
    .selectFrom('agent')
    .select('id')
    .where('id', 'in', ids)
    .where('exchanged_at', 'is not', null)
    .execute();
  return rows.length;
}
