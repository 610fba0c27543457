import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser } from './browser.ts';
import { anOffice, everyButton, settled } from './office.ts';
import { wrongWordsOn } from './right-words.ts';

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
    expect(dialogs.length, dialogs.join('\n')).toBeGreaterThanOrEqual(17);
  }, 300_000);
});
