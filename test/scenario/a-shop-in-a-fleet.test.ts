import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { sendCommand } from '../../src/hub/commands/send.ts';
import { makeOperatorKey, signCommand } from '../../src/hub/commands/sign.ts';
import { asTenant } from '../../src/hub/database/connect.ts';
import { type TestHub, testHub } from '../fleet/hub.ts';
import { DEVICE_ID } from '../support/attempts.ts';
import { aWorld, Daemon, eventually } from '../support/daemon.ts';
import { Till, tillctl } from '../support/till.ts';

async function aHub(): Promise<{ hub: TestHub; url: string }> {
  const hub = await testHub();
  hub.now = Date.now();
  onTestFinished(() => hub.stop());
  await hub.tenant('Bakery');
  return { hub, url: await hub.listen() };
}

it('joins by the code, is seen with its sales at the hub, and goes on so after kill -9', async () => {
  const { hub, url } = await aHub();
  const world = await aWorld();
  let daemon = await Daemon.start(world);
  expect(await words(daemon)).toMatch(/belongs to no fleet/);
  expect(await words(daemon, 'join', url, 'AAAA-BBBB-CCCC')).toMatch(/does not take this code/);
  const keyFile = join(world.folder, 'operator.key');
  const code = await hub.invite('Bakery', 'Berlin 1');
  const joined = await words(daemon, 'join', url, code, '--operator-key', `Anna=${makeOperatorKey(keyFile)}`);
  expect(await words(daemon, 'join', url, code, '--operator-key', 'x'.repeat(43))).toMatch(/NAME=PUBLIC_KEY/);
  expect(joined).toMatch(/^Berlin 1 belongs to the fleet of Bakery\.\n/);

  const till = await Till.at(daemon);
  const first = await pay(till, 1234);
  const attempts = () =>
    hub.database.selectFrom('journal').select(['attempt_id', 'to_state']).orderBy('seq').execute();
  await eventually(async () =>
    (await attempts()).some((row) => row.attempt_id === first && row.to_state === 'succeeded'),
  );
  await eventually(async () => /state +connected\n/.test(await words(daemon, 'status')));

  await askForTheDoctor(hub, keyFile);
  await daemon.kill();
  daemon = await Daemon.start(world);
  const second = await pay(till.moved(daemon), 500);
  await eventually(async () =>
    (await attempts()).some((row) => row.attempt_id === second && row.to_state === 'succeeded'),
  );
  const { state } = await hub.database.selectFrom('agent').select('state').executeTakeFirstOrThrow();
  expect(state).toMatchObject({
    can_sell: true,
    terminals: [{ id: DEVICE_ID, name: 'Counter 1', status: 'ready', in_doubt: false }],
  });

  const command = () => hub.database.selectFrom('command').select(['state', 'details']).executeTakeFirst();
  await eventually(async () => (await command())?.state ?? undefined, 40_000);
  expect(await command()).toMatchObject({ state: 'done', details: expect.stringMatching(/ · | checks$/) });
  expect(await words(daemon, 'status')).toMatch(/doctor +Anna +done/);

  expect(await words(daemon, 'leave')).toMatch(/belongs to no fleet/);
  expect(await words(daemon, 'leave')).toMatch(/belongs to no fleet/);
}, 90_000);

it('sells while its hub is away, and starts with a membership that cannot be read', async () => {
  const { hub, url } = await aHub();
  const world = await aWorld();
  const daemon = await Daemon.start(world);
  await words(daemon, 'join', url, await hub.invite('Bakery', 'Berlin 2'));
  const till = await Till.at(daemon);
  await hub.stop();
  await pay(till, 700);
  await daemon.stop();
  writeFileSync(join(world.folder, 'state/credentials/fleet.json'), '{"hub_url": 3}');
  const again = await Daemon.start(world);
  await pay(till.moved(again), 800);
  await eventually(() => again.log.includes('the membership in the fleet cannot be read'));
}, 60_000);

/** An operator signs a command, and puts it into the hands of the hub. */
async function askForTheDoctor(hub: TestHub, keyFile: string): Promise<void> {
  const { id: agentId, tenant_id } = await hub.database
    .selectFrom('agent')
    .select(['id', 'tenant_id'])
    .executeTakeFirstOrThrow();
  const asked = { agentId, operator: 'Anna', seconds: 3_600, command: { kind: 'doctor' } };
  const envelope = await signCommand(keyFile, asked, hub.now);
  await asTenant(hub.database, tenant_id, (transaction) =>
    sendCommand(transaction, tenant_id, envelope, 'test', hub.now),
  );
}

/** What `tillctl fleet …` writes, whether it did it or was refused. */
async function words(daemon: Daemon, ...args: readonly string[]): Promise<string> {
  const { stdout, stderr } = await tillctl(daemon, 'fleet', ...args);
  return stdout + stderr;
}

/** @returns the id of the paid sale */
async function pay(till: Till, minor: number): Promise<string> {
  const asked = { device_id: DEVICE_ID, amount_minor: minor, currency: 'EUR' };
  const { id } = (await till.ask('POST', '/terminal-payments', asked)).body.data;
  await eventually(
    async () => (await till.ask('GET', `/terminal-payments/${id}`)).body.data.status === 'succeeded',
  );
  return id;
}
