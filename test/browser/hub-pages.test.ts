import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { batch, entries, type Operator, Shop, type TestHub, testHub } from '../fleet/hub.ts';
import { flawsOf } from './axe.ts';
import { openBrowser, openPage } from './browser.ts';

let browser: Browser;
let hub: TestHub;
let url: string;
let anna: Operator;
let viewer: Operator;

beforeAll(async () => {
  browser = await openBrowser();
  hub = await testHub();
  hub.now = Date.now();
  await hub.tenant('Bakery');
  anna = await hub.operator('Bakery', 'operator');
  viewer = await hub.operator('Bakery', 'viewer');
  url = await hub.listen();
  for (let no = 10; no < 70; no += 1) await anna.ask('PUT', `/v1/shops/page-${no}`);
  const shop = new Shop(hub.send);
  await shop.join(await hub.invite('Bakery', 'Berlin <b>1'));
  await shop.post('/v1/journal', batch(entries(3), 1, 3));
  const terminals = [{ name: 'Till 1', driver: 'zvt', status: 'recovering', needs: null, in_doubt: true }];
  const reasons = [{ code: 'disk_full', message: 'the disk <img src=x> is full' }];
  const state = { can_sell: false, can_report: true, is_fresh: false, terminals, reasons };
  await shop.exchange({ state }, hub.now + 86_400_000);
});
afterAll(async () => {
  await browser.close();
  await hub.stop();
});

async function signedIn(operator: Operator, options: Parameters<typeof openPage>[2] = {}) {
  const seen = await openPage(browser, url, options);
  await seen.page.locator('input[name="token"]').fill(operator.token);
  await seen.page.keyboard.press('Enter');
  await seen.page.locator('tbody tr').first().waitFor();
  return seen;
}

it('show the fleet, a shop and a payment to who signs in, and end its alert, with the keyboard alone', async () => {
  const { page, foreign, faults } = await openPage(browser, url);
  await page.getByLabel('Token').fill('tho_wrong');
  await page.keyboard.press('Enter');
  await page.getByText('No operator of this hub has this token').waitFor();
  expect(await flawsOf(page)).toEqual([]);
  await page.getByLabel('Token').fill(anna.token);
  await page.keyboard.press('Enter');
  const rows = page.locator('tbody tr');
  await page.getByText('50 shops, more below').waitFor();
  const cells = await rows.first().locator('th, td').allTextContents();
  expect(cells.toSpliced(5, 1)).toEqual(['Berlin <b>1', 'cannot sell', 'yes', 'no', '1.2.3', '1', '1']);
  expect(await flawsOf(page)).toEqual([]);
  await page.keyboard.press('End');
  await page.getByText('61 shops', { exact: true }).waitFor();
  await page.getByLabel('Name or version').fill('berlin 1.2');
  await page.getByText('1 shop', { exact: true }).waitFor();
  expect(page.url()).toBe(`${url}/#/?q=berlin+1.2`);

  await rows.first().getByRole('link').press('Enter');
  await page.getByText('the disk <img src=x> is full').waitFor();
  await page.getByText('3 payments').waitFor();
  expect(await flawsOf(page)).toEqual([]);
  await page.getByRole('button', { name: /^End the alert: The clock of the shop/ }).press('Enter');
  await page.getByText('The alert has ended.').waitFor();
  expect((await anna.ask('GET', '/v1/alerts?open=true')).body.data).toEqual([]);

  await page.getByRole('link', { name: 'a2' }).press('Enter');
  await page.getByText('Details').last().press('Enter');
  await page.getByText('"no":2').waitFor();
  expect(await flawsOf(page)).toEqual([]);
  await page.goBack();
  await page.getByText('3 payments').waitFor();
  await page.getByRole('button', { name: 'Sign out' }).press('Enter');
  await page.getByLabel('Token').waitFor();
  await page.reload();
  await page.getByLabel('Token').waitFor();
  expect([foreign, faults]).toEqual([[], []]);
});

it('are in the language and the colours of the browser, on a phone, too', async () => {
  for (const [locale, words] of [
    ['de-AT', 'kann nicht verkaufen'],
    ['fr-CA', 'ne peut pas vendre'],
  ] as const) {
    const { page, faults } = await signedIn(viewer, {
      locale,
      colorScheme: 'dark',
      viewport: { width: 390, height: 800 },
    });
    await page.locator('tbody').getByText(words).waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe(locale.slice(0, 2));
    expect(await flawsOf(page)).toEqual([]);
    await page.locator('tbody').getByRole('link').first().press('Enter');
    await page.getByText('zvt').waitFor();
    expect(await flawsOf(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    expect(faults).toEqual([]);
  }
});

it('ask for the token again when the session has ended', async () => {
  const { page } = await signedIn(viewer);
  hub.now += 13 * 3_600_000;
  await page.getByRole('button', { name: 'Refresh' }).click();
  await page.getByText('Your session has ended.').waitFor();
  hub.now -= 13 * 3_600_000;
});
