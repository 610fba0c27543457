import { existsSync } from 'node:fs';
import { type Browser, type BrowserContextOptions, chromium, firefox, type Page } from 'playwright-core';
import { onTestFinished } from 'vitest';

/** Chromium. */
export const PATH = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

/** The scenarios run in this browser in place of Chromium: `FIREFOX=/usr/bin/firefox-esr npm run test:browser`. */
const FIREFOX = process.env['FIREFOX'];

/** For scenarios of what WebDriver BiDi has no words for: a virtual authenticator, the body of a request, a download, print, an app's manifest, keys as fast as a scanner's. */
export const isChromium = FIREFOX === undefined;

export interface BrowserOptions {
  readonly args?: readonly string[];
  /** Where it looks for what its user has set, like certificates. */
  readonly home?: string;
  /** What starts it; default: itself. */
  readonly starter?: string;
}

/** One browser for a test file; close it at the end. @throws with the words how to install it */
export async function openBrowser({
  args = [],
  home,
  starter = PATH,
}: BrowserOptions = {}): Promise<Browser> {
  if (FIREFOX !== undefined) {
    // Any Firefox, driven by WebDriver BiDi. Its panel of downloads would take the keyboard from the page.
    const firefoxUserPrefs = { 'browser.download.alwaysOpenPanel': false };
    return await firefox.launch({ executablePath: FIREFOX, channel: 'moz-firefox', firefoxUserPrefs });
  }
  if (!existsSync(PATH)) {
    throw new Error(
      `There is no Chromium at ${PATH}. Install it (Debian, Ubuntu: apt-get install -y chromium), ` +
        'or say where it is: CHROMIUM=/path/to/chromium npm run test:browser',
    );
  }
  const env = home === undefined ? {} : { env: { ...process.env, HOME: home } };
  const always = ['--no-sandbox', '--disable-dev-shm-usage'];
  return await chromium.launch({ executablePath: starter, args: [...always, ...args], ...env });
}

/** A page, and all that it did beside what it shows. */
export interface Seen {
  readonly page: Page;
  /** Addresses it asked for that are not of its own origin. */
  readonly foreign: readonly string[];
  /** What the browser refused because of the policy, and errors that nobody caught. */
  readonly faults: readonly string[];
  /** How often the document was loaded. */
  readonly loads: () => number;
}

/** Opens the pages of a daemon in a browser that knows nothing yet. */
export async function openPage(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<Seen> {
  const context = await browser.newContext({
    locale: 'en-GB',
    viewport: { width: 1280, height: 800 },
    ...options,
  });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const foreign: string[] = [];
  const faults: string[] = [];
  let loads = 0;
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== new URL(url).origin) foreign.push(request.url());
  });
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('console', (message) => {
    if (/Content Security Policy|Refused to/i.test(message.text())) faults.push(message.text());
  });
  page.on('load', () => {
    loads += 1;
  });
  await page.goto(url);
  return { page, foreign, faults, loads: () => loads };
}

/** Light or dark. Firefox has no emulation of it by WebDriver BiDi, so there the menu of the screen chooses it. */
export async function setColours(page: Page, colorScheme: 'dark' | 'light'): Promise<void> {
  if (isChromium) await page.emulateMedia({ colorScheme });
  else await chooseColours(page, colorScheme);
}

/** The same as a person chooses it in the menu of the screen, over what the system has. */
export async function chooseColours(page: Page, colours: 'dark' | 'light'): Promise<void> {
  await page.evaluate((chosen) => {
    const select = document.querySelector(`.choices select:has(option[value=${chosen}])`);
    if (!(select instanceof HTMLSelectElement)) throw new Error('the page has no choice of colours');
    select.value = chosen;
    select.dispatchEvent(new Event('change', { bubbles: true }));
  }, colours);
  await page.waitForFunction((chosen) => document.documentElement.dataset['theme'] === chosen, colours);
}
