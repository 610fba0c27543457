import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { flawsOf } from './axe.ts';
import { aBilledShop, CUSTOMER, dueOf, numberOf } from './billed-shop.ts';
import { openBrowser } from './browser.ts';
import { lineOf } from './line.ts';
import { signedIn } from './shop.ts';
import { charges, lastOutcome } from './staff.ts';

const LISTS = ['invoices', 'customers', 'entitlements', 'payments'];
const dialogOf = (page: Page) => page.getByRole('dialog');
const partOf = (page: Page, name: string | RegExp) => dialogOf(page).getByRole('region', { name });

async function found(page: Page, text: string): Promise<void> {
  await page.getByRole('button', { name: 'Find a customer' }).click();
  await dialogOf(page)
    .getByText(/ (found|are shown)\.$/)
    .waitFor();
  await page.getByRole('searchbox').fill(text);
}

describe('a customer at the counter', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  it('is found by name or address, shown with what is due, allowed and paid, and pays an invoice', async () => {
    const { daemon, world } = await aBilledShop(LISTS);
    const { page, faults, foreign } = await signedIn(browser, daemon);
    await found(page, 'customer 2');
    await dialogOf(page).getByText('7 found.').waitFor();
    expect(await flawsOf(page)).toEqual([]);
    await page.getByRole('searchbox').fill('customer7@shop');
    await page.keyboard.press('Enter');
    await dialogOf(page).getByRole('heading', { name: CUSTOMER }).waitFor();
    await dialogOf(page).getByText('customer7@shop.example').waitFor();
    await dialogOf(page)
      .getByText(/^As of/)
      .waitFor();
    const invoices = partOf(page, 'Open invoices').getByRole('button');
    expect(await invoices.allTextContents()).toEqual([
      ...[78, 77, 76, 75, 74].map((no) => expect.stringContaining(numberOf(no))),
      'Show all 79',
    ]);
    await invoices.last().click();
    // Those of the account that are not paid, and the created ones but a draft and a void one.
    expect(await invoices.count()).toBe(1 + 78);
    expect(
      await partOf(page, /^May have/)
        .getByRole('listitem')
        .allTextContents(),
    ).toEqual(['Benefit 2Yes']);
    expect(await partOf(page, 'Last payments').getByRole('listitem').count()).toBe(1);
    await partOf(page, 'Last payments').getByText('Paid', { exact: true }).waitFor();
    expect(await flawsOf(page)).toEqual([]);
    await invoices.filter({ hasText: numberOf(3) }).click();
    await page.getByText(`Invoice ${numberOf(3)}`, { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Take €1,003.33' }).click();
    await lastOutcome(page, 'paid');
    expect(charges(world)).toEqual([dueOf(3)]);
    await page.getByRole('link', { name: 'New payment' }).click();
    await found(page, 'customer7');
    await page.keyboard.press('Enter');
    await invoices.filter({ hasText: 'Show all' }).click();
    await invoices
      .filter({ hasText: numberOf(3) })
      .getByText('Paid here a moment ago')
      .waitFor();
    expect({ faults, foreign }).toEqual({ faults: [], foreign: [] });
  });

  it('is shown with what has ended, and with the service down as of when it was reached last', async () => {
    let line: Awaited<ReturnType<typeof lineOf>> | undefined;
    const { daemon } = await aBilledShop(LISTS, async (world) => {
      line = await lineOf(world);
    });
    const { page } = await signedIn(browser, daemon);
    await line?.becomes('refused');
    await page.getByText('No connection to the service').waitFor();
    await found(page, 'customer8');
    await dialogOf(page)
      .getByText(/^The service cannot be reached, so this is as of .* 1 found\.$/)
      .waitFor();
    await dialogOf(page).getByRole('button', { name: 'Customer 8' }).click();
    await dialogOf(page).getByText('An invoice may have been paid elsewhere since.').waitFor();
    await partOf(page, /^May have/)
      .getByText(/^No, ended 2 Jan 2026/)
      .waitFor();
    await partOf(page, 'Open invoices').getByRole('button').first().waitFor();
    expect(await flawsOf(page)).toEqual([]);
  });

  it('is shown without what is not mirrored, which is no error', async () => {
    const { daemon } = await aBilledShop(['customers']);
    const { page } = await signedIn(browser, daemon);
    await found(page, 'customer7');
    await page.keyboard.press('Enter');
    await dialogOf(page).getByRole('heading', { name: CUSTOMER }).waitFor();
    for (const name of ['Open invoices', /^May have/, 'Last payments'])
      await partOf(page, name).getByText('Not kept here.').waitFor();
    expect(await dialogOf(page).getByRole('alert').count()).toBe(0);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Pick an invoice' }).click();
    await dialogOf(page).getByText('Not kept here.').waitFor();
    expect(await flawsOf(page)).toEqual([]);
  });

  it('is not searched where customers are not mirrored', async () => {
    const { daemon } = await aBilledShop(['invoices']);
    const { page } = await signedIn(browser, daemon);
    await page.getByRole('button', { name: 'Find a customer' }).click();
    await dialogOf(page).getByText('Not kept here.').waitFor();
    expect(await dialogOf(page).getByRole('alert').count()).toBe(0);
    expect(await flawsOf(page)).toEqual([]);
  });
});
