import { readFileSync, writeFileSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aWorld, Daemon } from '../support/daemon.ts';
import { flawsOf } from './axe.ts';
import { isChromium, openBrowser } from './browser.ts';
import { signedIn } from './shop.ts';
import { charges, lastOutcome, pressed, take, typed } from './staff.ts';

describe('taking a payment', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  it('shows each step with its age, what the terminal shows, then both lights, without a reload', async () => {
    const world = await aWorld({ autopilot: 'off' });
    const daemon = await Daemon.start(world);
    const { page, loads, faults, foreign } = await signedIn(browser, daemon);
    expect(await flawsOf(page)).toEqual([]);
    await take(page, '12.34', 'order 1042');
    await lastOutcome(page, 'working');
    await page.getByText(/At the terminal\s+for \d+ sec/).waitFor();
    await page.getByText('The terminal shows:').waitFor();
    expect(await flawsOf(page)).toEqual([]);
    await pressed(world, 'approve');
    await lastOutcome(page, 'paid');
    await page.getByText('The customer HAS paid €12.34.').waitFor();
    await page.locator('.light', { hasText: 'Charged' }).getByText('Yes').waitFor();
    await page.locator('.light', { hasText: 'Reported' }).getByText('Yes').waitFor();
    expect(await flawsOf(page)).toEqual([]);
    expect(charges(world)).toEqual([1234]);
    expect({ loads: loads(), faults, foreign }).toEqual({ loads: 1, faults: [], foreign: [] });
  });

  it('says that the terminal asks for a tip, and shows what was given', async () => {
    const world = await aWorld({ autopilot: 'off', tipPercent: 10 });
    const config = JSON.parse(readFileSync(world.config, 'utf8'));
    config.devices[0].tip = 'ask';
    writeFileSync(world.config, JSON.stringify(config));
    const { page } = await signedIn(browser, await Daemon.start(world));
    await take(page, '20.00', 'table 7');
    await page.getByText('The terminal asks the customer for a tip, too.').waitFor();
    expect(await flawsOf(page)).toEqual([]);
    await pressed(world, 'approve');
    await page.getByText('The customer HAS paid €22.00, of which €2.00 is a tip.').waitFor();
    expect(await page.getByText('asks the customer for a tip').count()).toBe(0);
    expect(charges(world)).toEqual([2200]);
  });

  it('works with the keyboard alone, from the sign-in to the next customer', async () => {
    const world = await aWorld({ autopilotMs: 200 });
    const daemon = await Daemon.start(world);
    const { page } = await signedIn(browser, daemon);
    const until = async (reached: () => Promise<boolean>) => {
      for (let count = 0; count < 60 && !(await reached()); count += 1) await page.keyboard.press('Tab');
      expect(await reached()).toBe(true);
    };
    const focused = (selector: string) =>
      page.evaluate((css) => document.activeElement?.matches(css) ?? false, selector);
    await until(() => focused('input.amount'));
    await typed(page, ['7', '5', '0', 'Enter']);
    await lastOutcome(page, 'paid');
    expect(await focused('.outcome h1')).toBe(true);
    await until(() => focused('a.button-main'));
    await page.waitForTimeout(500);
    await page.keyboard.press('Enter');
    await page.locator('input.amount').waitFor();
    expect(charges(world)).toEqual([750]);
  });

  it('charges once when the button is pressed twice', async () => {
    const world = await aWorld({ autopilotMs: 300 });
    const daemon = await Daemon.start(world);
    const { page } = await signedIn(browser, daemon);
    await page.locator('input.amount').fill('3.00');
    await page.getByRole('button', { name: 'Take €3.00' }).dblclick();
    await lastOutcome(page, 'paid');
    expect(charges(world)).toEqual([300]);
  });

  it.runIf(isChromium)('charges once when the answer is lost and the page is loaded again', async () => {
    const world = await aWorld({ autopilotMs: 300 });
    const daemon = await Daemon.start(world);
    const { page } = await signedIn(browser, daemon);
    let lost = 0;
    await page.route('**/v2/terminal-payments', async (route) => {
      if (route.request().method() !== 'POST') return route.continue();
      await route.fetch();
      lost += 1;
      return route.abort();
    });
    await take(page, '4.00', '');
    await page.getByText('Sent, no answer yet').waitFor();
    await page.getByText('It is not known yet whether the customer was charged.').waitFor();
    await page.unroute('**/v2/terminal-payments');
    await page.reload();
    await lastOutcome(page, 'paid');
    expect(lost).toBeGreaterThan(0);
    expect(charges(world)).toEqual([400]);
  });

  it('never takes a request for new that lay unanswered for more than a minute', async () => {
    const world = await aWorld({ autopilotMs: 100 });
    const daemon = await Daemon.start(world);
    const { page } = await signedIn(browser, daemon);
    await page.route('**/v2/terminal-payments', (route) =>
      route.request().method() === 'POST' ? route.abort() : route.continue(),
    );
    await take(page, '9.99', '');
    await page.getByText('Sent, no answer yet').waitFor();
    await page.evaluate(() => {
      const kept = JSON.parse(sessionStorage.getItem('tilld.taking') ?? '{}');
      sessionStorage.setItem('tilld.taking', JSON.stringify({ ...kept, since: kept.since - 61_000 }));
    });
    await page.unroute('**/v2/terminal-payments');
    await page.reload();
    await page.getByText('The customer was NOT charged: the request did not arrive.').waitFor();
    expect(charges(world)).toEqual([]);
  });

  it('says what a decline and a cancel mean for the customer, and shows them in the history', async () => {
    const world = await aWorld({ autopilot: 'off' });
    const daemon = await Daemon.start(world);
    const { page } = await signedIn(browser, daemon);
    await take(page, '5.00', 'declined one');
    await lastOutcome(page, 'working');
    await pressed(world, 'decline');
    await lastOutcome(page, 'declined');
    await page.getByText('Try another card or another way to pay.').waitFor();
    await page.getByRole('link', { name: 'New payment' }).click();
    await take(page, '6.00', 'cancelled one');
    await lastOutcome(page, 'working');
    await page.getByText('The terminal shows:').waitFor();
    await page.getByRole('button', { name: 'Cancel payment' }).click();
    await lastOutcome(page, 'cancelled');
    await page.getByText('The customer was NOT charged.').waitFor();
    await page.getByRole('link', { name: 'History' }).click();
    await page.getByRole('link', { name: /€5\.00.*declined one.*Declined/ }).waitFor();
    await page.getByRole('link', { name: /€6\.00.*cancelled one.*Cancelled/ }).waitFor();
    expect(await flawsOf(page)).toEqual([]);
    expect(charges(world)).toEqual([]);
  });

  it('refuses the same again with words, shows the other one, and takes it for who has looked', async () => {
    const world = await aWorld({ autopilotMs: 100 });
    const daemon = await Daemon.start(world);
    const { page } = await signedIn(browser, daemon);
    await take(page, '8.00', 'order 7');
    await lastOutcome(page, 'paid');
    await page.getByRole('link', { name: 'New payment' }).click();
    await take(page, '8.00', 'order 7');
    await page
      .getByText(
        /^This request charged the customer NOTHING: it was not started\. Payment .* stands in its way: The customer HAS paid €8\.00\.$/,
      )
      .waitFor();
    expect(await page.getByText('The customer was NOT charged').count()).toBe(0);
    expect(await flawsOf(page)).toEqual([]);
    expect(charges(world)).toEqual([800]);
    await page.getByRole('button', { name: 'I have looked: take it all the same' }).click();
    await lastOutcome(page, 'paid');
    expect(charges(world)).toEqual([800, 800]);
  });
});
