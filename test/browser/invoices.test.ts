import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aWorld, Daemon } from '../support/daemon.ts';
import { flawsOf } from './axe.ts';
import { openBrowser } from './browser.ts';
import { lineOf } from './line.ts';
import { signedIn } from './shop.ts';
import { charges, lastOutcome } from './staff.ts';

const MIRRORED = { mirror: { lists: ['invoices'] } };

/** Opens the picker as often as it takes until the mirror has its first list. */
async function picker(page: Page): Promise<void> {
  for (let look = 0; look < 30; look += 1) {
    await page.getByRole('button', { name: 'Pick an invoice' }).click();
    await page
      .locator('dialog')
      .getByText(/As of|is as of|No invoices have been fetched|Not everything has been/)
      .waitFor();
    if ((await page.locator('dialog li button').count()) > 0) return;
    await page.keyboard.press('Escape');
    await page.waitForTimeout(500);
  }
  throw new Error('the mirror never got an invoice');
}

/** Takes the first invoice that can be paid; its number and what is due, in minor units. */
async function pickFirst(page: Page): Promise<{ number: string; due: number }> {
  const row = page.locator('dialog li button:enabled').first();
  const number = String(await row.locator('.row-main').textContent());
  const due = Number(String(await row.locator('.row-amount').textContent()).replace(/\D/g, ''));
  await row.click();
  await page.locator('dialog').waitFor({ state: 'detached' });
  await page.getByText(`Invoice ${number}`, { exact: true }).waitFor();
  return { number, due };
}

async function payIt(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Take €/ }).click();
  await lastOutcome(page, 'paid');
}

describe('an open invoice', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  it('is found by its number, picked from the mirror and paid with what is due', async () => {
    const world = await aWorld({ autopilotMs: 200 }, MIRRORED);
    const { page, loads, faults, foreign } = await signedIn(browser, await Daemon.start(world));
    await picker(page);
    expect(await flawsOf(page)).toEqual([]);
    const wanted = String(await page.locator('dialog li .row-main').nth(1).textContent());
    await page.getByRole('searchbox').fill(wanted);
    await page.getByText(/\. 1 found\./).waitFor();
    const { number, due } = await pickFirst(page);
    expect(number).toBe(wanted);
    await payIt(page);
    await page.locator('.light', { hasText: 'Reported' }).getByText('Yes').waitFor();
    expect(charges(world)).toEqual([due]);
    await page.getByRole('link', { name: 'New payment' }).click();
    await picker(page);
    expect(await page.locator('dialog li button:enabled', { hasText: number }).count()).toBe(0);
    await page.keyboard.press('Escape');
    expect({ loads: loads(), faults, foreign }).toEqual({ loads: 1, faults: [], foreign: [] });
  });

  it('is picked and paid with the service down, said to be as old as it is, and not offered twice', async () => {
    const world = await aWorld({ autopilotMs: 200 }, MIRRORED);
    const line = await lineOf(world);
    const { page, loads } = await signedIn(browser, await Daemon.start(world));
    await picker(page);
    await page.keyboard.press('Escape');
    await line.becomes('refused');
    await page.getByText('No connection to the service').waitFor();
    await picker(page);
    await page.getByText('An invoice may have been paid elsewhere since.').waitFor();
    expect(await flawsOf(page)).toEqual([]);
    const { number, due } = await pickFirst(page);
    await payIt(page);
    await page.locator('.light', { hasText: 'Reported' }).getByText('Later, by itself').waitFor();
    await page.getByRole('link', { name: 'New payment' }).click();
    await picker(page);
    const paid = page.locator('dialog li button', { hasText: number });
    await paid.getByText('Paid here a moment ago').waitFor();
    expect(await paid.isDisabled()).toBe(true);
    await page.keyboard.press('Escape');
    await line.becomes('through');
    await page.getByText('No connection to the service').waitFor({ state: 'detached', timeout: 60_000 });
    expect({ charges: charges(world), loads: loads() }).toEqual({ charges: [due], loads: 1 });
  });
});
