import type { Page } from 'playwright-core';

/** A key behind a pause like a person's: the pages take sooner ones for a scanner's. */
const BY_HAND_MS = 120;
const BEFORE_ENTER_MS = 250;

/** The keys of a person without a pointer, counted. */
export function keysOf(page: Page) {
  let count = 0;
  return {
    get count() {
      return count;
    },
    async press(key: string) {
      count += 1;
      await page.keyboard.press(key);
      await page.waitForTimeout(BY_HAND_MS);
    },
    /** Tab until the focus is on what is named so, by its label or its text. */
    async tabTo(name: RegExp, most = 20) {
      for (let no = 0; no < most; no += 1) {
        await this.press('Tab');
        if (name.test(await focusOf(page))) return;
      }
      throw new Error(`no Tab leads to ${name}`);
    },
    /** Tab there, and Enter. */
    async open(name: RegExp, most = 20) {
      await this.tabTo(name, most);
      await page.waitForTimeout(BEFORE_ENTER_MS);
      await this.press('Enter');
    },
  };
}

/** The name of what has the focus. */
function focusOf(page: Page): Promise<string> {
  return page.evaluate(() => {
    const element = document.activeElement;
    const label = element instanceof HTMLInputElement ? element.labels?.[0] : null;
    return (element?.getAttribute('aria-label') ?? label?.textContent ?? element?.textContent ?? '').trim();
  });
}
