import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aWorld, Daemon } from '../support/daemon.ts';
import { flawsOf } from './axe.ts';
import { openBrowser } from './browser.ts';
import { signedIn } from './shop.ts';
import { charges, lastOutcome } from './staff.ts';

const LANGUAGES = { locale: 'de-DE', permissions: ['clipboard-read', 'clipboard-write'] };

async function pasted(page: Page, text: string): Promise<void> {
  await page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
  await page.keyboard.press('Control+V');
}

describe('an amount means what it looks like', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  it('typed with a comma, and pasted, at the till and in the refund', async () => {
    const world = await aWorld({ autopilotMs: 100 });
    const daemon = await Daemon.start(world);
    const { page } = await signedIn(browser, daemon, 'lead', LANGUAGES);
    const field = page.locator('input.amount');
    await field.click();
    await page.keyboard.type('12,5');
    await page.getByRole('button', { name: /^12,50\s€ kassieren/ }).click();
    await lastOutcome(page, 'paid');
    await page.locator('a.button-main').click();
    await field.click();
    await pasted(page, '12');
    await page.getByRole('button', { name: /^12,00\s€ kassieren/ }).click();
    await lastOutcome(page, 'paid');
    expect(charges(world)).toEqual([1250, 1200]);

    await page.getByRole('button', { name: /^Erstatten/ }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox').click();
    await pasted(page, '1.234');
    await dialog.getByText('Das kann zwei verschiedene Beträge bedeuten.').waitFor();
    expect(await dialog.locator('.button-main').isDisabled()).toBe(true);
    expect(await flawsOf(page)).toEqual([]);
    await pasted(page, '4');
    await dialog.locator('.button-main', { hasText: /4,00\s€/ }).click();
    await lastOutcome(page, 'back_done');
    const refunds = world.terminal.snapshot().ledger.filter(({ kind }) => kind === 'refund');
    expect(refunds.map(({ amountMinor }) => amountMinor)).toEqual([400]);
  });

  it('is refused in words where it can be read in two ways, and nothing is started', async () => {
    const world = await aWorld({ autopilotMs: 100 });
    const daemon = await Daemon.start(world);
    const { page } = await signedIn(browser, daemon, 'staff', { permissions: LANGUAGES.permissions });
    await page.locator('input.amount').click();
    await pasted(page, '1,234');
    await page.getByText('This can be read as two different amounts.').waitFor();
    expect(await flawsOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Take payment' }).click();
    expect(await page.locator('input.amount').inputValue()).toBe('1,234');
    await page.locator('input.amount').fill('10.00');
    await page.getByRole('button', { name: 'Take €10.00' }).waitFor();
    await pasted(page, '1,234.50');
    await page.getByRole('button', { name: 'Take €1,234.50' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Take €1,234.50' }).click();
    await lastOutcome(page, 'paid');
    expect(charges(world)).toEqual([123_450]);
  });
});
