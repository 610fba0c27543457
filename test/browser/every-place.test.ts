import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Daemon } from '../support/daemon.ts';
import { openBrowser, openPage } from './browser.ts';
import { goTo } from './every-screen.ts';
import { anOffice, everyButton, nothingIsDone, settled } from './office.ts';
import { wrongWordsIn, wrongWordsOn } from './right-words.ts';
import { aSandboxShop } from './sandbox-shop.ts';
import { signedIn } from './shop.ts';

describe('every place and every dialog of the pages', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  it('shows no id, no code, and no English in German and French; no button loses the focus', async () => {
    const { page, places, faults, foreign } = await anOffice(browser);
    const wrong: string[] = [];
    const dialogs: string[] = [];
    const lost: string[] = [];
    for (const place of places) {
      await settled(page, place);
      wrong.push(...(await wrongWordsOn(page, place)));
      const without = await everyButton(page, place, async (what) => {
        dialogs.push(what);
        wrong.push(...(await wrongWordsOn(page, what)));
      });
      lost.push(...without);
    }
    expect({ wrong: [...new Set(wrong)], lost }).toEqual({ wrong: [], lost: [] });
    expect({ faults, foreign }).toEqual({ faults: [], foreign: [] });
    // Fewer, and a button has gone whose dialog is not looked at any more.
    expect(dialogs.length, dialogs.join('\n')).toBeGreaterThanOrEqual(24);
  }, 900_000);

  it('nor does the page of the virtual terminals, of sign-in and of pairing', async () => {
    const daemon = await Daemon.start(aSandboxShop({ autopilot: 'approve', autopilot_ms: 100 }));
    const { page } = await signedIn(browser, daemon, 'ops');
    await goTo(page, '#/virtual');
    await page.getByRole('button', { name: /^Take / }).click();
    await page.locator('.ledger li').first().waitFor();
    await nothingIsDone(page);
    const wrong = [...(await wrongWordsOn(page, '#/virtual'))];
    const lost = await everyButton(page, '#/virtual', async (what) => {
      wrong.push(...(await wrongWordsOn(page, what)));
    });
    for (const [language, locale] of [
      ['de', 'de-DE'],
      ['fr', 'fr-FR'],
    ] as const) {
      for (const place of ['', '#/pair', '#/pair/12345678']) {
        const { page: other } = await openPage(browser, `${daemon.url}/${place}`, { locale });
        await other.locator('h1').waitFor();
        wrong.push(...(await wrongWordsIn(other, language, place)));
      }
    }
    expect({ wrong: [...new Set(wrong)], lost }).toEqual({ wrong: [], lost: [] });
  });
});
