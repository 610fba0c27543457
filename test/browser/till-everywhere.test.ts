import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aWorld, Daemon } from '../support/daemon.ts';
import { askOver } from '../support/socket.ts';
import { flawsOf } from './axe.ts';
import { openBrowser, setColours } from './browser.ts';
import { goTo } from './every-screen.ts';
import { picture } from './picture.ts';
import { speak } from './right-words.ts';
import { aSandboxShop } from './sandbox-shop.ts';
import { outOfView, overhang, SCREENS } from './screens.ts';
import { signedIn } from './shop.ts';
import { lastOutcome } from './staff.ts';

const LANGUAGES = ['de', 'fr', 'en'] as const;
const SCHEMES = ['dark', 'light'] as const;

/** What staff need at a view is not whole on a screen, a view is wider than a screen, or axe finds a flaw; one line each. */
async function flawsEverywhere(
  page: Page,
  view: string,
  needed: Readonly<Record<string, Locator>>,
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const language of LANGUAGES) {
    await speak(page, language);
    for (const size of SCREENS) {
      await page.setViewportSize(size);
      const what = `${view} ${language} ${size.width}x${size.height}`;
      for (const one of [...(await outOfView(page, needed)), ...(await overhang(page))])
        found.push(`${what}: ${one}`);
      for (const colorScheme of SCHEMES) {
        await setColours(page, colorScheme);
        for (const flaw of await flawsOf(page)) found.push(`${what} ${colorScheme}: ${flaw}`);
        if (language === 'en') await picture(page, `till ${what} ${colorScheme}`);
      }
    }
  }
  return found;
}

describe('the till, on five screens, in three languages, light and dark', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  it('has the terminal, the amount and the button in view before a sale, also where it says why none is possible', async () => {
    const world = await aWorld({ autopilotMs: 100 }, { heartbeat_ms: 1000 });
    const { page, faults, foreign } = await signedIn(browser, await Daemon.start(world));
    const amount = page.locator('input.amount');
    const tile = page.locator('.tile');
    const needed = { terminal: tile, amount, take: page.locator('.pad button[type=submit]') };
    const found: string[] = [];
    await amount.fill('12.34');
    found.push(...(await flawsEverywhere(page, 'typed', needed)));
    await page.locator('.split-begin').click();
    await page.locator('.chosen').waitFor();
    await amount.fill('99.00');
    found.push(...(await flawsEverywhere(page, 'more than the rest', needed)));
    await page.locator('.chosen .button-icon').click();
    world.terminal.setPaper(false);
    await page.locator('.tile-needs_person').waitFor();
    found.push(...(await flawsEverywhere(page, 'no paper', needed)));
    world.terminal.setPower(false);
    await page.locator('.tile-offline').waitFor({ timeout: 60_000 });
    found.push(...(await flawsEverywhere(page, 'no power', needed)));
    expect(found).toEqual([]);
    expect({ faults, foreign }).toEqual({ faults: [], foreign: [] });
  }, 600_000);

  it('has the amount and what to press in view while it asks, awaits a card, and says how it ended', async () => {
    // The customer has time until every screen is seen.
    const options = { customerTimeoutMs: 600_000 };
    const daemon = await Daemon.start(aSandboxShop({ autopilot: 'off', options }));
    const customer = (key: string) =>
      askOver(daemon.socket, 'POST', '/v2/virtual-terminals/counter-1/keys', { key });
    const { page, faults, foreign } = await signedIn(browser, daemon);
    const take = page.locator('.pad button[type=submit]');
    const dialog = page.getByRole('dialog');
    const shown = { amount: page.locator('.outcome-amount'), title: page.locator('.outcome h1') };
    const found: string[] = [];
    await page.locator('input.amount').fill('1234.56');
    await take.click();
    const asked = { amount: dialog.locator('.large-amount'), buttons: dialog.locator('.buttons button') };
    found.push(...(await flawsEverywhere(page, 'asked about', asked)));
    await dialog.locator('[data-takes]').click();
    await lastOutcome(page, 'working');
    const cancel = page.locator('main .button-bad[data-takes]');
    const terminal = page.locator('.terminal-text');
    await terminal.waitFor();
    found.push(...(await flawsEverywhere(page, 'awaited', { ...shown, terminal, cancel })));
    await customer('approve');
    await lastOutcome(page, 'paid');
    const next = page.locator('.outcome-now');
    found.push(...(await flawsEverywhere(page, 'paid', { ...shown, next })));
    await goTo(page, '#/till');
    await page.locator('input.amount').fill('5.00');
    await take.click();
    await terminal.waitFor();
    await customer('decline');
    await lastOutcome(page, 'declined');
    const again = page.locator('[data-key=F2]');
    found.push(...(await flawsEverywhere(page, 'declined', { ...shown, next, again })));
    expect(found).toEqual([]);
    expect({ faults, foreign }).toEqual({ faults: [], foreign: [] });
  }, 600_000);
});
