import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { flawsOf } from './axe.ts';
import { openBrowser, setColours } from './browser.ts';
import { anOffice, everyButton, settled } from './office.ts';
import { picture } from './picture.ts';
import { speak } from './right-words.ts';
import { overhang, SCREENS } from './screens.ts';

/** Looked at by axe. */
const DESKTOP = SCREENS[0];
const PHONE = SCREENS[4];

/** What is wrong with the view as it stands: wider than a screen in the longest language, or a flaw that axe finds in one of both themes. */
async function misfits(page: Page, what: string): Promise<readonly string[]> {
  const found: string[] = [];
  await speak(page, 'de');
  for (const size of SCREENS) {
    await page.setViewportSize(size);
    for (const wide of await overhang(page)) found.push(`${what} ${size.width}x${size.height}: ${wide}`);
  }
  for (const [size, colorScheme] of [
    [PHONE, 'light'],
    [DESKTOP, 'light'],
    [DESKTOP, 'dark'],
  ] as const) {
    await page.setViewportSize(size);
    await setColours(page, colorScheme);
    for (const flaw of await flawsOf(page)) found.push(`${what} ${size.width} ${colorScheme}: ${flaw}`);
    await picture(page, `office ${what} ${size.width} ${colorScheme}`);
  }
  await setColours(page, 'light');
  await speak(page, 'en');
  return found;
}

/** Walks with Tab through the whole page, no further: Firefox goes on to its own bars and keeps the focus there. @returns what a mouse reaches and Tab does not */
async function notByTab(page: Page, what: string): Promise<readonly string[]> {
  await page.evaluate(() => {
    const reached = new Set<Element>();
    Object.assign(window, { reached });
    document.addEventListener('focusin', ({ target }) => target instanceof Element && reached.add(target));
  });
  // From the first link on: from nowhere Firefox begins at its own bars.
  await page.locator('a.skip').focus();
  const count = await page.locator(BY_TAB).count();
  let missed = await notReached(page);
  for (let press = 0; press <= count && missed.length > 0; press += 1) {
    await page.keyboard.press('Tab');
    missed = await notReached(page);
  }
  return missed.map((element) => `${what}: Tab does not reach ${element}`);
}

const BY_TAB = 'a[href], button, input, select, textarea, summary, [tabindex="0"]';

async function notReached(page: Page): Promise<readonly string[]> {
  return await page.evaluate((byTab) => {
    const { reached } = window as unknown as { reached: ReadonlySet<Element> };
    const isThere = (element: Element) =>
      element.checkVisibility({ visibilityProperty: true }) &&
      !element.closest('details:not([open]) > :not(summary)');
    return [...document.querySelectorAll(byTab)]
      .filter((element) => isThere(element) && !element.matches(':disabled, [type=radio], [tabindex="-1"]'))
      .filter((element) => !reached.has(element))
      .map((element) => element.outerHTML.slice(0, 120));
  }, BY_TAB);
}

describe('every place of till and office on every screen', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  it('fits five sizes, light and dark, without a flaw that axe finds, and its dialogs, too; Tab reaches everything', async () => {
    const { page, places, faults, foreign } = await anOffice(browser);
    const found: string[] = [];
    for (const place of places) {
      await settled(page, place);
      found.push(...(await misfits(page, place)));
      found.push(...(await notByTab(page, place)));
      await everyButton(page, place, async (what) => {
        found.push(...(await misfits(page, what)));
      });
    }
    expect(found).toEqual([]);
    expect({ faults, foreign }).toEqual({ faults: [], foreign: [] });
  }, 900_000);
});
