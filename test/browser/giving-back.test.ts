import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aWorld, Daemon } from '../support/daemon.ts';
import { flawsOf } from './axe.ts';
import { isChromium, openBrowser } from './browser.ts';
import { codeOf, signedIn } from './shop.ts';
import { charges, lastOutcome, take } from './staff.ts';

describe('giving money back', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  it('refunds a part behind a confirmation, for a lead, and shows it at the sale', async () => {
    const world = await aWorld({ autopilotMs: 200 });
    const daemon = await Daemon.start(world);
    const { page, loads } = await signedIn(browser, daemon, 'lead');
    await take(page, '10.00', 'to refund');
    await lastOutcome(page, 'paid');
    await page.setViewportSize({ width: 390, height: 844 });
    const digits = page.locator('.facts .unbroken');
    expect(await digits.textContent()).toMatch(/\*\d{4}$/);
    expect(await digits.evaluate((element) => element.getClientRects().length)).toBe(1);
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByRole('button', { name: 'Refund …' }).click();
    const dialog = page.getByRole('dialog', { name: 'Refund to the customer' });
    await dialog.getByText(/^The sale was paid with \S+ \d{6}\*+\d{4}$/).waitFor();
    await dialog.getByRole('textbox').fill('12.00');
    await dialog.getByText('That is more than is left to give back.').waitFor();
    expect(await flawsOf(page)).toEqual([]);
    await dialog.getByRole('textbox').fill('4.00');
    await dialog.getByRole('button', { name: 'Refund €4.00' }).dblclick();
    await lastOutcome(page, 'back_done');
    await page.getByText('€4.00 WAS given back to the customer.').waitFor();
    await page.getByText('Amount given back').waitFor();
    await page.locator('.facts a').first().click();
    await lastOutcome(page, 'paid_back_part');
    await page.getByText('€4.00 of it WAS given back: €6.00 stands.').waitFor();
    const refunds = world.terminal.snapshot().ledger.filter(({ kind }) => kind === 'refund');
    expect({ refunds: refunds.map(({ amountMinor }) => amountMinor), loads: loads() }).toEqual({
      refunds: [400],
      loads: 1,
    });
  });

  it('undoes a sale of the open day as a whole; Escape leaves it', async () => {
    const world = await aWorld({ autopilotMs: 200 });
    const daemon = await Daemon.start(world);
    const { page } = await signedIn(browser, daemon, 'lead');
    await take(page, '6.00', 'to undo');
    await lastOutcome(page, 'paid');
    await page.getByRole('button', { name: 'Undo the sale …' }).click();
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(charges(world)).toEqual([600]);
    await page.getByRole('button', { name: 'Undo the sale …' }).click();
    await page.getByRole('button', { name: 'Undo €6.00' }).click();
    await lastOutcome(page, 'back_done');
    expect(charges(world)).toEqual([]);
  });

  it('is explained to staff, and refused to them by the daemon', async () => {
    const world = await aWorld({ autopilotMs: 200 });
    const daemon = await Daemon.start(world);
    const { page } = await signedIn(browser, daemon, 'staff');
    await take(page, '5.00', '');
    await lastOutcome(page, 'paid');
    await page.getByText('Refunds and undoing a sale need a person who is signed in as lead.').waitFor();
    expect(await page.getByRole('button', { name: 'Refund …' }).count()).toBe(0);
    const id = new URL(page.url()).hash.split('/').at(-1);
    const status = await page.evaluate(async (payment) => {
      const headers = { 'x-tilld-page': localStorage.getItem('tilld.proof') ?? '' };
      return (await fetch(`/v2/terminal-payments/${payment}/refund`, { method: 'POST', headers })).status;
    }, id);
    expect(status).toBe(403);
    await page.locator('.menu summary').click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('textbox').fill(await codeOf(daemon, 'lead'));
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Refund …' }).waitFor();
  });

  it.runIf(isChromium)('prints the copy that was asked for, and nothing else', async () => {
    const world = await aWorld({ autopilotMs: 200 });
    const daemon = await Daemon.start(world);
    const { page } = await signedIn(browser, daemon, 'staff');
    await take(page, '5.50', '');
    await lastOutcome(page, 'paid');
    await page.evaluate(() => {
      window.print = () => {
        document.documentElement.dataset['printed'] = document.documentElement.dataset['print'] ?? '';
      };
    });
    await page.getByRole('button', { name: 'Print customer copy' }).click();
    expect(await page.locator('html').getAttribute('data-printed')).toBe('customer');
    await page.emulateMedia({ media: 'print' });
    await page.evaluate(() => {
      document.documentElement.dataset['print'] = 'customer';
    });
    const printed = page.locator('.receipt pre:visible');
    expect(await printed.allTextContents()).toEqual([expect.stringContaining('Kundenbeleg')]);
    expect(await printed.first().textContent()).not.toMatch(/\b\d{13,19}\b/);
    expect(await page.getByRole('link', { name: 'New payment' }).isVisible()).toBe(false);
  });
});
