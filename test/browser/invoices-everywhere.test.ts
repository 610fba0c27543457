import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { flawsOf } from './axe.ts';
import { aBilledShop } from './billed-shop.ts';
import { openBrowser, setColours } from './browser.ts';
import { invoiceTour, TONGUES, TOUR_LISTS } from './invoice-tour.ts';
import { picture } from './picture.ts';
import { type Language, wrongWordsIn } from './right-words.ts';
import { signedIn } from './shop.ts';

const WIDTHS = [360, 640, 1280];

/** Elements of the page that are wider than their place; CSS pixels. */
const overhang = (page: Page) =>
  page.evaluate(() =>
    [document.documentElement, ...document.querySelectorAll('dialog')].map(
      (element) => element.scrollWidth - element.clientWidth,
    ),
  );

describe('invoices and customers on every screen', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  it('fit, in every language, light and dark, without a flaw that axe finds', async () => {
    const { daemon } = await aBilledShop(TOUR_LISTS);
    for (const { locale, words } of TONGUES) {
      const { page, faults } = await signedIn(browser, daemon, 'staff', { locale });
      const language = locale.slice(0, 2) as Language;
      await invoiceTour(page, words, async (view) => {
        for (const width of WIDTHS) {
          await page.setViewportSize({ width, height: 800 });
          expect(Math.max(...(await overhang(page))), `${locale} ${view} ${width}`).toBe(0);
        }
        for (const colorScheme of ['dark', 'light'] as const) {
          await setColours(page, colorScheme);
          expect(await flawsOf(page), `${locale} ${view} ${colorScheme}`).toEqual([]);
          await picture(page, `invoices ${view} ${language} ${colorScheme}`);
        }
        expect(await page.locator('main').textContent(), `${locale} ${view}`).not.toMatch(/\{\w+\}/);
        expect(await wrongWordsIn(page, language, view)).toEqual([]);
      });
      expect(faults).toEqual([]);
    }
  }, 600_000);
});
