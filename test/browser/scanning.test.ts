import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aWorld, Daemon, type World } from '../support/daemon.ts';
import { flawsOf } from './axe.ts';
import { aBilledShop, dueOf, numberOf } from './billed-shop.ts';
import { isChromium, openBrowser } from './browser.ts';
import { signedIn } from './shop.ts';
import { charges, lastOutcome, pressed, take, typed } from './staff.ts';

const LISTS = ['invoices'];
const VOID = 79;
/** Long enough for a payment that must not be started. */
const A_MOMENT_MS = 600;
/** No scanner is silent for so long within a code. */
const A_PAUSE_MS = 1_100;

const amountOf = (page: Page) => page.locator('input.amount').inputValue();
const dialogOf = (page: Page) => page.getByRole('dialog');

/** As a scanner does: every key at once, and `ends` behind them. */
async function scan(page: Page, text: string, ends: readonly string[] = ['Enter']): Promise<void> {
  await page.keyboard.type(text);
  for (const end of ends) await page.keyboard.press(end);
}

function written(no: number): string {
  return (dueOf(no) / 100).toLocaleString('en-GB', { minimumFractionDigits: 2 });
}

async function picked(page: Page, no: number): Promise<void> {
  await page.getByText(`Invoice ${numberOf(no)}`, { exact: true }).waitFor();
  await dialogOf(page).waitFor({ state: 'detached' });
  expect(await amountOf(page)).toBe(written(no));
}

/** The picker is opened with what was scanned, and says why nothing was picked. */
async function unpicked(page: Page, text: string, shownText: string): Promise<void> {
  await dialogOf(page).getByRole('alert').getByText(shownText).waitFor();
  expect(await page.getByRole('searchbox').inputValue()).toBe(text);
}

async function nothingStarted(page: Page, world: World): Promise<void> {
  await page.waitForTimeout(A_MOMENT_MS);
  expect(world.terminal.snapshot().ledger).toEqual([]);
  expect(world.terminal.snapshot().busy).toBe(false);
  expect(new URL(page.url()).hash).not.toContain('payment');
}

