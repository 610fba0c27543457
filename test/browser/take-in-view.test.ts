import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aBilledShop, numberOf } from './billed-shop.ts';
import { openBrowser } from './browser.ts';
import { TONGUES } from './invoice-tour.ts';
import { picture } from './picture.ts';
import { signedIn } from './shop.ts';

/** Screens of tills. */
const SCREENS = [
  { width: 1366, height: 860 },
  { width: 1366, height: 768 },
  { width: 1024, height: 768 },
];
/** The longest text is that of an amount above what is due. */
const AMOUNTS = [
  ['part', '500.00'],
  ['over', '5000.00'],
] as const;

/** Whole pixels of the button that are outside of the window. */
async function outOfView(page: Page): Promise<number> {
  const box = await page.locator('.pad button[type=submit]').boundingBox();
  const height = page.viewportSize()?.height ?? 0;
  expect(await page.evaluate(() => window.scrollY)).toBe(0);
  return box ? Math.ceil(Math.max(0, box.y + box.height - height, -box.y)) : Number.POSITIVE_INFINITY;
}

/** The screens on which it is cut, with by how much. */
async function cutOn(page: Page, view: string): Promise<readonly string[]> {
  const cut: string[] = [];
  for (const size of SCREENS) {
    await page.setViewportSize(size);
    const what = `${view}-${size.width}x${size.height}`;
    const beyond = await outOfView(page);
    if (beyond > 0) cut.push(`${what}: ${beyond} px`);
    await picture(page, `take ${what}`);
  }
  return cut;
}

describe('the button that takes the payment', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  it('is seen without scrolling, with an invoice and with a part of it, in every language', async () => {
    const { daemon } = await aBilledShop(['invoices']);
    const cut: string[] = [];
    for (const { locale, words } of TONGUES) {
      const { page } = await signedIn(browser, daemon, 'staff', { locale });
      await page.locator('input.amount').waitFor();
      cut.push(...(await cutOn(page, `${locale}-none`)));
      await page.getByRole('button', { name: words.invoice_pick }).click();
      await page.getByRole('searchbox').fill(numberOf(10));
      await page.keyboard.press('Enter');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      cut.push(...(await cutOn(page, `${locale}-whole`)));
      for (const [name, amount] of AMOUNTS) {
        await page.locator('input.amount').fill(amount);
        cut.push(...(await cutOn(page, `${locale}-${name}`)));
      }
    }
    expect(cut).toEqual([]);
  });
});
