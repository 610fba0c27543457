import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fillStore } from '../bench/store-builder.ts';
import { DEVICE_ID } from '../support/attempts.ts';
import { aWorld, Daemon } from '../support/daemon.ts';
import { askOver } from '../support/socket.ts';
import { flawsOf } from './axe.ts';
import { aBilledShop, dueOf, limited, numberOf } from './billed-shop.ts';
import { openBrowser } from './browser.ts';
import { TONGUES } from './invoice-tour.ts';
import { signedIn } from './shop.ts';
import { charges, lastOutcome, take, typed } from './staff.ts';

const ROOT = join(import.meta.dirname, '../..');
/** An hundred and fifty, with fifty cents. */
const LARGE = [...'15050'];
const WORDS = {
  'en-GB': 'one hundred fifty euros 50/100',
  'de-DE': 'einhundertfünfzig Euro 50/100',
  'fr-FR': 'cent cinquante euros 50/100',
} as const;

describe('an amount above what is usual', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  it('is asked about once more, in words, in every language; Enter by habit takes nothing', async () => {
    const world = await aWorld({ autopilotMs: 100 });
    limited(world, { ask_above_minor: 10_000 });
    const daemon = await Daemon.start(world);
    for (const { locale, words } of TONGUES) {
      const { page } = await signedIn(browser, daemon, 'staff', { locale });
      await page.locator('.tile').waitFor();
      await typed(page, [...LARGE, 'Enter']);
      const dialog = page.getByRole('dialog', { name: words.large_title });
      await dialog.getByText(WORDS[locale], { exact: true }).waitFor();
      expect(await flawsOf(page)).toEqual([]);
      await typed(page, ['Enter']);
      await dialog.waitFor({ state: 'detached' });
      await page.waitForTimeout(400);
      expect(world.terminal.snapshot().busy).toBe(false);
      await page.locator('.pad button[type=submit]').click();
      await dialog.getByRole('button', { name: words.large_change }).click();
      await dialog.waitFor({ state: 'detached' });
      await page.keyboard.press('Escape');
    }
    expect(charges(world)).toEqual([]);
    const { page } = await signedIn(browser, daemon);
    await page.locator('input.amount').fill('100.00');
    await page.getByRole('button', { name: 'Take €100.00' }).click();
    await lastOutcome(page, 'paid');
    await page.getByRole('link', { name: 'New payment' }).click();
    await page.locator('input.amount').fill('100.01');
    await page.getByRole('button', { name: 'Take €100.01' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Take €100.01' }).dblclick();
    await lastOutcome(page, 'paid');
    await typed(page, ['Enter']);
    await page.locator('input.amount').waitFor();
    await typed(page, [...'10002', 'Enter', 'Tab', 'Tab', 'Enter']);
    await lastOutcome(page, 'paid');
    expect(charges(world)).toEqual([10_000, 10_001, 10_002]);
  });

  it('is a thousand of the currency where the configuration says nothing', async () => {
    const world = await aWorld({ autopilotMs: 100 });
    const { page } = await signedIn(browser, await Daemon.start(world));
    await page.locator('input.amount').fill('1000.01');
    await page.getByRole('button', { name: 'Take €1,000.01' }).click();
    await page.getByRole('dialog').getByText('one thousand euros 01/100').waitFor();
    expect(charges(world)).toEqual([]);
  });

  it('is asked about for a picked invoice, too, with what is usual at the terminal', async () => {
    const { world, daemon: first } = await aBilledShop(['invoices'], async (prepared) =>
      limited(prepared, { ask_above_minor: dueOf(10) - 1 }),
    );
    const before = await signedIn(browser, first);
    await take(before.page, '1.00', 'the first');
    await lastOutcome(before.page, 'paid');
    await first.stop();
    fillStore(first.database, 60);
    const daemon = await Daemon.start(world);
    const { page } = await signedIn(browser, daemon);
    const pick = async (number: string) => {
      await page.getByRole('button', { name: 'Pick an invoice' }).click();
      await page.getByRole('searchbox').fill(number);
      await page.getByRole('searchbox').press('Enter');
      await page.getByText(`Invoice ${number}`, { exact: true }).waitFor();
    };
    await pick(numberOf(10));
    await page.getByRole('button', { name: 'Take €1,011.10' }).click();
    const dialog = page.getByRole('dialog', { name: 'That is more than usual. Is it right?' });
    await dialog.getByText('one thousand eleven euros 10/100').waitFor();
    const path = `/v2/terminal-devices/${DEVICE_ID}/usual-amount`;
    const { data } = (await askOver(daemon.socket, 'GET', path)) as { data: { at_most_minor: number } };
    const most = new Intl.NumberFormat('en-GB', { style: 'currency', currency: 'EUR' }).format(
      data.at_most_minor / 100,
    );
    await dialog.getByText(`19 of 20 sales at this terminal are of ${most} or less.`).waitFor();
    expect(await flawsOf(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'No, change it' }).click();
    expect(charges(world)).toEqual([100]);
    await page.getByRole('button', { name: 'Take €1,011.10' }).click();
    await dialog.getByRole('button', { name: 'Take €1,011.10' }).click();
    await lastOutcome(page, 'paid');
    expect(charges(world)).toEqual([100, dueOf(10)]);
  });

  it('above the hard maximum of the device is refused on every way in', async () => {
    const world = await aWorld({ autopilotMs: 100 });
    limited(world, { max_amount_minor: 20_000 });
    const daemon = await Daemon.start(world);
    const { page } = await signedIn(browser, daemon);
    await page.locator('input.amount').fill('200.01');
    await page.getByText('Counter 1 takes €200.00 at most. Nothing was charged.').waitFor();
    expect(await page.locator('.pad button[type=submit]').isDisabled()).toBe(true);
    expect(await flawsOf(page)).toEqual([]);
    await page.locator('input.amount').focus();
    await page.waitForTimeout(1_100);
    await page.keyboard.press('Enter');

    const wanted = { device_id: DEVICE_ID, amount_minor: 20_001, currency: 'EUR' };
    await expect(askOver(daemon.socket, 'POST', '/v2/terminal-payments', wanted)).rejects.toThrow(
      /422 .*amount_out_of_range/,
    );
    const pay = ['src/cli/tillctl.ts', '--socket', daemon.socket, 'pay', '--device', 'Counter 1'];
    const asked = promisify(execFile)(process.execPath, [...pay, '--amount', '200.01', '--json'], {
      cwd: ROOT,
    });
    await expect(asked).rejects.toMatchObject({ stdout: expect.stringMatching(/AMOUNT_OUT_OF_RANGE/i) });
    expect(world.terminal.snapshot().ledger).toEqual([]);
    await page.locator('input.amount').fill('200.00');
    await page.getByRole('button', { name: 'Take €200.00' }).click();
    await lastOutcome(page, 'paid');
    expect(charges(world)).toEqual([20_000]);
  });
});
