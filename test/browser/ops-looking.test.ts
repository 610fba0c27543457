import type { Browser, Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aWorld, Daemon } from '../support/daemon.ts';
import { flawsOf } from './axe.ts';
import { chooseColours, openBrowser, setColours } from './browser.ts';
import { signedIn } from './shop.ts';
import { lastOutcome, take } from './staff.ts';

/** The colours that are drawn, as `red,green,blue`. */
async function inkOf(chart: Locator): Promise<readonly string[]> {
  return chart.locator('canvas').evaluate((canvas: HTMLCanvasElement) => {
    const { data = [] } = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height) ?? {};
    const drawn = new Set<string>();
    for (let at = 0; at < data.length; at += 4)
      if (data[at + 3] === 255) drawn.add(`${data[at]},${data[at + 1]},${data[at + 2]}`);
    return [...drawn];
  });
}

describe('operations: looking', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  it('draws payments and how long they took, and says the same as a table', async () => {
    const daemon = await Daemon.start(await aWorld({ autopilotMs: 100 }));
    const { page, faults } = await signedIn(browser, daemon, 'ops');
    await take(page, '4.00', 'one');
    await lastOutcome(page, 'paid');
    await page.goto(`${daemon.url}/#/ops/charts`);
    const chart = page.getByRole('figure', { name: 'Payments' });
    await chart.getByText('charged 1', { exact: true }).waitFor();
    await chart.getByText('As a table').click();
    await chart.getByRole('cell', { name: '1', exact: true }).waitFor();
    await chart.locator('.u-over').hover();
    await chart.getByText('charged 0', { exact: true }).waitFor();
    await page.mouse.move(0, 0);
    await chart.getByText('charged 1', { exact: true }).waitFor();
    expect(await inkOf(chart)).toContain('11,107,58');
    await setColours(page, 'dark');
    await expect.poll(() => inkOf(chart)).toContain('111,220,157');
    await chooseColours(page, 'light');
    await expect.poll(() => inkOf(chart)).toContain('11,107,58');
    await chooseColours(page, 'dark');
    await expect.poll(() => inkOf(chart)).toContain('111,220,157');
    await page.getByRole('button', { name: '7 days' }).click();
    await chart.getByText('charged 1', { exact: true }).waitFor();
    expect(await flawsOf(page)).toEqual([]);
    expect(faults).toEqual([]);
  });

  it('follows the log of tilld, finds words in it, and goes on after a restart', async () => {
    const world = await aWorld();
    const daemon = await Daemon.start(world);
    const { page, loads } = await signedIn(browser, daemon, 'ops');
    await page.goto(`${daemon.url}/#/ops/log`);
    const log = page.getByRole('list', { name: 'Log' });
    await log.getByText('terminal connected').waitFor();
    await page.getByLabel('Contains').fill('listening');
    await log.getByText('terminal connected').waitFor({ state: 'detached' });
    await log.getByText('listening').waitFor();
    expect(await flawsOf(page)).toEqual([]);
    const before = loads();
    await daemon.kill();
    await Daemon.start(world, Number(new URL(daemon.url).port));
    await expect.poll(() => log.getByText('listening').count(), { timeout: 60_000 }).toBe(2);
    await page.getByLabel('Contains').fill('');
    await page.getByLabel('At least').selectOption('error');
    await log.getByText('listening').first().waitFor({ state: 'detached' });
    expect(loads()).toBe(before);
  });

  it('examines everything from the page, and names what mends it', async () => {
    const world = await aWorld();
    const daemon = await Daemon.start(world);
    const { page } = await signedIn(browser, daemon, 'ops');
    await page.goto(`${daemon.url}/#/ops/doctor`);
    await page.getByText('Not examined since tilld was started.').waitFor();
    await page.getByRole('button', { name: 'Examine' }).click();
    await page.getByText('Checks that are fine').click({ timeout: 60_000 });
    await page.locator('[data-check=journal-chain]').waitFor();
    await page.locator('[data-check=database-pages]').waitFor();
    expect(await flawsOf(page)).toEqual([]);
  });
});
