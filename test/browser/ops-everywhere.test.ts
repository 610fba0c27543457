import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Daemon } from '../support/daemon.ts';
import { openBrowser } from './browser.ts';
import { fitsEverywhere, goTo } from './every-screen.ts';
import { aSandboxShop } from './sandbox-shop.ts';
import { signedIn } from './shop.ts';

const PLACES = [
  '#/ops',
  '#/ops/outbox',
  '#/ops/people',
  '#/pair',
  '#/ops/integrations',
  '#/ops/integrations/provider_a',
  '#/ops/integrations/provider_b',
  '#/ops/charts',
  '#/ops/log',
  '#/ops/doctor',
  '#/virtual',
];

describe('operations and the virtual terminal on every screen', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  it('fit at 200 % zoom and on a phone in every language, and have no flaw that axe finds, light and dark', async () => {
    const shop = aSandboxShop();
    await shop.export(['1,One']);
    const daemon = await Daemon.start(shop);
    const { page, faults, foreign } = await signedIn(browser, daemon, 'ops');
    await fitsEverywhere(page, PLACES);
    expect({ faults, foreign }).toEqual({ faults: [], foreign: [] });
  });

  it('are walked through by keyboard alone', async () => {
    const daemon = await Daemon.start(aSandboxShop());
    const { page } = await signedIn(browser, daemon, 'ops');
    await goTo(page, '#/ops');
    await page.getByRole('link', { name: 'Doctor' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Doctor' }).waitFor();
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Examine');
    await page.keyboard.press('Enter');
    await page.locator('[data-check=journal-chain]').waitFor({ state: 'attached', timeout: 60_000 });
    await goTo(page, '#/virtual');
    await page.getByRole('button', { name: 'Kill the power' }).click();
    await page.getByRole('button', { name: 'Put another terminal in its place' }).click();
    await page.getByRole('button', { name: 'Switch it on' }).click();
    await goTo(page, '#/ops/overview');
    await page.getByRole('button', { name: 'Adopt the terminal' }).waitFor({ timeout: 60_000 });
    await page.getByRole('button', { name: 'Adopt the terminal' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Adopt the terminal');
  });
});
