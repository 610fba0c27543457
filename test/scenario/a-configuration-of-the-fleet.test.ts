import { request } from 'node:http';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { sendCommand } from '../../src/hub/commands/send.ts';
import { makeOperatorKey, signCommand } from '../../src/hub/commands/sign.ts';
import { asTenant } from '../../src/hub/database/connect.ts';
import { type Operator, type TestHub, testHub } from '../fleet/hub.ts';
import { ServiceManager } from '../fleet/service-manager.ts';
import { DEVICE_ID } from '../support/attempts.ts';
import { aWorld, eventually, type World } from '../support/daemon.ts';
import { tillctl } from '../support/till.ts';

/** A machine that is busy with other tests starts a daemon in half a minute. */
const LIMIT_MS = 150_000;
const KILLER = join(import.meta.dirname, '../fleet/killed-when-tried.js');

interface Configuration {
  /** Absent: tilld does not run. */
  readonly running?: number | null;
  readonly attempted?: { readonly revision: number; readonly state: string } | null;
  readonly failed?: { readonly revision: number; readonly why: string } | null;
}

/** A shop in a fleet whose daemon is started again whenever it ends. */
interface FleetShop {
  readonly world: World;
  readonly manager: ServiceManager;
  /** An operator asks for settings; the shop takes the command at the restart that follows. @returns their revision */
  configure(settings: object, revision?: number): Promise<number>;
  /** An operator asks for something else; the shop takes it within about a minute. */
  ask(command: object): Promise<void>;
  /** What `tillctl fleet status` shows. */
  configuration(): Promise<Configuration>;
  /** What the hub shows of the shop. */
  readonly operator: Operator;
}

async function aShop(autopilot: 'approve' | 'off', preload: readonly string[] = []): Promise<FleetShop> {
  const hub = await testHub();
  hub.now = Date.now();
  onTestFinished(() => hub.stop());
  await hub.tenant('Bakery');
  const world = await aWorld({ autopilot });
  const manager = new ServiceManager(world, preload);
  await manager.start();
  const key = join(world.folder, 'operator.key');
  const joined = ['join', await hub.listen(), await hub.invite('Bakery', 'Berlin 1')];
  await tillctl(manager, 'fleet', ...joined, '--operator-key', `Anna=${makeOperatorKey(key)}`);
  return {
    world,
    manager,
    operator: await hub.operator('Bakery', 'viewer'),
    configure: async (settings, revision = Math.floor(Date.now() / 1_000)) => {
      await send(hub, key, { kind: 'configuration', revision, settings });
      await manager.restart();
      return revision;
    },
    ask: (command) => send(hub, key, command),
    configuration: () => configurationAt(manager.socket),
  };
}

function configurationAt(socketPath: string): Promise<Configuration> {
  return new Promise((resolve) => {
    const asked = request({ socketPath, path: '/v2/fleet' }, (answer) =>
      json(answer).then(
        (body) => resolve(Reflect.get(Object(body), 'data').membership?.configuration ?? {}),
        () => resolve({}),
      ),
    );
    asked.once('error', () => resolve({})).end();
  });
}

async function send(hub: TestHub, key: string, command: object): Promise<void> {
  const { id: agentId, tenant_id } = await hub.database
    .selectFrom('agent')
    .select(['id', 'tenant_id'])
    .executeTakeFirstOrThrow();
  const envelope = await signCommand(key, { agentId, operator: 'Anna', seconds: 3_600, command }, Date.now());
  await asTenant(hub.database, tenant_id, (transaction) =>
    sendCommand(transaction, tenant_id, envelope, 'test', Date.now()),
  );
}

async function sell({ manager }: FleetShop): Promise<void> {
  const sale = ['--device', 'Counter 1', '--amount', '12.34'];
  const { code, stderr } = await tillctl(manager, 'pay', ...sale);
  expect([code, stderr]).toMatchObject([0, expect.anything()]);
}

const stateAtHub = async ({ operator }: FleetShop) =>
  (await operator.ask('GET', '/v1/shops/Berlin%201')).body.data.status?.configuration;

const commandAtHub = async ({ operator }: FleetShop) =>
  (await operator.ask('GET', '/v1/commands')).body.data[0];

