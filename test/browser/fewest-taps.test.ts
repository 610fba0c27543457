import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aWorld, Daemon } from '../support/daemon.ts';
import { openBrowser } from './browser.ts';
import { signedIn } from './shop.ts';
import { lastOutcome } from './staff.ts';
import { aDoubt, anUnmappedPackage, aPausedIntegration, refusedReports } from './work-to-do.ts';

const README = readFileSync(join(import.meta.dirname, '../../src/console/README.md'), 'utf8');

/** What the table of the README says of a task. */
function documented(task: string) {
  const row = README.split('\n').find((line) => line.startsWith(`| ${task} |`));
  const [taps, fields] = (row ?? '').split('|').slice(2, 4);
  return { taps: Number(taps), fields: Number(fields) };
}

/** A person with one finger: taps, and fields that are typed into, counted. */
function fingerOn(page: Page) {
  const done = { taps: 0, fields: 0 };
  return {
    done,
    async tap(role: 'link' | 'button' | 'radio', name: RegExp, within: Page | Locator = page) {
      done.taps += 1;
      await within.getByRole(role, { name }).first().click();
    },
    async type(label: RegExp, text: string) {
      done.fields += 1;
      await page.getByLabel(label).fill(text);
    },
  };
}

describe('the taps and fields of a task, from any page, are those of the README', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  it('to answer a doubt', async () => {
    const page = await aDoubt(browser);
    const finger = fingerOn(page);
    await finger.tap('link', /^What is wrong/);
    await finger.tap('link', /^Answer the question/);
    await finger.tap('radio', /^Yes: the receipt shows exactly this/);
    await finger.type(/^What it shows/, '0001');
    await finger.type(/^Your name/, 'Anna');
    await finger.type(/^In your own words/, 'the journal shows it');
    await finger.tap('button', /^Decide/);
    await lastOutcome(page, 'paid');
    expect(finger.done).toEqual(documented('answer a doubt'));
  });

  it('to resume an integration', async () => {
    const page = await aPausedIntegration(browser);
    const finger = fingerOn(page);
    const asked = page.waitForResponse(/\/provider_a\/resume-sync$/);
    await finger.tap('link', /^What is wrong/);
    await finger.tap('button', /^Resume$/);
    expect((await asked).status()).toBe(202);
    expect(finger.done).toEqual(documented('resume an integration'));
  });

  it('to map a product', async () => {
    const page = await anUnmappedPackage(browser);
    const finger = fingerOn(page);
    await finger.tap('link', /^What is wrong/);
    await finger.tap('link', /^Open the integration/);
    await finger.tap('button', /^Choose a product/);
    await finger.tap('button', /^Product 12/, page.getByRole('dialog'));
    await page.getByText('Saved: Product 12 (gold).').waitFor();
    expect(finger.done).toEqual(documented('map a product'));
  });

  it('to retry reports that were refused for one cause', async () => {
    const { page, world } = await refusedReports(browser, 'ops');
    const finger = fingerOn(page);
    world.service.control.behaveWell();
    await finger.tap('link', /^What is wrong/);
    await finger.tap('button', /^Retry all 3$/);
    await page.locator('[data-repair=refused]').waitFor({ state: 'detached', timeout: 60_000 });
    expect(finger.done).toEqual(documented('retry a hundred refused reports of one cause'));
  });
  it('to close the day of a terminal', async () => {
    const { page } = await signedIn(browser, await Daemon.start(await aWorld()), 'lead');
    const finger = fingerOn(page);
    await finger.tap('link', /^Day$/);
    await finger.tap('button', /^Close the day$/);
    await finger.tap('button', /^Close the day$/, page.getByRole('dialog'));
    await page.getByText('Sums agree', { exact: true }).waitFor();
    expect(finger.done).toEqual(documented('close the day'));
  });
});
