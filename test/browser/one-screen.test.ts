import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aWorld, Daemon } from '../support/daemon.ts';
import { flawsOf } from './axe.ts';
import { openBrowser } from './browser.ts';
import { TONGUES } from './invoice-tour.ts';
import { picture } from './picture.ts';
import { aSandboxShop } from './sandbox-shop.ts';
import { outOfView, SCREENS } from './screens.ts';
import { signedIn } from './shop.ts';
import { charges, lastOutcome, pressed } from './staff.ts';

/** Takes more payments than the list of the last ones shows. */
async function aHistory(browser: Browser, daemon: Daemon): Promise<void> {
  const { page } = await signedIn(browser, daemon);
  for (let no = 1; no <= 9; no += 1) {
    await page.locator('input.amount').fill(`${no}.00`);
    await page.locator('.pad button[type=submit]').click();
    await lastOutcome(page, 'paid');
    await page.getByRole('link', { name: 'New payment' }).click();
  }
}

/** CSS pixels below the fold. */
const belowTheFold = (page: Page) =>
  page.evaluate(() => Math.max(0, document.documentElement.scrollHeight - window.innerHeight));

describe('the till is one screen', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  it('with the terminal, the amount, every key and the button in view, on five screens, in every language', async () => {
    const daemon = await Daemon.start(aSandboxShop({ autopilot: 'approve', autopilot_ms: 100 }));
    await aHistory(browser, daemon);
    for (const { locale } of TONGUES) {
      const { page } = await signedIn(browser, daemon, 'lead', { locale });
      await page.locator('.tile').waitFor();
      for (const size of SCREENS) {
        await page.setViewportSize(size);
        const what = `${locale} ${size.width}x${size.height}`;
        await picture(page, `one screen ${what}`);
        expect(
          await outOfView(page, {
            terminal: page.locator('.tile'),
            amount: page.locator('input.amount'),
            keys: page.locator('.keys button'),
            take: page.locator('.pad button[type=submit]'),
          }),
          what,
        ).toEqual([]);
        expect(await belowTheFold(page), what).toBe(0);
      }
    }
  });

  it('while a card is awaited and after its outcome, with the amount and the button to press next', async () => {
    const world = await aWorld({ autopilot: 'off' });
    const { page } = await signedIn(browser, await Daemon.start(world));
    await page.locator('input.amount').fill('12.34');
    await page.getByRole('button', { name: 'Take €12.34' }).click();
    await lastOutcome(page, 'working');
    await page.getByText('The terminal shows:').waitFor();
    const amount = page.locator('.outcome-amount');
    for (const size of SCREENS) {
      await page.setViewportSize(size);
      const what = `${size.width}x${size.height}`;
      await picture(page, `one screen awaited ${what}`);
      expect(
        await outOfView(page, {
          amount,
          title: page.locator('.outcome h1'),
          terminal: page.locator('.terminal-text'),
          cancel: page.getByRole('button', { name: 'Cancel payment' }),
        }),
        what,
      ).toEqual([]);
      const size64 = await amount.evaluate((element) =>
        Number.parseFloat(getComputedStyle(element).fontSize),
      );
      expect(size64, what).toBeGreaterThanOrEqual(64);
    }
    expect(await flawsOf(page)).toEqual([]);
    await pressed(world, 'approve');
    await lastOutcome(page, 'paid');
    for (const size of SCREENS) {
      await page.setViewportSize(size);
      expect(
        await outOfView(page, { amount, next: page.getByRole('link', { name: 'New payment' }) }),
        `${size.width}x${size.height}`,
      ).toEqual([]);
    }
    expect(charges(world)).toEqual([1234]);
  });
});
