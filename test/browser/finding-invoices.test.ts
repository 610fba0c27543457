import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { flawsOf } from './axe.ts';
import { aBilledShop, CUSTOMER, dueOf, numberOf } from './billed-shop.ts';
import { openBrowser } from './browser.ts';
import { signedIn } from './shop.ts';
import { charges, lastOutcome } from './staff.ts';

const LISTS = ['invoices', 'customers'];
const DRAFT = 80;
const VOID = 79;

const dialogOf = (page: Page) => page.getByRole('dialog');
const rowsOf = (page: Page) =>
  dialogOf(page).getByRole('list', { name: 'Open invoices' }).getByRole('button');

async function opened(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Pick an invoice' }).click();
  await dialogOf(page)
    .getByText(/^As of/)
    .waitFor();
}

/** As a scanner does: every key at once, and Enter behind them. */
async function scanned(page: Page, text: string): Promise<void> {
  await page.getByRole('searchbox').fill('');
  await page.keyboard.type(text);
  await page.keyboard.press('Enter');
}

/** What is said of a scan that picks nothing. */
async function refused(page: Page, text: string, shownText: string | RegExp): Promise<void> {
  await scanned(page, text);
  await dialogOf(page).getByRole('alert').getByText(shownText).waitFor();
}

async function picked(page: Page, no: number): Promise<void> {
  await dialogOf(page).waitFor({ state: 'detached' });
  await page.getByText(`Invoice ${numberOf(no)}`, { exact: true }).waitFor();
  expect(await page.locator('input.amount').inputValue()).toBe(
    (dueOf(no) / 100).toLocaleString('en-GB', { minimumFractionDigits: 2 }),
  );
  await page.getByRole('button', { name: 'Without invoice' }).click();
}

describe('one of 120 invoices', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  it('is found by its number, its amount and its customer, and read page by page without a search', async () => {
    const { daemon } = await aBilledShop(LISTS);
    const { page, faults, foreign } = await signedIn(browser, daemon);
    await opened(page);
    await dialogOf(page).getByText('The first 20 are shown.').waitFor();
    await dialogOf(page).getByRole('button', { name: 'Show more' }).click();
    await dialogOf(page).getByText('The first 40 are shown.').waitFor();
    expect(await rowsOf(page).count()).toBe(40);
    for (const text of ['2026 0042', 're-2026-0042', '1,046.62', '1.046,62', '1046,62 €']) {
      await page.getByRole('searchbox').fill('nothing at all');
      await page.getByText('No open invoice matches.').waitFor();
      await page.getByRole('searchbox').fill(text);
      await dialogOf(page)
        .getByText(/\. 1 found\./)
        .waitFor();
      expect(await rowsOf(page).locator('.row-main').allTextContents(), text).toEqual([numberOf(42)]);
    }
    expect(await flawsOf(page)).toEqual([]);
    await page.getByRole('searchbox').fill(CUSTOMER);
    await dialogOf(page)
      .getByRole('list', { name: 'Customers' })
      .getByText(CUSTOMER, { exact: true })
      .click();
    await dialogOf(page).getByRole('heading', { name: CUSTOMER }).waitFor();
    expect(await flawsOf(page)).toEqual([]);
    await dialogOf(page).getByRole('button', { name: 'Back' }).click();
    expect(await page.getByRole('searchbox').inputValue()).toBe(CUSTOMER);
    await page.locator('input[type=search]:focus').waitFor();
    expect({ faults, foreign }).toEqual({ faults: [], foreign: [] });
  });

  it('is picked by a scan of its number, its id or a link, at once and without a mouse', async () => {
    const { daemon, world, ids } = await aBilledShop(LISTS);
    const { page } = await signedIn(browser, daemon);
    const links = [
      numberOf(5),
      numberOf(5).toLowerCase(),
      String(ids.get(numberOf(5))),
      String(ids.get(numberOf(5))).toUpperCase(),
      `https://pay.example/i/${numberOf(5)}`,
      `https://pay.example/invoices/${ids.get(numberOf(5))}?`,
      '1,005.55',
    ];
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    for (const text of links) {
      await opened(page);
      await scanned(page, text);
      await picked(page, 5);
    }
    const byId = `/v2/invoices/${ids.get(numberOf(5))}`;
    expect(asked.filter((path) => path.toLowerCase() === byId)).toHaveLength(3);
    await opened(page);
    await scanned(page, numberOf(5));
    await page.getByRole('button', { name: 'Take €1,005.55' }).focus();
    // As late as a person: an Enter at once is one more of the scanner's.
    await page.waitForTimeout(400);
    await page.keyboard.press('Enter');
    await lastOutcome(page, 'paid');
    expect(charges(world)).toEqual([dueOf(5)]);
    await page.getByRole('link', { name: 'New payment' }).click();
    await opened(page);
    await refused(page, numberOf(5), `Invoice ${numberOf(5)} was paid here a moment ago.`);
  });

  it('is searched with Enter beside a typed amount, and no payment is started', async () => {
    const { daemon, world } = await aBilledShop(LISTS);
    const { page } = await signedIn(browser, daemon);
    await page.locator('input.amount').fill('12.34');
    await opened(page);
    await refused(page, 'RE-2026-00', 'More than one invoice fits. Choose one.');
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'Find a customer' }).click();
    await scanned(page, 'customer');
    await page.waitForTimeout(1_000);
    await dialogOf(page).getByText('The first 20 are shown.').waitFor();
    expect(charges(world)).toEqual([]);
    expect(new URL(page.url()).hash).not.toContain('payment');
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'Take €12.34' }).waitFor();
  });

  it('is said to be paid, void, a draft, or not known, where a scan finds one that cannot be paid', async () => {
    const { daemon, ids } = await aBilledShop(LISTS);
    const { page } = await signedIn(browser, daemon);
    await opened(page);
    await refused(page, 'INV-000001', 'Invoice INV-000001 is paid. Do not take it again.');
    await refused(page, numberOf(VOID), `Invoice ${numberOf(VOID)} was voided.`);
    await refused(page, numberOf(DRAFT), `Invoice ${numberOf(DRAFT)} is a draft.`);
    await refused(page, String(ids.get(numberOf(DRAFT))), `Invoice ${numberOf(DRAFT)} is a draft.`);
    await refused(page, 'RE-2026-0099', 'Nothing here is exactly “RE-2026-0099”.');
    await refused(page, '0199c0de-0001-7000-8000-00000000ffff', /^Nothing here is exactly/);
    await refused(page, 'RE-2026-00', 'More than one invoice fits. Choose one.');
    const others = dialogOf(page).getByRole('list', { name: 'Other invoices' });
    await others.getByText('Draft').waitFor();
    expect(await others.getByRole('button').allTextContents()).toEqual([
      `${numberOf(VOID)}Voided`,
      `${numberOf(DRAFT)}Draft`,
    ]);
    expect(await others.locator('button:enabled').count()).toBe(0);
    expect(await flawsOf(page)).toEqual([]);
    await page.getByRole('searchbox').fill('0042');
    await dialogOf(page).getByRole('alert').getByText('More than one').waitFor({ state: 'detached' });
  });
});
