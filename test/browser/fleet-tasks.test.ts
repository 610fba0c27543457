import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { sendCommand } from '../../src/hub/commands/send.ts';
import { makeOperatorKey, signCommand } from '../../src/hub/commands/sign.ts';
import { asTenant } from '../../src/hub/database/connect.ts';
import { testHub } from '../fleet/hub.ts';
import { DEVICE_ID } from '../support/attempts.ts';
import { aWorld, Daemon, eventually } from '../support/daemon.ts';
import { tillctl } from '../support/till.ts';
import { flawsOf } from './axe.ts';
import { openBrowser } from './browser.ts';
import { signedIn } from './shop.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

it('what an operator of the fleet asks for is shown under To do, and declined there with a reason', async () => {
  const hub = await testHub();
  hub.now = Date.now();
  onTestFinished(() => hub.stop());
  await hub.tenant('Bakery');
  const world = await aWorld();
  const keyFile = join(world.folder, 'operator.key');
  let daemon = await Daemon.start(world);
  const invitation = [await hub.listen(), await hub.invite('Bakery', 'Berlin 1')];
  const key = `Anna=${makeOperatorKey(keyFile)}`;
  await tillctl(daemon, 'fleet', 'join', ...invitation, '--operator-key', key);
  const { id: agentId, tenant_id: tenant } = await hub.database
    .selectFrom('agent')
    .select(['id', 'tenant_id'])
    .executeTakeFirstOrThrow();
  const command = { kind: 'end_of_day', device_id: DEVICE_ID, reason: 'the batch is three days old' };
  const envelope = await signCommand(
    keyFile,
    { agentId, operator: 'Anna', seconds: 3_600, command },
    hub.now,
  );
  await asTenant(hub.database, tenant, (transaction) =>
    sendCommand(transaction, tenant, envelope, 'test', hub.now),
  );
  const stateOf = async () =>
    (await hub.database.selectFrom('command').select('state').executeTakeFirst())?.state;
  await daemon.kill();
  daemon = await Daemon.start(world);
  await eventually(async () => (await stateOf()) === 'needs_person', 60_000);

  const { page, faults } = await signedIn(browser, daemon, 'lead');
  await page.getByRole('link', { name: 'To do (1)' }).click();
  const task = page.locator('[data-task=fleet_end_of_day]');
  await task
    .locator('.task-words')
    .getByText(/^Anna, an operator of your fleet, .*three days old/)
    .waitFor();
  await task.getByText('This request has charged no customer.', { exact: true }).waitFor();
  expect(await flawsOf(page)).toEqual([]);
  await task.getByRole('button', { name: 'Close the day' }).waitFor();
  await task.getByRole('button', { name: 'Decline …' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('The reason, which the operator gets').fill('we count the drawer first');
  await dialog.getByLabel('Your name').fill('Maria');
  expect(await flawsOf(page)).toEqual([]);
  await page.keyboard.press('Enter');
  await page.getByText('Nothing to do. Well done.').waitFor();
  expect(faults).toEqual([]);
}, 180_000);
