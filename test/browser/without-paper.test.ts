import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aWorld, Daemon } from '../support/daemon.ts';
import { flawsOf } from './axe.ts';
import { openBrowser } from './browser.ts';
import { goTo } from './every-screen.ts';
import { speak, wrongWordsOn } from './right-words.ts';
import { signedIn } from './shop.ts';
import { charges, lastOutcome } from './staff.ts';

const ROOT = join(import.meta.dirname, '../..');
const run = promisify(execFile);

/** What a command says; the doctor's exit code is 1 where a check fails. */
async function shownText(daemon: Daemon, words: readonly string[]): Promise<string> {
  const args = ['src/cli/tillctl.ts', '--socket', daemon.socket, ...words];
  const { stdout } = await run(process.execPath, args, { cwd: ROOT }).catch(
    (error: { stdout: string }) => error,
  );
  return stdout;
}

/** What a place calls the terminal, in the three languages. */
async function inEveryLanguage(page: Page, place: string): Promise<readonly string[]> {
  await goTo(page, place);
  const texts: string[] = [];
  for (const language of ['de', 'fr', 'en'] as const) {
    await speak(page, language);
    texts.push((await page.locator('main').textContent()) ?? '');
  }
  return texts;
}

const PAPER = [/neue Rolle|Rolle leer/, /nouveau rouleau/, /new roll/];
const UNCONNECTED = /Not connected|Nicht verbunden|Non connecté|is not connected|offline/;

describe('a terminal that has run out of paper', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  it('says so at the till, takes no payment until a roll is in, and goes on by itself', async () => {
    const world = await aWorld({ autopilotMs: 200 }, { heartbeat_ms: 1000 });
    const { page, faults, loads } = await signedIn(browser, await Daemon.start(world));
    const tile = page.locator('.tile', { hasText: 'Counter 1' });
    await tile.getByText('Ready').waitFor();
    world.terminal.setPaper(false);
    await tile.getByText('Needs a person').waitFor();
    await tile.getByText('put in a new roll').waitFor();
    await page.locator('input.amount').fill('2.00');
    await page.getByText(/no paper, or its cover is open\. Nothing was started/).waitFor();
    expect(await page.locator('.pad button[type=submit]').isDisabled()).toBe(true);
    expect(await page.locator('main').textContent()).not.toMatch(UNCONNECTED);
    expect(await flawsOf(page)).toEqual([]);
    world.terminal.setPaper(true);
    await tile.getByText('Ready').waitFor({ timeout: 60_000 });
    await page.getByRole('button', { name: 'Take €2.00' }).click();
    await lastOutcome(page, 'paid');
    expect({ charges: charges(world), loads: loads(), faults }).toEqual({
      charges: [200],
      loads: 1,
      faults: [],
    });
  });

  it('that runs out between the look and the press gets no command: the payment says what to do, and is taken once a roll is in', async () => {
    const world = await aWorld({ autopilotMs: 200 }, { heartbeat_ms: 60_000 });
    const { page } = await signedIn(browser, await Daemon.start(world));
    await page.locator('.tile').getByText('Ready').waitFor();
    world.terminal.setPaper(false);
    await page.locator('input.amount').fill('3.00');
    await page.getByRole('button', { name: 'Take €3.00' }).click();
    await page
      .getByText(/check paper and cover/)
      .first()
      .waitFor();
    expect(charges(world)).toEqual([]);
    world.terminal.setPaper(true);
    await lastOutcome(page, 'paid');
    expect(charges(world)).toEqual([300]);
  });

  it('is called so everywhere: operations, its page, what is wrong, the command line; no place calls it unconnected', async () => {
    const world = await aWorld({ autopilotMs: 200 }, { heartbeat_ms: 1000 });
    const daemon = await Daemon.start(world);
    const { page } = await signedIn(browser, daemon, 'ops');
    await page.locator('.tile').getByText('Ready').waitFor();
    world.terminal.setPaper(false);
    await page.locator('.tile').getByText('Needs a person').waitFor();
    const id = await page.locator('.tile').getAttribute('data-device');
    for (const place of ['#/ops/overview', `#/ops/overview/${id}`, '#/repairs', '#/till']) {
      const texts = await inEveryLanguage(page, place);
      for (const [index, words] of PAPER.entries()) expect(texts[index], place).toMatch(words);
      for (const text of texts) expect(text, place).not.toMatch(UNCONNECTED);
      expect(await wrongWordsOn(page, place)).toEqual([]);
    }
    for (const words of [['status'], ['devices'], ['devices', 'show', 'Counter 1'], ['doctor']]) {
      const text = await shownText(daemon, words);
      expect(text, words.join(' ')).toMatch(/needs a person/);
      expect(text, words.join(' ')).toMatch(/check paper and cover/);
      expect(text, words.join(' ')).not.toMatch(/offline|not connected|plugged in/);
    }
  });
});
