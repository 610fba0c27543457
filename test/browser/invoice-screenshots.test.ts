import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { aBilledShop } from './billed-shop.ts';
import { openBrowser } from './browser.ts';
import { invoiceTour, TONGUES, TOUR_LISTS } from './invoice-tour.ts';
import { signedIn } from './shop.ts';

const FOLDER = process.env['SCREENSHOTS'];
const LOOKS = [
  { name: 'phone-dark', size: { width: 390, height: 844 }, colorScheme: 'dark' },
  { name: 'desktop-light', size: { width: 1366, height: 860 }, colorScheme: 'light' },
] as const;

/** Pictures for people to look at: `SCREENSHOTS=folder npm run test:browser -- invoice-screenshots`. */
describe.runIf(FOLDER !== undefined)('pictures of invoices and customers', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
    mkdirSync(String(FOLDER), { recursive: true });
  });
  afterAll(() => browser.close());

  it('shows every view in every language', async () => {
    const { daemon } = await aBilledShop(TOUR_LISTS);
    for (const { locale, words } of TONGUES) {
      const { page } = await signedIn(browser, daemon, 'staff', { locale });
      await invoiceTour(page, words, async (view) => {
        for (const { name, size, colorScheme } of LOOKS) {
          await page.setViewportSize(size);
          await page.emulateMedia({ colorScheme });
          const path = join(String(FOLDER), `${view}-${locale.slice(0, 2)}-${name}.png`);
          await page.screenshot({ path, animations: 'disabled' });
        }
      });
    }
  });
});