describe('a configuration of the fleet', { timeout: 500_000 }, () => {
  it('is run once every terminal is idle, and no payment is cut', async () => {
    const shop = await aShop('off');
    const { world, manager } = shop;
    const revision = await shop.configure({ heartbeat_ms: 5_000, service: { poll_interval_ms: 2_000 } });
    const paying = tillctl(manager, 'pay', '--device', 'Counter 1', '--amount', '12.34');
    await eventually(() => world.terminal.snapshot().screen.startsWith('Present card'), LIMIT_MS);
    await eventually(async () => (await shop.configuration()).attempted?.state === 'waiting', LIMIT_MS);
    const ends = manager.ends.length;
    await new Promise((resolve) => setTimeout(resolve, 9_000));
    expect(manager.ends).toHaveLength(ends);
    world.terminal.press('approve');
    expect((await paying).code).toBe(0);
    expect(world.terminal.snapshot().ledger).toMatchObject([{ amountMinor: 1234, result: 'approved' }]);

    await eventually(async () => (await shop.configuration()).attempted?.state === 'judged', LIMIT_MS);
    expect(manager.ends.slice(ends)).toEqual([0]);
    await eventually(async () => (await shop.configuration()).attempted === null, LIMIT_MS);
    expect(await shop.configuration()).toEqual({ running: revision, attempted: null, failed: null });
    expect((await tillctl(manager, 'fleet', 'status')).stdout).toContain(`revision ${revision} of the hub`);
    await manager.restart();
    await eventually(async () => (await stateAtHub(shop))?.attempted === null, LIMIT_MS);
    expect(await stateAtHub(shop)).toMatchObject({ running: revision, failed: null });
  });

  it('with which a terminal does not answer is taken back by the shop itself, without its hub', async () => {
    const shop = await aShop('approve');
    const { manager } = shop;
    const good = await shop.configure({ heartbeat_ms: 5_000 });
    await eventually(async () => (await shop.configuration()).running === good, LIMIT_MS);
    await eventually(async () => (await shop.configuration()).attempted === null, LIMIT_MS);

    const bad = await shop.configure({ devices: { [DEVICE_ID]: { link: { port: 9 } } } }, good + 1);
    await eventually(() => manager.log.includes('connection refused'), LIMIT_MS);
    // It is given up first; the process that follows runs with the good one.
    await eventually(async () => {
      const { running, failed } = await shop.configuration();
      return failed?.revision === bad && running === good;
    }, LIMIT_MS);
    const { attempted, failed } = await shop.configuration();
    expect([attempted, failed?.revision, failed?.why]).toEqual([
      null,
      bad,
      expect.stringMatching(/terminals that answered before/),
    ]);
    await sell(shop);
    await eventually(async () => (await stateAtHub(shop))?.failed?.revision === bad, LIMIT_MS);
    expect(await stateAtHub(shop)).toMatchObject({ running: good, attempted: null });
  });

  it('is none where an operator asks for a restart, which waits for the payment', async () => {
    const shop = await aShop('off');
    const { world, manager } = shop;
    const paying = tillctl(manager, 'pay', '--device', 'Counter 1', '--amount', '12.34');
    await eventually(() => world.terminal.snapshot().screen.startsWith('Present card'), LIMIT_MS);
    const asked = manager.ends.length;
    await shop.ask({ kind: 'restart' });
    await eventually(async () => (await commandAtHub(shop))?.state === 'done', LIMIT_MS);
    await new Promise((resolve) => setTimeout(resolve, 9_000));
    expect(manager.ends).toHaveLength(asked);
    world.terminal.press('approve');
    expect((await paying).code).toBe(0);
    await eventually(() => manager.log.includes('tilld is restarted by its fleet'), LIMIT_MS);
    await eventually(() => manager.ends.length === asked + 1, LIMIT_MS);
    expect(manager.ends.at(-1)).toBe(0);
    await eventually(async () => (await shop.configuration()).running === null, LIMIT_MS);
    expect(world.terminal.snapshot().ledger).toMatchObject([{ amountMinor: 1234, result: 'approved' }]);
    expect(manager.ends).toHaveLength(asked + 1);
  });

  it('with which tilld is killed at each start is taken back by the next start', async () => {
    const shop = await aShop('approve', [KILLER]);
    const { manager } = shop;
    const bad = await shop.configure({ heartbeat_ms: 4_321 });
    await eventually(() => manager.ends.filter((end) => end === 'SIGKILL').length === 3, LIMIT_MS);
    await eventually(async () => (await shop.configuration()).failed?.revision === bad, LIMIT_MS);
    expect(await shop.configuration()).toMatchObject({
      running: null,
      attempted: null,
      failed: { why: expect.stringContaining('was started 3 times with it') },
    });
    await sell(shop);
    expect(manager.ends.filter((end) => end === 'SIGKILL')).toHaveLength(3);
  });
});
