import { readFileSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aWorld, Daemon, type World } from '../support/daemon.ts';
import { flawsOf } from './axe.ts';
import { isChromium, openBrowser } from './browser.ts';
import { keysOf } from './keys.ts';
import { signedIn } from './shop.ts';
import { lastOutcome, take } from './staff.ts';

const DAY_MS = 86_400_000;
/** A shop of two process runs, on a busy machine. */
const SLOW_MS = 180_000;
/** Before a key that moves money. */
const BY_HAND_MS = 250;

/** A shop that took 12.34 yesterday and 5.00 today. */
async function aShop(): Promise<{ world: World; daemon: Daemon }> {
  const world = await aWorld({ autopilotMs: 50 });
  const first = await Daemon.start(world);
  await paid(first, '12.34', 'Table 7');
  await first.stop();
  const sqlite = new Sqlite(first.database);
  sqlite
    .prepare('UPDATE attempts SET created_at = created_at - ?, completed_at = completed_at - ?')
    .run(DAY_MS, DAY_MS);
  sqlite.close();
  const daemon = await Daemon.start(world);
  await paid(daemon, '5.00', '=HYPERLINK("x")');
  return { world, daemon };
}

let browser: Browser;

async function paid(daemon: Daemon, amount: string, reference: string): Promise<void> {
  const { page } = await signedIn(browser, daemon);
  await take(page, amount, reference);
  await lastOutcome(page, 'paid');
}

const shownText = (page: Page) => page.locator('.found-text');
const rows = (page: Page) => page.locator('.windowed a.row');
const field = (page: Page) => page.getByRole('searchbox', { name: 'Find a payment' });

/** Answers a search behind the moment that the page waits for another key. */
async function slowSearch(page: Page): Promise<void> {
  await page.route(/\/v2\/terminal-payments\?.*card/, async (route) => {
    await page.waitForTimeout(400);
    await route.continue();
  });
}

/** The last four digits of the card of yesterday. */
async function lastFour(page: Page): Promise<string> {
  await page.getByRole('link', { name: 'History' }).click();
  const text = (await rows(page).last().textContent()) ?? '';
  return /…(\d{4})/.exec(text)?.[1] ?? '';
}

