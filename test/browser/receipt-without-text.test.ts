import { readFileSync, writeFileSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aWorld, Daemon } from '../support/daemon.ts';
import { flawsOf } from './axe.ts';
import { openBrowser } from './browser.ts';
import { speak } from './right-words.ts';
import { signedIn } from './shop.ts';
import { lastOutcome, take } from './staff.ts';

const AN_ID = '0198c5a0-0000-7000-8000-000000000009';

describe('the receipt of a terminal that prints its own and sends no text', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  it('is on the screen with amount, day, card, numbers and terminal, and printed alone', async () => {
    const world = await aWorld({ autopilotMs: 200 });
    const config = JSON.parse(readFileSync(world.config, 'utf8'));
    Object.assign(config.devices[0], { options: { receipts: false } });
    writeFileSync(world.config, JSON.stringify(config));
    const { page, faults } = await signedIn(browser, await Daemon.start(world));
    await take(page, '12.34', 'basket 1');
    await lastOutcome(page, 'paid');
    await page.getByText('The terminal gave no receipt text').waitFor();
    const receipt = page.locator('.receipt[data-copy=customer] pre');
    expect(await receipt.textContent()).toMatch(
      /^Sale €12\.34\n\d{1,2} \p{L}+ \d{4} at \d\d:\d\d\nCard: .*\d{4}\nReceipt number: \d+\nAuthorisation code: \w+\nTerminal: Counter 1\nTerminal ID: \d+$/u,
    );
    expect(await flawsOf(page)).toEqual([]);
    await speak(page, 'de');
    expect(await receipt.textContent()).toMatch(
      /^Verkauf 12,34\s€\n\d+\. \p{L}+ \d{4} um \d\d:\d\d\nKarte: /u,
    );
    await page.evaluate(() => {
      window.print = () => {
        document.documentElement.dataset['printed'] = document.documentElement.dataset['print'] ?? '';
      };
    });
    await page.getByRole('button', { name: 'Kundenbeleg drucken' }).click();
    expect(await page.locator('html').getAttribute('data-printed')).toBe('customer');

    // Newer evidence contradicts the payment: only this response is changed.
    for (const newer of [{ charged: 'unknown' }, { charged: 'no' }, { corrected_by: AN_ID }]) {
      await page.route(/\/v2\/terminal-payments(\/|\?|$)/, async (route) => {
        const response = await route.fetch();
        const { data, ...rest } = await response.json();
        const changed = (one: object) => ({ ...one, ...newer });
        const json = { ...rest, data: Array.isArray(data) ? data.map(changed) : changed(data) };
        await route.fulfill({ response, json });
      });
      await page.reload();
      await page.locator('.facts').waitFor();
      expect(await page.locator('.receipt').count(), JSON.stringify(newer)).toBe(0);
      await page.unrouteAll({ behavior: 'wait' });
    }
    expect(faults).toEqual([]);
  });
});
