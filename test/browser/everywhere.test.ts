import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aWorld, Daemon } from '../support/daemon.ts';
import { openBrowser } from './browser.ts';
import { fitsEverywhere } from './every-screen.ts';
import { signedIn } from './shop.ts';
import { lastOutcome, take } from './staff.ts';

describe('the pages on every screen', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  it('fit at 200 % zoom and on a phone, in every language, light and dark, without a flaw that axe finds', async () => {
    const world = await aWorld({ autopilotMs: 100 });
    const daemon = await Daemon.start(world);
    const { page, faults, foreign } = await signedIn(browser, daemon, 'lead');
    await take(page, '1234.56', 'a rather long reference of an order');
    await page.getByRole('dialog').getByRole('button', { name: 'Take €1,234.56' }).click();
    await lastOutcome(page, 'paid');
    const payment = new URL(page.url()).hash;
    await fitsEverywhere(page, [payment, '#/till', '#/till/history', '#/till/tasks']);
    expect({ faults, foreign }).toEqual({ faults: [], foreign: [] });
  });

  it('run nothing that the policy does not let through, and are in nobody’s frame', async () => {
    const daemon = await Daemon.start(await aWorld());
    const { page } = await signedIn(browser, daemon);
    const answer = await page.request.get(`${daemon.url}/`);
    const policy = answer.headers()['content-security-policy'] ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe-|\*|https?:/);
    const ran = await page.evaluate(() => {
      const script = document.createElement('script');
      script.textContent = 'document.documentElement.dataset.evil = "yes"';
      document.body.append(script);
      return document.documentElement.dataset['evil'] ?? 'no';
    });
    expect(ran).toBe('no');
  });
});
