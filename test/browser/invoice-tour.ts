import type { Page } from 'playwright-core';
import { de } from '../../src/console/till/words/de.js';
import { en } from '../../src/console/till/words/en.js';
import { fr } from '../../src/console/till/words/fr.js';
import { numberOf } from './billed-shop.ts';

/** Each language in a region of it. */
export const TONGUES = [
  { locale: 'en-GB', words: en },
  { locale: 'de-DE', words: de },
  { locale: 'fr-FR', words: fr },
] as const;

/** Lists of the shop that {@link invoiceTour} needs. */
export const TOUR_LISTS = ['invoices', 'customers', 'entitlements', 'payments'];

/** Shows every view of invoices and customers at the till once; `seen` is called at each. */
export async function invoiceTour(
  page: Page,
  words: typeof en,
  seen: (view: string) => Promise<void>,
): Promise<void> {
  const dialog = page.getByRole('dialog');
  const search = page.getByRole('searchbox');
  await page.getByRole('button', { name: words.invoice_pick }).click();
  await dialog.getByRole('list', { name: words.invoice_open }).getByRole('button').nth(19).waitFor();
  await seen('picker');
  await search.fill('RE-2026-00');
  await page.keyboard.press('Enter');
  await dialog.getByRole('alert').getByText(words.scan_many).waitFor();
  await dialog.getByRole('list', { name: words.invoice_others }).waitFor();
  await seen('picker-many');
  await search.fill(numberOf(79));
  await page.keyboard.press('Enter');
  await dialog.getByRole('alert').getByText(numberOf(79)).waitFor();
  await seen('picker-void');
  await search.fill('customer 7');
  await dialog.getByRole('list', { name: words.customers }).waitFor();
  await seen('picker-customer');
  await search.fill(numberOf(10));
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });
  await seen('chosen');
  await page.locator('input.amount').fill('500.00');
  await page.getByText('500').nth(0).waitFor();
  await seen('part');
  await page.locator('input.amount').fill('5000.00');
  await page.locator('#chosen-misfit').filter({ hasText: /\S/ }).waitFor();
  await seen('over');
  await page.getByRole('button', { name: words.customer_find }).click();
  await dialog.getByRole('list', { name: words.customers }).getByRole('button').nth(19).waitFor();
  await seen('customers');
  await search.fill('customer7');
  await page.keyboard.press('Enter');
  await dialog.getByRole('heading', { name: 'Customer 7' }).waitFor();
  await seen('customer');
  await page.keyboard.press('Escape');
}
