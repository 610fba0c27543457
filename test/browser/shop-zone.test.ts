import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aWorld, Daemon } from '../support/daemon.ts';
import { openBrowser } from './browser.ts';
import { signedIn } from './shop.ts';
import { lastOutcome, take } from './staff.ts';

/** No machine that runs tests stands there. */
const FAR = { timezoneId: 'Pacific/Kiritimati' };
const CLOCK = /\d{2}:\d{2}/g;

/** What the clock of the shop said during the last five minutes. */
function shopTimes(): readonly string[] {
  const clock = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short' });
  return [0, 1, 2, 3, 4, 5].map((minutes) => clock.format(Date.now() - minutes * 60_000));
}

describe('a screen in another time zone', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  it('shows the times that the shop reads: of payments, in the log, at the charts', async () => {
    const daemon = await Daemon.start(await aWorld({ autopilotMs: 50 }));
    const { page } = await signedIn(browser, daemon, 'ops', FAR);
    const timesIn = async (place: string) => {
      await page.locator(place).first().waitFor();
      return (await page.locator(place).first().textContent())?.match(CLOCK) ?? [];
    };
    await take(page, '12.34', 'order 1042');
    await lastOutcome(page, 'paid');
    const [started] = await timesIn('.details');
    await page.getByRole('link', { name: 'History' }).click();
    const [listed] = await timesIn('.windowed a.row');
    await page.goto(`${daemon.url}/#/ops/log`);
    const [logged] = await timesIn('.log time');
    expect(shopTimes()).toEqual(expect.arrayContaining([started, listed, logged]));
    await page.goto(`${daemon.url}/#/ops/charts`);
    await page.locator('.plot').first().waitFor();
    await page.getByText('As a table').first().click();
    const hours = await timesIn('details table');
    expect(hours.at(-1)?.slice(0, 2)).toBe(shopTimes()[0]?.slice(0, 2));
  });
});
