import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aWorld, Daemon, type World } from '../support/daemon.ts';
import { flawsOf } from './axe.ts';
import { openBrowser } from './browser.ts';
import { lineOf } from './line.ts';
import { type Role, signedIn } from './shop.ts';
import { lastOutcome, take } from './staff.ts';

/** A payment whose create the service refuses for good. */
async function withParked(
  browser: Browser,
  role: Role,
): Promise<{ world: World; page: Page; loads: () => number }> {
  const world = await aWorld({ autopilotMs: 100 });
  const daemon = await Daemon.start(world);
  const { page, loads } = await signedIn(browser, daemon, role);
  world.service.control.behave({ status: { times: 1000, only: 'POST /v2/terminal-payments', code: 402 } });
  await take(page, '9.00', 'refused by the service');
  await lastOutcome(page, 'paid');
  await page.getByRole('link', { name: 'Operations' }).click();
  await page.getByRole('link', { name: 'Outbox' }).click();
  await page.locator('article', { hasText: 'The service refused it.' }).first().waitFor({ timeout: 30_000 });
  return { world, page, loads };
}

describe('operations: what the service does not know', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  it('shows how old what waits is while the service is down, and that it has gone when it is back', async () => {
    const world = await aWorld({ autopilotMs: 100 });
    const line = await lineOf(world);
    const daemon = await Daemon.start(world);
    const { page, loads } = await signedIn(browser, daemon, 'lead');
    await line.becomes('refused');
    await take(page, '3.00', 'offline');
    await lastOutcome(page, 'paid');
    await page.getByRole('link', { name: 'Operations' }).click();
    await page.getByRole('link', { name: 'Outbox' }).click();
    const outcome = page.locator('article', { hasText: 'Sale: its outcome' });
    await outcome.getByText('It waits for an earlier report of the same payment').waitFor();
    await page.locator('.figure', { hasText: 'age of the oldest' }).getByText('sec').waitFor();
    expect(await flawsOf(page)).toEqual([]);
    await line.becomes('through');
    await page.getByText('Nothing here.').waitFor({ timeout: 60_000 });
    expect(loads()).toBe(1);
  });

  it('lets ops try a refused report again', async () => {
    const { world, page, loads } = await withParked(browser, 'ops');
    expect(await flawsOf(page)).toEqual([]);
    world.service.control.behaveWell();
    await page.getByRole('button', { name: 'Retry' }).first().click();
    await page.getByText('Nothing here.').waitFor({ timeout: 60_000 });
    expect(loads()).toBe(1);
  });

  it('gives a refused report up only with a reason and a name, and remembers both', async () => {
    const { page } = await withParked(browser, 'ops');
    await page.getByRole('button', { name: 'Discard' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('This cannot be undone.').waitFor();
    expect(await flawsOf(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Discard' }).click();
    expect(await dialog.isVisible()).toBe(true);
    await dialog.getByLabel('Why').fill('entered by hand');
    await dialog.getByLabel('Your name').fill('Ada');
    await dialog.getByRole('button', { name: 'Discard' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByLabel('Show').selectOption('dropped');
    await page
      .getByText(/^Discarded .* by Ada: entered by hand$/)
      .first()
      .waitFor();
  });

  it('shows it to a lead, who may not decide it, neither here nor at the interface', async () => {
    const { page } = await withParked(browser, 'lead');
    await page.getByText('Only a person who is signed in as operations').first().waitFor();
    const id = await page.locator('[data-report]').first().getAttribute('data-report');
    const status = await page.evaluate(async (report) => {
      const headers = {
        'x-tilld-page': String(localStorage.getItem('tilld.proof')),
        'content-type': 'application/json',
      };
      return (await fetch(`/v2/outbox/${report}/drop`, { method: 'POST', headers, body: '{"reason":"x"}' }))
        .status;
    }, id);
    expect(status).toBe(403);
  });
});
