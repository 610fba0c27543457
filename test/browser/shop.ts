import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { Daemon } from '../support/daemon.ts';
import { askOver } from '../support/socket.ts';
import { openPage, type Seen } from './browser.ts';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '../..');

export type Role = 'staff' | 'lead' | 'ops';

/** A one-time code, as a person gets it: on the command line, which takes a second. */
export async function typedCodeOf(daemon: Daemon, role: Role): Promise<string> {
  const words = ['src/cli/tillctl.ts', '--socket', daemon.socket, 'sign-in', '--role', role, '--json'];
  const { stdout } = await run(process.execPath, words, { cwd: ROOT });
  const { data } = JSON.parse(stdout) as { data: { code: string } };
  return data.code;
}

/** A one-time code from the socket that the command line asks, too. */
export async function codeOf(daemon: Daemon, role: Role): Promise<string> {
  const answer = await askOver(daemon.socket, 'POST', '/v2/sign-in-codes', { role });
  const { data } = answer as { data: { code: string } };
  return data.code;
}

/** The pages with somebody signed in. */
export async function signedIn(
  browser: Browser,
  daemon: Daemon,
  role: Role = 'staff',
  options: BrowserContextOptions = {},
): Promise<Seen> {
  const seen = await openPage(browser, daemon.url, options);
  await seen.page.getByRole('textbox').fill(await codeOf(daemon, role));
  await seen.page.keyboard.press('Enter');
  await seen.page.locator('header.top').waitFor();
  return seen;
}

/** Loads the till anew. @returns when it was first painted, in ms */
export async function firstPaint(page: Page): Promise<number> {
  await page.reload();
  await page.locator('.tile').first().waitFor();
  return await page.evaluate(
    () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? -1,
  );
}
