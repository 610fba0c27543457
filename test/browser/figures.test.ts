import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aWorld, Daemon } from '../support/daemon.ts';
import { openBrowser } from './browser.ts';
import { signedIn } from './shop.ts';
import { lastOutcome, pressed, take } from './staff.ts';

const MANY = 10_000;

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
    await page.reload();
    await page.locator('.tile').waitFor();
    const paint = await page.evaluate(
      () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? -1,
    );
    figure('first_contentful_paint', paint, 'ms');
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

  it(`are printed: a history of ${MANY} payments, scrolled to its end`, async () => {
    const daemon = await Daemon.start(await aWorld({ autopilotMs: 50 }));
    const { page } = await signedIn(browser, daemon);
    await take(page, '1.00', 'the model');
    await lastOutcome(page, 'paid');
    await page.route('**/v2/terminal-payments?*', async (route) => {
      const after = new URL(route.request().url()).searchParams.get('starting_after');
      if (after === null) return route.continue();
      const answer = await page.request.get(`${daemon.url}/v2/terminal-payments?limit=1`, {
        headers: route.request().headers(),
      });
      const [model] = (await answer.json()).data;
      const from = Number(/^many-(\d+)$/.exec(after)?.[1] ?? 0);
      const data = Array.from({ length: 100 }, (_, index) => ({
        ...model,
        id: `many-${from + index + 1}`,
        amount_minor: from + index + 1,
        created_at: new Date(Date.parse(model.created_at) - (from + index + 1) * 1000).toISOString(),
      }));
      return route.fulfill({ json: { object: 'list', data, has_more: from + 100 < MANY, url: '' } });
    });
    await page.evaluate(() => sessionStorage.setItem('more', 'yes'));
    await page.route('**/v2/terminal-payments?limit=100', async (route) => {
      const answer = await route.fetch();
      return route.fulfill({ response: answer, json: { ...(await answer.json()), has_more: true } });
    });
    await page.reload();
    await page.getByRole('link', { name: 'History' }).click();
    const frames = await page.evaluate(async (many) => {
      const list = document.querySelector('.windowed');
      if (!list) return [];
      const took: number[] = [];
      let before = performance.now();
      for (let round = 0; round < 4000; round += 1) {
        list.scrollTop = list.scrollHeight;
        await new Promise((resolve) => requestAnimationFrame(() => resolve(undefined)));
        took.push(performance.now() - before);
        before = performance.now();
        if (list.scrollHeight > many * 60) break;
      }
      for (let round = 0; round < 120; round += 1) {
        list.scrollTop = (list.scrollHeight * round) / 120;
        await new Promise((resolve) => requestAnimationFrame(() => resolve(undefined)));
        if (round > 0) took.push(performance.now() - before);
        before = performance.now();
      }
      return took.slice(-119);
    }, MANY);
    const sorted = [...frames].sort((a, b) => a - b);
    figure('history_10000_frame_p50', sorted[Math.floor(sorted.length / 2)] ?? -1, 'ms');
    figure('history_10000_frame_p95', sorted[Math.floor(sorted.length * 0.95)] ?? -1, 'ms');
    const rows = await page.locator('.windowed li[data-row]').count();
    figure('history_10000_rows_drawn', rows, 'rows');
    expect(rows).toBeLessThan(100);
  });
});