describe('a scan at the till', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  it.runIf(isChromium)(
    'picks the invoice of exactly this number or id, wherever the focus is outside of a text, and presses nothing',
    async () => {
      const { daemon, world, ids } = await aBilledShop(LISTS);
      const { page, faults } = await signedIn(browser, daemon);
      await page.locator('input.amount').fill('12.34');
      await page.evaluate(() => (document.activeElement as HTMLElement).blur());
      await scan(page, numberOf(3));
      await picked(page, 3);
      const focuses = [
        page.getByRole('button', { name: /^Take/ }),
        page.getByRole('button', { name: 'Pick an invoice' }),
        page.getByRole('button', { name: 'Without invoice' }),
        page.getByRole('button', { name: '7', exact: true }),
        page.getByRole('link', { name: 'History' }),
        page.getByRole('radio'),
      ];
      for (const [index, focus] of focuses.entries()) {
        await focus.focus();
        await scan(page, numberOf(10 + index), index % 2 === 0 ? ['Enter', 'Enter'] : ['Tab']);
        await picked(page, 10 + index);
        expect(await focus.evaluate((element) => element === document.activeElement)).toBe(true);
      }
      for (const text of [String(ids.get(numberOf(5))), `https://pay.example/i/${numberOf(5)}?`]) {
        await scan(page, numberOf(4));
        await picked(page, 4);
        await scan(page, text);
        await picked(page, 5);
      }
      await nothingStarted(page, world);
      await page.waitForTimeout(A_MOMENT_MS);
      await page.getByRole('button', { name: /^Take/ }).focus();
      await page.keyboard.press('Enter');
      await lastOutcome(page, 'paid');
      expect(charges(world)).toEqual([dueOf(5)]);
      await scan(page, numberOf(6));
      await picked(page, 6);
      expect(faults).toEqual([]);
    },
  );

  it.runIf(isChromium)(
    'opens the picker with what was scanned where it picks nothing, also over an open one',
    async () => {
      const { daemon, world } = await aBilledShop(LISTS);
      const { page } = await signedIn(browser, daemon);
      const takeButton = page.getByRole('button', { name: /^Take/ });
      await takeButton.focus();
      await scan(page, 'RE-2026-004');
      await unpicked(page, 'RE-2026-004', 'Nothing here is exactly “RE-2026-004”.');
      expect(await flawsOf(page)).toEqual([]);
      await page.getByRole('button', { name: 'Close' }).focus();
      await scan(page, numberOf(VOID));
      await unpicked(page, numberOf(VOID), `Invoice ${numberOf(VOID)} was voided.`);
      await dialogOf(page).getByRole('list', { name: 'Other invoices' }).waitFor();
      await page.getByRole('button', { name: 'Close' }).focus();
      await scan(page, numberOf(8));
      await picked(page, 8);
      await takeButton.focus();
      await scan(page, 'RE 2026 0042 7');
      await unpicked(page, 'RE 2026 0042 7', 'Nothing here is exactly');
      await page.getByRole('button', { name: 'Use “RE 2026 0042 7” as the reference' }).click();
      expect(await page.locator('input[name=reference]').inputValue()).toBe('RE 2026 0042 7');
      await takeButton.focus();
      await scan(page, 'RE 2026 0042 8');
      await unpicked(page, 'RE 2026 0042 8', 'Nothing here is exactly');
      await page.getByRole('searchbox').fill('');
      await scan(page, numberOf(9), ['Enter', 'Enter']);
      await picked(page, 9);
      await page.route('**/v2/invoices?**', async (route) => {
        const answer = await route.fetch();
        const list = await answer.json();
        const data = list.data.map((one: object) => ({ ...one, number: 'RE-2026' }));
        await route.fulfill({ response: answer, json: { ...list, data } });
      });
      await takeButton.focus();
      await scan(page, 'RE-2026');
      await unpicked(page, 'RE-2026', 'More than one invoice fits. Choose one.');
      await nothingStarted(page, world);
    },
  );

  it('leaves no digit in the amount, and starts no payment from there', async () => {
    const { daemon, world } = await aBilledShop(LISTS);
    const { page } = await signedIn(browser, daemon);
    const field = page.locator('input.amount');
    await field.fill('12.34');
    for (const [text, ends] of [
      ['20260042', ['Enter']],
      ['4006381333931', ['Enter', 'Enter']],
      ['4006381333931', ['Tab']],
      ['40063813', []],
      ['7788', ['Enter']],
    ] as const) {
      await field.focus();
      await scan(page, text, ends);
      await unpicked(page, text, `Nothing here is exactly “${text}”.`);
      expect(await amountOf(page), text).toBe('12.34');
      await page.getByRole('button', { name: 'Close' }).click();
      await page.waitForTimeout(A_MOMENT_MS);
    }
    await field.focus();
    await scan(page, numberOf(7), ['Enter', 'Enter']);
    await picked(page, 7);
    await field.focus();
    await scan(page, '20260042');
    await unpicked(page, '20260042', 'Nothing here is exactly');
    await page.getByRole('button', { name: 'Close' }).click();
    expect(await amountOf(page)).toBe(written(7));
    await nothingStarted(page, world);
    await field.focus();
    await typed(page, ['5', '0', '0', '0']);
    expect(await amountOf(page)).toBe('50.00');
    await typed(page, ['Enter']);
    await lastOutcome(page, 'paid');
    expect(charges(world)).toEqual([5000]);
  });

  it('stays in another text, and its Enter starts no payment', async () => {
    const { daemon, world } = await aBilledShop(LISTS);
    const { page } = await signedIn(browser, daemon);
    await page.locator('input.amount').fill('12.34');
    await page.getByLabel('Reference').focus();
    await scan(page, '4006381333931', ['Enter', 'Enter']);
    await nothingStarted(page, world);
    expect(await page.getByLabel('Reference').inputValue()).toBe('4006381333931');
    expect(await dialogOf(page).count()).toBe(0);
    await page.waitForTimeout(A_PAUSE_MS);
    await page.keyboard.press('Enter');
    await lastOutcome(page, 'paid');
  });

  it('lets no payment start while its invoice is looked up', async () => {
    const { daemon, world } = await aBilledShop(LISTS);
    const { page } = await signedIn(browser, daemon);
    await page.route('**/v2/invoices?**', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 1_500));
      await route.continue();
    });
    await page.locator('input.amount').fill('12.34');
    await scan(page, numberOf(7));
    await page.getByRole('button', { name: 'Looking for the invoice …' }).waitFor();
    await page.waitForTimeout(A_MOMENT_MS);
    await page.keyboard.press('Enter');
    await picked(page, 7);
    await nothingStarted(page, world);
  });

  it('opens the picker, which says what is wrong, where the invoices cannot be read', async () => {
    const { daemon } = await aBilledShop(LISTS);
    const { page } = await signedIn(browser, daemon);
    await page.route('**/v2/invoices?**', (route) => route.abort());
    await page.locator('input.amount').waitFor();
    await scan(page, numberOf(7));
    await unpicked(page, numberOf(7), 'tilld does not answer');
  });

  it('cancels no running payment and gives nothing back', async () => {
    const world = await aWorld({ autopilot: 'off' });
    const daemon = await Daemon.start(world);
    const { page } = await signedIn(browser, daemon, 'lead');
    await take(page, '5.00', '');
    await page.getByRole('button', { name: 'Cancel payment' }).focus();
    await scan(page, numberOf(1));
    await page.waitForTimeout(A_MOMENT_MS);
    await page.getByRole('button', { name: 'Cancel payment' }).waitFor();
    await pressed(world, 'approve');
    await lastOutcome(page, 'paid');
    await page.getByRole('button', { name: 'Refund' }).click();
    const field = dialogOf(page).getByRole('textbox');
    await field.focus();
    await scan(page, '00000200');
    expect(await field.inputValue()).toBe('5.00');
    await dialogOf(page).locator('.button-main').focus();
    await scan(page, '00000200');
    await page.waitForTimeout(A_MOMENT_MS);
    await dialogOf(page).locator('.button-main').waitFor();
    expect(world.terminal.snapshot().ledger.map(({ kind }) => kind)).toEqual(['sale']);
  });
});
