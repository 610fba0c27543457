import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aWorld, Daemon } from '../support/daemon.ts';
import { flawsOf } from './axe.ts';
import { openBrowser } from './browser.ts';
import { fitsEverywhere, goTo } from './every-screen.ts';
import { everythingIsWrong } from './everything-wrong.ts';
import { saysItRight } from './right-words.ts';
import { type Role, signedIn } from './shop.ts';
import { lastOutcome, take } from './staff.ts';
import { refusedReports } from './work-to-do.ts';

/** Everything at once, to ops, and a payment. */
async function withEverything(browser: Browser) {
  const daemon = await Daemon.start(await aWorld({ autopilotMs: 100 }));
  const { page } = await signedIn(browser, daemon, 'ops');
  await take(page, '7.00', 'order 1');
  await lastOutcome(page, 'paid');
  const id = page.url().split('/').at(-1) ?? '';
  await everythingIsWrong(page, id);
  await page.reload();
  await goTo(page, '#/repairs');
  await page.locator('[data-repair=finding]').first().waitFor();
  return { page, payment: `#/till/payment/${id}` };
}

async function withRefused(browser: Browser, role: Role) {
  const shop = await refusedReports(browser, role);
  await goTo(shop.page, '#/repairs');
  return shop;
}

describe('the list of what is wrong', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  it('says that all is well only once the doctor has looked, and shows staff how much others can mend', async () => {
    const daemon = await Daemon.start(await aWorld({ autopilotMs: 100 }));
    const { page, faults } = await signedIn(browser, daemon);
    await page.getByRole('link', { name: 'What is wrong' }).click();
    await page.getByText('This machine is not examined yet').waitFor();
    expect(await page.getByText('All is well').count()).toBe(0);
    const data = { state: 'done', ended_at: '2026-01-05T09:00:00.000Z', findings: [] as object[] };
    await page.route('**/v2/doctor/summary**', (route) => route.fulfill({ json: { data } }));
    await page.getByText('All is well: nothing needs a person.').waitFor();
    expect(await flawsOf(page)).toEqual([]);
    data.findings = [{ id: 'backup', level: 'warn' }];
    await page.getByRole('heading', { name: 'Others can fix 1 thing' }).waitFor();
    const card = page.locator('[data-repair=finding]');
    await card.getByText('The payments have no recent backup.').waitFor();
    await card.getByText('A person who is signed in as Operations can fix this.').waitFor();
    expect({ flaws: await flawsOf(page), faults }).toEqual({ flaws: [], faults: [] });
  });

  it('has refused reports with one cause once, with their total, and one button for all of them', async () => {
    const { world, page } = await withRefused(browser, 'ops');
    const card = page.locator('[data-repair=refused]');
    await card.getByText('3 refused reports · €6.00').waitFor({ timeout: 30_000 });
    expect(await page.locator('[data-repair]').count()).toBe(1);
    expect(await flawsOf(page)).toEqual([]);
    await card.getByRole('link', { name: 'See the reports' }).click();
    await page.getByRole('heading', { name: '3 refused reports · €6.00' }).waitFor();
    await page.getByText('1 report waits behind it.').first().waitFor();
    await page.getByText('It waits for an earlier report of the same payment').first().waitFor();
    await page.getByRole('button', { name: 'Discard' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('The service never hears of this payment.').waitFor();
    await dialog.getByText('The customer HAS paid €1.00.').waitFor();
    await dialog.getByText('1 report that waits behind it is discarded, too').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await goTo(page, '#/repairs');
    world.service.control.behaveWell();
    await card.getByRole('button', { name: 'Retry all 3' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('This machine is not examined yet').waitFor({ timeout: 60_000 });
    // The button is gone, and a keyboard goes on where it was.
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('content');
  });

  it('names to staff who can mend what they cannot', async () => {
    const { page } = await withRefused(browser, 'staff');
    await page.getByRole('heading', { name: 'Others can fix 1 thing' }).waitFor({ timeout: 30_000 });
    const card = page.locator('[data-repair=refused]');
    await card.getByText('A person who is signed in as Operations can fix this.').waitFor();
    expect(await card.getByRole('button').count()).toBe(0);
  });

  it('fits every screen with everything that can be wrong', async () => {
    const { page } = await withEverything(browser);
    await fitsEverywhere(page, ['#/repairs', '#/ops/outbox']);
  });

  it('shows no id and no untranslated text, in any state', async () => {
    const { page, payment } = await withEverything(browser);
    await saysItRight(page, [payment, '#/repairs', '#/ops', '#/ops/outbox', '#/till/tasks']);
  });
});
