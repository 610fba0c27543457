import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aWorld, Daemon } from '../support/daemon.ts';
import { openBrowser } from './browser.ts';
import { keysOf } from './keys.ts';
import { signedIn } from './shop.ts';
import { lastOutcome, take } from './staff.ts';
import { aDoubt, anUnmappedPackage } from './work-to-do.ts';

/** The focus of a page that was just opened; a page with many fields has more stops. */
const MANY = 60;

const type = (page: Page, text: string) => page.keyboard.type(text, { delay: 150 });

// A sale, a refund and the keys of the till: keyboard, finding-payments.
describe('by keyboard alone', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  it('a doubt is answered', async () => {
    const page = await aDoubt(browser);
    await page.locator('a.skip').focus();
    const keys = keysOf(page);
    await keys.open(/^What is wrong/);
    await page.locator('[data-repair]').first().waitFor();
    await keys.open(/^Answer the question/, MANY);
    await keys.tabTo(/^Yes: the receipt shows exactly this/, MANY);
    await keys.press('Space');
    await keys.tabTo(/^What it shows/);
    await type(page, '0001');
    await keys.tabTo(/^Your name/);
    await type(page, 'Anna');
    await keys.tabTo(/^In your own words/);
    await type(page, 'the journal shows it');
    await keys.open(/^Decide/);
    await lastOutcome(page, 'paid');
  });

  it('the day is closed', async () => {
    const { page } = await signedIn(browser, await Daemon.start(await aWorld()), 'lead');
    await take(page, '12.34', 'order 1');
    await lastOutcome(page, 'paid');
    await page.locator('a.skip').focus();
    const keys = keysOf(page);
    await keys.open(/^Day$/);
    await page.getByRole('button', { name: 'Close the day' }).waitFor();
    await keys.open(/^Close the day$/, MANY);
    await page.getByRole('dialog').waitFor();
    await keys.open(/^Close the day$/);
    await page.getByText('Sums agree', { exact: true }).waitFor();
  });

  it('a product is chosen for a package', async () => {
    const page = await anUnmappedPackage(browser);
    await page.locator('a.skip').focus();
    const keys = keysOf(page);
    await keys.open(/^Operations$/);
    await keys.open(/^Integrations$/, MANY);
    await page.getByRole('link', { name: 'Open provider_b' }).waitFor();
    await keys.open(/^Open provider_b$/, MANY);
    await page.locator('[data-package=gold]').waitFor();
    await keys.open(/^Choose a product/, MANY);
    await keys.tabTo(/^Find a product/);
    await type(page, 'product 12');
    await page.getByRole('dialog').getByRole('button', { name: 'Product 12', exact: true }).waitFor();
    await keys.open(/^Product 12/);
    await page.getByText('Saved: Product 12 (gold).').waitFor();
  });

  it('a refused report is discarded, with its reason', async () => {
    const world = await aWorld({ autopilotMs: 100 });
    const { page } = await signedIn(browser, await Daemon.start(world), 'ops');
    world.service.control.behave({ status: { times: 1000, only: 'POST /v2/terminal-payments', code: 402 } });
    await take(page, '9.00', 'refused by the service');
    await lastOutcome(page, 'paid');
    await page.locator('a.skip').focus();
    const keys = keysOf(page);
    await keys.open(/^Operations$/);
    await keys.open(/^Outbox$/, MANY);
    await page.getByRole('button', { name: 'Discard' }).first().waitFor({ timeout: 30_000 });
    await keys.open(/^Discard/, MANY);
    await page.getByRole('dialog').waitFor();
    await keys.tabTo(/^Why$/);
    await type(page, 'the customer was paid back');
    await keys.tabTo(/^Your name/);
    await type(page, 'Olga');
    await keys.open(/^Discard/);
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await page.getByText('The service refused it.').count()).toBe(0);
  });
});
