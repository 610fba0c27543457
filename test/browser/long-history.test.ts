import Sqlite from 'better-sqlite3';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fillStore } from '../bench/store-builder.ts';
import { aWorld, Daemon } from '../support/daemon.ts';
import { isChromium, openBrowser } from './browser.ts';
import { firstPaint, signedIn } from './shop.ts';
import { lastOutcome, take } from './staff.ts';

const MANY = 10_000;
const VERY_MANY = 100_000;
const MOST_DRAWN = 100;
const JUMPS = 100;

/** What is drawn of the list: where each row stands in it, its address, and the rows that can be seen. */
const drawn = (page: Page) =>
  page.locator('.windowed').evaluate((list) => {
    const box = list.getBoundingClientRect();
    const rows = [...list.querySelectorAll('li[data-row]')];
    return {
      places: rows.map((row) => Number(row.getAttribute('aria-posinset'))),
      addresses: rows.map((row) => row.querySelector('a')?.getAttribute('href') ?? ''),
      seen: rows
        .filter((row) => row.getBoundingClientRect().bottom > box.top + 1)
        .filter((row) => row.getBoundingClientRect().top < box.bottom - 1)
        .map((row) => Number(row.getAttribute('aria-posinset'))),
    };
  });

/** Scrolls to the end as often as older ones come, until the page says that there are no more. */
const scrolledToTheEnd = (page: Page) =>
  page.locator('.windowed').evaluate(async (list) => {
    const shownText = () => document.querySelector('.history p[role=status]')?.textContent ?? '';
    for (let frame = 0; frame < 6_000 && !shownText().includes('These are all.'); frame += 1) {
      list.scrollTop = list.scrollHeight;
      await new Promise((resolve) => requestAnimationFrame(() => resolve(undefined)));
    }
    return shownText();
  });

/** Scrolls to a part of the list, 0 to 1, and waits for the next frames: what is drawn follows what is seen. */
const scrolledTo = (page: Page, part: number) =>
  page.locator('.windowed').evaluate(async (list, share) => {
    list.scrollTop = (list.scrollHeight - list.clientHeight) * share;
    for (let frame = 0; frame < 3; frame += 1)
      await new Promise((resolve) => requestAnimationFrame(() => resolve(undefined)));
  }, part);

/** The payments of the books, newest first. */
function idsOf(path: string): readonly unknown[] {
  const sqlite = new Sqlite(path, { readonly: true });
  try {
    return sqlite.prepare('SELECT id FROM attempts ORDER BY seq DESC').pluck().all();
  } finally {
    sqlite.close();
  }
}

/** How long each frame took while the whole list went by, in ms, shortest first. */
const framesOf = (page: Page) =>
  page.locator('.windowed').evaluate(async (list, jumps) => {
    const took: number[] = [];
    let before = performance.now();
    for (let jump = 0; jump < jumps; jump += 1) {
      list.scrollTop = (list.scrollHeight * jump) / jumps;
      await new Promise((resolve) => requestAnimationFrame(() => resolve(undefined)));
      took.push(performance.now() - before);
      before = performance.now();
    }
    return took.sort((a, b) => a - b);
  }, JUMPS);

/** Processor time that the page itself has used, in ms: what a busy machine does not change. */
async function busyOf(page: Page): Promise<() => Promise<number>> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  return async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return 1_000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN);
  };
}

/** What a person waits for after each key or click, in ms, as the browser measures it (steps of 8 ms; below 16 ms it says nothing). */
async function interactionsOf(page: Page): Promise<() => Promise<readonly number[]>> {
  await page.evaluate(() => {
    const took: number[] = [];
    Object.assign(window, { took });
    const watch = new PerformanceObserver((list) =>
      took.push(...list.getEntries().map(({ duration }) => duration)),
    );
    watch.observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit);
  });
  return () => page.evaluate(() => Reflect.get(window, 'took'));
}

/** So many pages of older payments are read. */
const readPages = (page: Page, pages: number) =>
  page.locator('.windowed').evaluate(async (list, count) => {
    const read = () =>
      Number(/\d+/.exec(document.querySelector('.found-text')?.textContent?.replace(/\D/g, '') ?? '')?.[0]);
    for (let frame = 0; frame < 3_000 && read() < count; frame += 1) {
      list.scrollTop = list.scrollHeight;
      await new Promise((resolve) => requestAnimationFrame(() => resolve(undefined)));
    }
  }, 100 * pages);