describe('finding a payment', () => {
  beforeAll(async () => {
    browser = await openBrowser();
  }, SLOW_MS);
  afterAll(() => browser.close());

  it(
    'refunds the payment of yesterday, found by the last four digits of its card, with few keys and no pointer',
    async () => {
      const { world, daemon } = await aShop();
      const { page, faults } = await signedIn(browser, daemon, 'lead');
      const card = await lastFour(page);
      await page.getByRole('link', { name: 'Payment', exact: true }).click();
      await page.locator('input.amount').focus();
      await slowSearch(page);
      const keys = keysOf(page);
      await keys.press('F3');
      await page.locator('.history-search input:focus').waitFor();
      for (const digit of card) await keys.press(digit);
      await keys.press('Enter');
      await page.locator('.outcome-amount', { hasText: '€12.34' }).waitFor();
      await page.locator('h1:focus').waitFor();
      const opened = keys.count;
      await keys.tabTo(/^Refund/);
      await keys.press('Enter');
      await page.locator('dialog input:focus').waitFor();
      await keys.tabTo(/^Refund €/);
      // No key gives money back at a scanner's pace.
      await page.waitForTimeout(BY_HAND_MS);
      await keys.press('Enter');
      await lastOutcome(page, 'back_done');
      const refunds = world.terminal.snapshot().ledger.filter(({ kind }) => kind === 'refund');
      expect(refunds.map(({ amountMinor }) => amountMinor)).toEqual([1234]);
      expect({ opened, all: keys.count, faults }).toEqual({ opened: 6, all: 11, faults: [] });
    },
    SLOW_MS,
  );

  it(
    'tries every meaning of what is typed, and says which has found something',
    async () => {
      const { daemon } = await aShop();
      const { page, faults } = await signedIn(browser, daemon);
      await page.getByRole('link', { name: 'History' }).click();
      await field(page).fill('1234');
      await shownText(page).getByText('1 payment of €12.34').waitFor();
      for (const meaning of [
        'with card …1234',
        '€1,234.00',
        'receipt number 1234',
        'reference “1234”',
        'invoice 1234',
      ])
        expect(await shownText(page).textContent()).toContain(meaning);
      for (const [typed, hit] of [
        // Not what the text before it has found: the words are awaited.
        ['table 7', '1 payment with reference “table 7”'],
        ['ble 7', '1 payment with “ble 7” in the reference or invoice number'],
        ['12,34', '1 payment of €12.34'],
        ['12.34 yesterday', '1 payment of €12.34, '],
      ] as const) {
        await field(page).fill(typed);
        await shownText(page).getByText(hit).waitFor();
        expect(await rows(page).count()).toBe(1);
      }
      await field(page).fill('12.34 today');
      await shownText(page).getByText('No payment of €12.34').waitFor();
      expect(await rows(page).count()).toBe(0);
      await field(page).fill('yesterday');
      await page.locator('.day-totals', { hasText: 'Sales: 1, €12.34' }).waitFor();
      expect(await flawsOf(page)).toEqual([]);
      await page.getByRole('button', { name: 'Clear' }).click();
      await rows(page).nth(1).waitFor();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await page.locator('.outcome-amount', { hasText: '€12.34' }).waitFor();
      await page.goBack();
      await page.getByLabel('Show').selectOption('declined');
      await shownText(page).getByText('No payment with status “Declined”').waitFor();
      expect(faults).toEqual([]);
    },
    SLOW_MS,
  );

  it.runIf(isChromium)(
    'stands on its day with the totals, and the day is a CSV file that no spreadsheet runs',
    async () => {
      const { daemon } = await aShop();
      const { page } = await signedIn(browser, daemon);
      await page.getByRole('link', { name: 'History' }).click();
      await page.locator('.day-totals', { hasText: 'Sales: 1, €5.00' }).waitFor();
      await page.locator('.day-totals', { hasText: 'Sales: 1, €12.34' }).waitFor();
      const headings = page.locator('.day-heading');
      expect(await headings.count()).toBe(2);
      const downloading = page.waitForEvent('download');
      await headings.first().getByRole('button').click();
      const download = await downloading;
      expect(download.suggestedFilename()).toMatch(/^payments-\d{4}-\d\d-\d\d\.csv$/);
      const text = readFileSync(await download.path(), 'utf8');
      const [head, line, ...rest] = text.split('\r\n');
      expect(head).toMatch(/^\uFEFFdate,time,type,status,charged,amount,moved,tip,currency,/);
      expect(line).toMatch(/^\d{4}-\d\d-\d\d,\d\d:\d\d:\d\d,sale,succeeded,yes,5\.00,5\.00,,EUR,/);
      expect(line).toContain(`,"'=HYPERLINK(""x"")",`);
      expect(rest).toEqual(['']);
    },
    SLOW_MS,
  );

  it(
    'fits a phone: nothing is cut off to the right, and time, card and reference of a payment are read',
    async () => {
      const { daemon } = await aShop();
      const viewport = { width: 390, height: 844 };
      const { page } = await signedIn(browser, daemon, 'staff', { viewport });
      await page.getByRole('link', { name: 'History' }).click();
      await page.locator('.day-totals', { hasText: 'Sales: 1, €12.34' }).waitFor();
      const cut = () =>
        page.evaluate(() => [
          document.documentElement.scrollWidth - document.documentElement.clientWidth,
          ...[...document.querySelectorAll('.day-heading h2, .day-totals, .windowed .row > *')]
            .filter(
              (part) => part.scrollWidth > part.clientWidth + 1 || part.scrollHeight > part.clientHeight + 4,
            )
            .map((part) => part.textContent),
        ]);
      expect(await cut()).toEqual([0]);
      await field(page).fill('5.00');
      await shownText(page).getByText('1 payment of €5.00').waitFor();
      expect(await cut()).toEqual([0]);
    },
    SLOW_MS,
  );
});
