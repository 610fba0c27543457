import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { Daemon } from '../support/daemon.ts';
import { openBrowser, setColours } from './browser.ts';
import { PICTURES, picture } from './picture.ts';
import { aSandboxShop } from './sandbox-shop.ts';
import { signedIn } from './shop.ts';

const WIDTHS = { phone: [390, 844], tablet: [820, 1180], desktop: [1366, 860] } as const;
const PLACES = [
  'ops',
  'ops/outbox',
  'ops/integrations/provider_b',
  'ops/charts',
  'ops/log',
  'ops/doctor',
  'virtual',
];

describe.runIf(PICTURES !== undefined)('pictures of operations and the virtual terminal', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  it('shows every view once', async () => {
    const shop = aSandboxShop({ autopilot: 'approve', autopilot_ms: 200 });
    await shop.export([...Array.from({ length: 40 }, (_, n) => `${n + 1},Customer ${n + 1}`), ',nobody']);
    const { page } = await signedIn(browser, await Daemon.start(shop), 'ops');
    await page.goto(`${page.url().split('#')[0]}#/ops/integrations/provider_b`);
    await page.getByRole('button', { name: 'Switch on' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Switch on' }).click();
    await page.getByRole('link', { name: 'Doctor' }).click();
    await page.getByRole('button', { name: 'Examine' }).click();
    await page.locator('[data-check=journal-chain]').waitFor({ state: 'attached', timeout: 60_000 });
    await page.getByRole('link', { name: 'Virtual terminal' }).click();
    for (let payment = 1; payment <= 4; payment += 1) {
      await page.getByRole('button', { name: 'Take €12.50' }).click();
      await page
        .locator('.ledger li')
        .nth(payment - 1)
        .waitFor();
      await page.getByText('Counter 1: Ready').waitFor();
    }
    for (const place of PLACES) {
      await page.goto(`${page.url().split('#')[0]}#/${place}`);
      await page.locator('main h1').first().waitFor({ state: 'attached' });
      await page.waitForTimeout(1_500);
      for (const [width, [w, h]] of Object.entries(WIDTHS)) {
        await page.setViewportSize({ width: w, height: h });
        for (const colorScheme of ['light', 'dark'] as const) {
          await setColours(page, colorScheme);
          await picture(page, `${place}-${width}-${colorScheme}`, true);
        }
      }
    }
  });
});
