import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aWorld, Daemon } from '../support/daemon.ts';
import { openBrowser } from './browser.ts';
import { firstPaint, signedIn } from './shop.ts';
import { lastOutcome, pressed, take } from './staff.ts';

/** Prints one JSON line per figure, as `npm run bench` does; a figure is shown, never asserted. */
function figure(metric: string, value: number, unit: string): void {
  process.stdout.write(
    `${JSON.stringify({ bench: 'pages', metric, value: Math.round(value * 10) / 10, unit })}\n`,
  );
}

describe('figures of the pages', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  it('are printed: first paint, and how long after its event a step is on the screen', async () => {
    const world = await aWorld({ autopilot: 'off' });
    const daemon = await Daemon.start(world);
    const { page } = await signedIn(browser, daemon);
    figure('first_contentful_paint', await firstPaint(page), 'ms');
    await page.evaluate(() => {
      const steps: number[] = [];
      let last = '';
      new MutationObserver(() => {
        const key = document.querySelector<HTMLElement>('[data-outcome]')?.dataset['outcome'] ?? '';
        if (key === last) return;
        last = key;
        requestAnimationFrame(() => steps.push(Date.now()));
      }).observe(document.body, { subtree: true, childList: true, attributes: true });
      Object.assign(window, { steps });
    });
    await take(page, '1.00', 'measured');
    await lastOutcome(page, 'working');
    await pressed(world, 'approve');
    await lastOutcome(page, 'paid');
    const shown = await page.evaluate(() => (Reflect.get(window, 'steps') as number[]).at(-1) ?? 0);
    const id = new URL(page.url()).hash.split('/').at(-1) ?? '';
    const ended = await page.evaluate(async (payment) => {
      const headers = { 'x-tilld-page': localStorage.getItem('tilld.proof') ?? '' };
      const answer = await fetch(`/v2/terminal-payments/${payment}`, { headers });
      return Date.parse((await answer.json()).data.completed_at);
    }, id);
    figure('outcome_on_screen_after_its_commit', shown - ended, 'ms');
    expect(shown).toBeGreaterThan(0);
  });
});
