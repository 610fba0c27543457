import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aWorld, Daemon } from '../support/daemon.ts';
import { flawsOf } from './axe.ts';
import { openBrowser } from './browser.ts';
import { lineOf } from './line.ts';
import { signedIn } from './shop.ts';

describe('operations: what can sell and report', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  it('shows who each terminal is, that it was unplugged, and that it is back', async () => {
    const world = await aWorld({}, { heartbeat_ms: 1000 });
    const daemon = await Daemon.start(world);
    const { page, loads, faults, foreign } = await signedIn(browser, daemon, 'ops');
    await page.getByRole('link', { name: 'Operations' }).click();
    const terminal = page.locator('article', { has: page.getByRole('heading', { name: 'Counter 1' }) });
    await terminal.getByText('Ready', { exact: true }).waitFor();
    await terminal.getByText('52500038').waitFor();
    await page.locator('[data-light=can_sell]').getByText('At least one terminal').waitFor();
    expect(await flawsOf(page)).toEqual([]);
    world.terminal.setPower(false);
    await terminal.getByText('Not connected', { exact: true }).waitFor();
    await page.locator('[data-light=can_sell]').getByText('Cannot sell', { exact: true }).waitFor();
    await page.getByRole('heading', { name: 'What is wrong' }).waitFor();
    expect(await flawsOf(page)).toEqual([]);
    world.terminal.setPower(true);
    await page
      .locator('[data-light=can_sell]')
      .getByText('At least one terminal')
      .waitFor({ timeout: 60_000 });
    expect({ loads: loads(), faults, foreign }).toEqual({ loads: 1, faults: [], foreign: [] });
  });

  it('shows when a terminal was connected, and how its payments went', async () => {
    const world = await aWorld({}, { heartbeat_ms: 1000 });
    const daemon = await Daemon.start(world);
    const { page, faults } = await signedIn(browser, daemon, 'lead');
    await page.getByRole('link', { name: 'Operations' }).click();
    await page.getByRole('link', { name: 'Counter 1' }).click();
    const week = page.getByRole('region', { name: 'The last 7 days' });
    await week.getByText('that are known').waitFor();
    const availability = page.getByRole('region', { name: 'Availability' });
    await availability.locator('[data-connection=connected]').getByText('since').waitFor();
    world.terminal.setPower(false);
    await page.getByText('Not connected', { exact: true }).first().waitFor();
    await availability.locator('[data-connection=not_connected]').waitFor({ timeout: 30_000 });
    expect(await availability.locator('li').count()).toBe(2);
    expect(await flawsOf(page)).toEqual([]);
    await page.getByRole('link', { name: 'Overview' }).first().click();
    await page.locator('[data-light=can_sell]').waitFor();
    expect(faults).toEqual([]);
  });

  it('says why the service cannot be reached and what to do, and when it is back', async () => {
    const world = await aWorld();
    const line = await lineOf(world);
    const daemon = await Daemon.start(world);
    const { page, loads } = await signedIn(browser, daemon, 'ops');
    await page.getByRole('link', { name: 'Operations' }).click();
    await page.getByText('The service answers.').waitFor();
    await line.becomes('refused');
    await page.getByText('The service is reached but does not work.').waitFor();
    await page.getByText('tilld keeps trying').waitFor();
    expect(await flawsOf(page)).toEqual([]);
    await line.becomes('key');
    await page.getByText('refuses the key of this agent').waitFor({ timeout: 60_000 });
    await page.getByText('Create a new key at the service').waitFor();
    await line.becomes('through');
    await page.getByText('The service answers.').waitFor({ timeout: 60_000 });
    expect(loads()).toBe(1);
  });

  it('adopts a terminal only for ops, only with a name, and only where another one answers', async () => {
    const world = await aWorld({}, { heartbeat_ms: 1000 });
    const daemon = await Daemon.start(world);
    const { page } = await signedIn(browser, daemon, 'ops');
    await page.getByRole('link', { name: 'Operations' }).click();
    const terminal = page.locator('article', { has: page.getByRole('heading', { name: 'Counter 1' }) });
    await terminal.getByText('Ready', { exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'Adopt the terminal' }).count()).toBe(0);
    world.terminal.setPower(false);
    world.terminal.exchange();
    world.terminal.setPower(true);
    await page.getByRole('button', { name: 'Adopt the terminal' }).click({ timeout: 60_000 });
    const dialog = page.getByRole('dialog');
    await dialog.getByText('serial number 17F00001').waitFor();
    expect(await flawsOf(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Adopt the terminal' }).click();
    expect(await dialog.isVisible()).toBe(true);
    await dialog.getByLabel('Your name').fill('Ada');
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await terminal.getByText('Ready', { exact: true }).waitFor({ timeout: 60_000 });
  });

  it('shows a lead what is wrong and nothing that only ops may do, and staff nothing of it', async () => {
    const daemon = await Daemon.start(await aWorld());
    const { page: lead } = await signedIn(browser, daemon, 'lead');
    await lead.getByRole('link', { name: 'Operations' }).click();
    await lead.getByRole('heading', { name: 'Counter 1' }).waitFor();
    expect(await lead.getByRole('button', { name: 'Adopt the terminal' }).count()).toBe(0);
    expect(await lead.getByRole('link', { name: 'Log' }).count()).toBe(0);
    const refused = await lead.evaluate(async () => {
      const headers = { 'x-tilld-page': String(localStorage.getItem('tilld.proof')) };
      const paths = ['/v2/log', '/v2/metrics/series', '/v2/doctor', '/v2/integrations'];
      return await Promise.all(paths.map(async (path) => (await fetch(path, { headers })).status));
    });
    expect(refused).toEqual([403, 403, 403, 403]);
    const { page: staff } = await signedIn(browser, daemon, 'staff');
    await staff.getByRole('link', { name: 'Till' }).waitFor();
    expect(await staff.getByRole('link', { name: 'Operations' }).count()).toBe(0);
  });

  it('finds tilld again after it was killed and started, on the page that was open', async () => {
    const world = await aWorld();
    const daemon = await Daemon.start(world);
    const { page, loads } = await signedIn(browser, daemon, 'ops');
    await page.getByRole('link', { name: 'Operations' }).click();
    await page.getByRole('link', { name: 'Outbox' }).click();
    await page.getByText('Nothing here.').waitFor();
    await daemon.kill();
    await page.getByText('tilld does not answer. What is shown may be old.').waitFor();
    expect(await flawsOf(page)).toEqual([]);
    await Daemon.start(world, Number(new URL(daemon.url).port));
    await page.getByText('tilld does not answer.').waitFor({ state: 'detached', timeout: 60_000 });
    await page.getByText('Nothing here.').waitFor();
    expect(loads()).toBe(1);
  });
});