/** Prints one JSON line, as `npm run bench` does; a figure is shown, never asserted. */
function figure(metric: string, value: number): void {
  const line = { bench: 'pages', metric, value: Math.round(value * 10) / 10, unit: 'ms' };
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

// The processor time of a page is read by Chromium's own protocol.
describe.runIf(isChromium)('a long history', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  it(`of ${MANY} payments of the books is scrolled to its end, a few rows drawn at a time, none twice or left out`, async () => {
    const world = await aWorld({ autopilotMs: 50 });
    const first = await Daemon.start(world);
    const before = await signedIn(browser, first);
    await take(before.page, '1.00', 'the model');
    await lastOutcome(before.page, 'paid');
    await before.page.locator('.light', { hasText: 'Reported' }).getByText('Yes').waitFor();
    await first.stop();
    expect(fillStore(first.database, MANY)).toBe(MANY);
    const { page, loads, faults } = await signedIn(browser, await Daemon.start(world));
    await page.getByRole('link', { name: 'History' }).click();
    expect(await scrolledToTheEnd(page)).toContain(`${MANY.toLocaleString('en')} read`);
    const books = idsOf(first.database).map((id) => `#/till/payment/${id}`);
    for (const part of [1, 0, 0.001, 0.3, 0.301, 0.999]) {
      await scrolledTo(page, part);
      const { places, addresses, seen } = await drawn(page);
      const [start = 0] = places;
      expect(places.length).toBeLessThan(MOST_DRAWN);
      expect(seen.length).toBeGreaterThan(3);
      expect(places).toEqual(places.map((_, index) => start + index));
      // A heading of a day is a row without an address.
      const shown = addresses.filter((address) => address !== '');
      const at = books.indexOf(shown[0] ?? '');
      expect(shown).toEqual(books.slice(at, at + shown.length));
      if (part === 0) expect(at).toBe(0);
      if (part === 1) expect(at + shown.length).toBe(books.length);
    }
    const busy = await busyOf(page);
    const began = await busy();
    const frames = await framesOf(page);
    figure('books_10000_frame_processor', ((await busy()) - began) / JUMPS);
    figure('books_10000_frame_p50', frames[Math.floor(JUMPS / 2)] ?? -1);
    figure('books_10000_frame_p95', frames[Math.floor(JUMPS * 0.95)] ?? -1);
    expect({ loads: loads(), faults }).toEqual({ loads: 1, faults: [] });
  }, 240_000);

  it(`of ${VERY_MANY} payments is searched and walked through by keys, and every search says what it found`, async () => {
    const world = await aWorld({ autopilotMs: 50 });
    const first = await Daemon.start(world);
    const before = await signedIn(browser, first);
    await take(before.page, '1.00', 'the model');
    await lastOutcome(before.page, 'paid');
    await first.stop();
    expect(fillStore(first.database, VERY_MANY)).toBe(VERY_MANY);
    const { page, faults } = await signedIn(browser, await Daemon.start(world), 'lead');
    figure('books_100000_first_contentful_paint', await firstPaint(page));
    await page.getByRole('link', { name: 'History' }).click();
    await page.locator('.day-totals', { hasText: 'Sales' }).first().waitFor();
    await readPages(page, 30);
    const interactions = await interactionsOf(page);
    const busy = await busyOf(page);
    const busyBefore = await busy();
    let keys = 0;
    const waits: number[] = [];
    for (const [text, found] of [
      ['57.31', '5 payments of €57.31'],
      ['5731', '5 payments of €57.31'],
      ['the model', 'payments or more with reference “the model”'],
      ['he mod', 'payments or more with “he mod” in the reference or invoice number'],
      ['yesterday', 'payments or more on '],
      ['nothing like it', 'No payment with reference “nothing like it”'],
    ] as const) {
      await page.keyboard.press('F3');
      await page.locator('.history-search input:focus').waitFor();
      await page.keyboard.type(text, { delay: 130 });
      const began = performance.now();
      await page.locator('.found-text', { hasText: found }).waitFor();
      waits.push(performance.now() - began);
      for (let no = 0; no < 10; no += 1) await page.keyboard.press('ArrowDown', { delay: 30 });
      keys += 1 + text.length + 10;
    }
    const took = [...(await interactions())].sort((a, b) => a - b);
    figure('books_100000_key_processor', ((await busy()) - busyBefore) / keys);
    figure('books_100000_search_longest', Math.max(...waits));
    figure('books_100000_interaction_p50', took[Math.floor(took.length / 2)] ?? 0);
    figure('books_100000_interaction_p95', took[Math.floor(took.length * 0.95)] ?? 0);
    expect(took.length).toBeGreaterThan(20);
    expect(faults).toEqual([]);
  }, 400_000);
});
