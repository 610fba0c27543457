import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aWorld, Daemon, type World } from '../support/daemon.ts';
import { flawsOf } from './axe.ts';
import { openBrowser } from './browser.ts';
import { signedIn } from './shop.ts';
import { charges, lastOutcome, typed } from './staff.ts';

/** Long enough for a payment that must not be started. */
const A_MOMENT_MS = 500;
/** Longer than any scanner is silent within a code. */
const A_PAUSE_MS = 1_100;

const amountOf = (page: Page) => page.locator('input.amount').inputValue();
const blurred = (page: Page) => page.evaluate(() => (document.activeElement as HTMLElement).blur());

/** As a scanner that is set to this speed. */
async function slowScan(page: Page, keys: readonly string[], gapMs: number): Promise<void> {
  for (const key of keys) {
    await page.keyboard.press(key);
    await page.waitForTimeout(gapMs);
  }
}

async function nothingStarted(page: Page, world: World, what: string): Promise<void> {
  await page.waitForTimeout(A_MOMENT_MS);
  expect(world.terminal.snapshot().ledger, what).toEqual([]);
  expect(world.terminal.snapshot().busy, what).toBe(false);
  expect(new URL(page.url()).hash, what).not.toContain('payment');
}

describe('the till by its keys', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  it('takes 12.34 with five keys from anywhere, and Enter starts the next sale', async () => {
    const world = await aWorld({ autopilotMs: 200 });
    const { page, faults } = await signedIn(browser, await Daemon.start(world));
    await page.locator('.tile').waitFor();
    await blurred(page);
    await typed(page, ['1', '2', '3', '4', 'Enter']);
    await lastOutcome(page, 'paid');
    await page.waitForTimeout(A_MOMENT_MS);
    await page.keyboard.press('Enter');
    await page.locator('input.amount').waitFor();
    for (const place of [page.getByRole('radio'), page.getByRole('link', { name: 'History' })]) {
      await place.focus();
      await typed(page, ['5', ',', '5']);
      expect(await amountOf(page)).toBe('5,5');
      await page.keyboard.press('Escape');
      expect(await amountOf(page)).toBe('0.00');
      await blurred(page);
    }
    await page.getByRole('button', { name: '7', exact: true }).click();
    await page.getByRole('button', { name: '00', exact: true }).click();
    await page.waitForTimeout(A_MOMENT_MS);
    await page.keyboard.press('Enter');
    await lastOutcome(page, 'paid');
    expect(charges(world)).toEqual([1234, 700]);
    expect(faults).toEqual([]);
  });

  it('leaves the keys of other fields and of dialogs alone', async () => {
    const world = await aWorld({ autopilotMs: 200 });
    const { page } = await signedIn(browser, await Daemon.start(world));
    await page.getByLabel('Reference').focus();
    await typed(page, ['4', '2']);
    expect(await page.getByLabel('Reference').inputValue()).toBe('42');
    expect(await amountOf(page)).toBe('0.00');
    await page.getByRole('button', { name: 'Find a customer' }).click();
    await page.getByRole('button', { name: 'Close' }).focus();
    await typed(page, ['4', '2']);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await amountOf(page)).toBe('0.00');
    expect(await page.getByLabel('Reference').inputValue()).toBe('42');
    await nothingStarted(page, world, 'dialogs');
  });

  it('starts nothing by a scanner of any speed, wherever the focus is; a second Enter is a person’s', async () => {
    const world = await aWorld({ autopilotMs: 200 });
    const { page } = await signedIn(browser, await Daemon.start(world));
    const focuses = {
      nothing: () => blurred(page),
      amount: () => page.locator('input.amount').focus(),
      reference: () => page.getByLabel('Reference').focus(),
      take: () => page.locator('.pad button[type=submit]').focus(),
      terminal: () => page.getByRole('radio').focus(),
    };
    for (const gapMs of [20, 60, 100])
      for (const code of ['7', '1234567'])
        for (const [place, focus] of Object.entries(focuses)) {
          await page.locator('input.amount').fill('5.00');
          await focus();
          await page.waitForTimeout(A_PAUSE_MS);
          await slowScan(page, [...code, 'Enter', 'Enter'], gapMs);
          await nothingStarted(page, world, `${code} with ${gapMs} ms at ${place}`);
          // A scan that the page recognizes opens the picker.
          const close = page.getByRole('dialog').getByRole('button', { name: 'Close' });
          if ((await close.count()) > 0) await close.click();
          await page.keyboard.press('Escape');
        }
    await blurred(page);
    await page.waitForTimeout(A_PAUSE_MS);
    await slowScan(page, [...'1234', 'Enter'], 100);
    await page.getByText('Press Enter once more to take €12.34.').waitFor();
    expect(await flawsOf(page)).toEqual([]);
    await page.waitForTimeout(A_MOMENT_MS);
    await page.keyboard.press('Enter');
    await lastOutcome(page, 'paid');
    expect(charges(world)).toEqual([1234]);
  }, 300_000);
});
