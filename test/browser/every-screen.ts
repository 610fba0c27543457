import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { flawsOf } from './axe.ts';
import { setColours } from './browser.ts';

/** 200 % zoom of a small window, and a phone; CSS pixels. */
const NARROW = [
  [640, 400],
  [360, 740],
] as const;

/** How many CSS pixels the page is wider than its window. */
const overhang = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** Opens a place of the pages without a reload: `#/till/history`. */
export async function goTo(page: Page, place: string): Promise<void> {
  await page.evaluate((hash) => {
    location.hash = hash;
  }, place);
  await page.locator('main h1').first().waitFor({ state: 'attached' });
}

/** Fails where a place is wider than a narrow window, in any language, or axe finds a flaw in one of both themes. */
export async function fitsEverywhere(page: Page, places: readonly string[]): Promise<void> {
  for (const language of ['en', 'de', 'fr']) {
    await page.locator('.menu summary').click();
    await page.locator('.menu select').first().selectOption(language);
    await page.locator('.menu summary').click();
    for (const [width, height] of NARROW) {
      await page.setViewportSize({ width, height });
      for (const place of places) {
        await goTo(page, place);
        expect(await overhang(page), `${language} ${width} ${place}`).toBe(0);
      }
    }
  }
  for (const colorScheme of ['dark', 'light'] as const) {
    await setColours(page, colorScheme);
    for (const place of places) {
      await goTo(page, place);
      expect(await flawsOf(page), `${colorScheme} ${place}`).toEqual([]);
    }
  }
}
