import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aWorld, Daemon } from '../support/daemon.ts';
import { flawsOf } from './axe.ts';
import { openBrowser } from './browser.ts';
import { signedIn } from './shop.ts';
import { lastOutcome, take } from './staff.ts';

/** How many CSS pixels the page is wider than its window. */
const overhang = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

describe('the pages on every screen', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  it('fit at 200 % zoom and on a phone, in every language, light and dark, without a flaw that axe finds', async () => {
    const world = await aWorld({ autopilotMs: 100 });
    const daemon = await Daemon.start(world);
    const { page, faults, foreign } = await signedIn(browser, daemon, 'lead');
    await take(page, '1234.56', 'a rather long reference of an order');
    await lastOutcome(page, 'paid');
    const payment = new URL(page.url()).hash;
    for (const language of ['en', 'de', 'fr']) {
      await page.locator('.menu summary').click();
      await page.locator('.menu select').first().selectOption(language);
      await page.locator('.menu summary').click();
      for (const [width, height] of [
        [640, 400],
        [360, 740],
      ] as const) {
        await page.setViewportSize({ width, height });
        for (const place of [payment, '#/till', '#/till/history', '#/till/tasks']) {
          await page.evaluate((hash) => {
            location.hash = hash;
          }, place);
          await page.locator('main h1').first().waitFor({ state: 'attached' });
          expect(await overhang(page), `${language} ${width} ${place}`).toBe(0);
        }
      }
    }
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme });
      for (const place of [payment, '#/till', '#/till/history', '#/till/tasks']) {
        await page.evaluate((hash) => {
          location.hash = hash;
        }, place);
        await page.locator('main h1').first().waitFor({ state: 'attached' });
        expect(await flawsOf(page), `${colorScheme} ${place}`).toEqual([]);
      }
    }
    expect({ faults, foreign }).toEqual({ faults: [], foreign: [] });
  });

  it('run nothing that the policy does not let through, and are in nobody’s frame', async () => {
    const daemon = await Daemon.start(await aWorld());
    const { page } = await signedIn(browser, daemon);
    const answer = await page.request.get(`${daemon.url}/`);
    const policy = answer.headers()['content-security-policy'] ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe-|\*|https?:/);
    const ran = await page.evaluate(() => {
      const script = document.createElement('script');
      script.textContent = 'document.documentElement.dataset.evil = "yes"';
      document.body.append(script);
      return document.documentElement.dataset['evil'] ?? 'no';
    });
    expect(ran).toBe('no');
  });
});
