import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { sendCommand } from '../../src/hub/commands/send.ts';
import { makeOperatorKey, signCommand } from '../../src/hub/commands/sign.ts';
import { asTenant } from '../../src/hub/database/connect.ts';
import { type TestHub, testHub } from '../fleet/hub.ts';
import { DEVICE_ID } from '../support/attempts.ts';
import { aWorld, Daemon, eventually } from '../support/daemon.ts';
import { statusOf, Till, tillctl } from '../support/till.ts';

const NOBODYS = '0199c0de-0000-7000-8000-0000000000ff';

it('is asked for by an operator, waits in the shop, is done by a person there, and the hub has the name', async () => {
  const hub = await testHub();
  hub.now = Date.now();
  onTestFinished(() => hub.stop());
  await hub.tenant('Bakery');
  const url = await hub.listen();
  const world = await aWorld();
  const keyFile = join(world.folder, 'operator.key');
  let daemon = await Daemon.start(world);
  const key = `Anna=${makeOperatorKey(keyFile)}`;
  await tillctl(daemon, 'fleet', 'join', url, await hub.invite('Bakery', 'Berlin 1'), '--operator-key', key);
  const ask = (command: unknown) => asked(hub, keyFile, command);
  const close = await ask({
    kind: 'end_of_day',
    device_id: DEVICE_ID,
    reason: 'the batch is three days old',
  });
  const adopt = await ask({ kind: 'adopt', device_id: DEVICE_ID });
  const resolve = await ask({ kind: 'resolve', payment_id: NOBODYS });
  await eventually(async () => (await statusOf(daemon)).terminals[0].status === 'ready');

  // The first exchange of a process comes at once.
  await daemon.kill();
  daemon = await Daemon.start(world);
  await eventually(async () => (await outcomes(hub)).every(({ state }) => state !== null), 30_000);
  expect(Object.fromEntries((await outcomes(hub)).map(({ id, state }) => [id, state]))).toEqual({
    [close]: 'needs_person',
    [adopt]: 'not_needed',
    [resolve]: 'failed',
  });
  const operator = await hub.operator('Bakery', 'viewer');
  expect((await operator.ask('GET', '/v1/tasks?shop=Berlin 1')).body.data).toMatchObject([
    {
      id: close,
      shop: 'Berlin 1',
      kind: 'end_of_day',
      operator: 'Anna',
      reason: 'the batch is three days old',
    },
  ]);

  await daemon.kill();
  daemon = await Daemon.start(world);
  const { data } = JSON.parse((await tillctl(daemon, 'tasks', '--json')).stdout);
  expect(data).toMatchObject([
    {
      ...{ id: close, kind: 'fleet_end_of_day', device_id: DEVICE_ID, done: null },
      asked: { operator: 'Anna', command: 'end_of_day', role: 'lead', begun_by: null },
      message: expect.stringMatching(/^Anna, .* three days old”\. This request has charged no customer\. /),
    },
  ]);
  expect((await tillctl(daemon, 'tasks')).stdout).toMatch(`tillctl task-perform ${close} --by NAME, or: `);

  // No key, no one without a name, and no word that it is done.
  const till = await Till.at(daemon);
  const byTill = await till.ask('POST', `/terminal-tasks/${close}/perform`, { by: 'Maria' });
  expect(byTill.body.error.code).toBe('internal_only');
  expect((await tillctl(daemon, 'task-done', close, '--by', 'Maria', '--note', 'x')).stderr).toMatch(
    /decline/,
  );
  await tillctl(daemon, 'people', 'add', 'Someone Else', '--role', 'ops');
  const unnamed = await tillctl(daemon, 'task-perform', close, '--by', 'Maria');
  expect([unnamed.code, unnamed.stderr]).toEqual([1, expect.stringMatching(/needs a named person/)]);
  expect(await settlements(till)).toEqual([]);

  const { username } = (await import('node:os')).userInfo();
  await tillctl(daemon, 'people', 'add', 'Maria', '--role', 'ops', '--user', username);
  expect((await tillctl(daemon, 'task-perform', close, '--by', 'anyone')).code).toBe(0);
  await eventually(async () => (await settlements(till)).includes('succeeded'), 30_000);
  expect((await tillctl(daemon, 'tasks')).stdout).toMatch(/nothing to do/);
  const again = await tillctl(daemon, 'task-decline', close, '--by', 'Maria', '--reason', 'late');
  expect(again.stderr).toMatch(/ended/);
  expect((await tillctl(daemon, 'people', 'audit')).stdout).toMatch(/task_confirmed .*Maria/);

  await daemon.kill();
  const kept = JSON.parse(readFileSync(join(world.folder, 'state/credentials/fleet.json'), 'utf8'));
  expect(kept.commands).toHaveLength(3);
  daemon = await Daemon.start(world);
  await eventually(
    async () => (await outcomes(hub)).find(({ id }) => id === close)?.state === 'done',
    30_000,
  );
  const { body } = await operator.ask('GET', '/v1/commands');
  expect(body.data.find(({ id }: { id: string }) => id === close)).toMatchObject({
    ...{ state: 'done', decided_by: 'Maria', decided_at: expect.any(Number) },
    details: 'the day of the terminal is closed',
  });
  expect((await operator.ask('GET', '/v1/tasks')).body.data).toEqual([]);
  expect((await tillctl(daemon, 'fleet', 'status')).stdout).toMatch(/end_of_day +Anna +done by Maria/);
}, 180_000);

async function settlements(till: Till): Promise<readonly string[]> {
  const { body } = await till.ask('GET', `/terminal-devices/${DEVICE_ID}/settlements`);
  return body.data.map(({ status }: { status: string }) => status);
}

const outcomes = (hub: TestHub) => hub.database.selectFrom('command').select(['id', 'state']).execute();

/** An operator signs a command for the one agent of the hub, and puts it into its hands. @returns its id */
async function asked(hub: TestHub, keyFile: string, command: unknown): Promise<string> {
  const { id: agentId, tenant_id: tenant } = await hub.database
    .selectFrom('agent')
    .select(['id', 'tenant_id'])
    .executeTakeFirstOrThrow();
  const envelope = await signCommand(
    keyFile,
    { agentId, operator: 'Anna', seconds: 3_600, command },
    hub.now,
  );
  const sent = await asTenant(hub.database, tenant, (transaction) =>
    sendCommand(transaction, tenant, envelope, 'test', hub.now),
  );
  return sent.id;
}
