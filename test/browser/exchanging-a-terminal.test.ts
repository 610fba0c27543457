import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aWorld, Daemon } from '../support/daemon.ts';
import { flawsOf } from './axe.ts';
import { openBrowser } from './browser.ts';
import { aSandboxShop } from './sandbox-shop.ts';
import { signedIn } from './shop.ts';
import { lastOutcome, take } from './staff.ts';

describe('a terminal that is exchanged in the middle of a doubt', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  it('is adopted, sells, and leaves a question for papers alone, which is answered: all of it at the pages', async () => {
    const daemon = await Daemon.start(aSandboxShop());
    const { page, loads, faults } = await signedIn(browser, daemon, 'ops');
    const menu = (name: string) => page.getByRole('navigation').first().getByRole('link', { name }).click();
    await menu('Virtual terminal');
    await page.locator('.lcd').getByText('Ready').waitFor();
    await page.getByRole('button', { name: 'Take €12.50' }).click();
    await page.locator('.lcd', { hasText: 'Present card: 12.50' }).waitFor();
    await page.getByRole('button', { name: 'Kill the power' }).click();
    await page.locator('[data-charged=unknown]').waitFor({ timeout: 60_000 });
    await page.getByRole('button', { name: 'Put another terminal in its place' }).click();
    await page.getByRole('button', { name: 'Switch it on' }).click();
    await page.locator('.display', { hasText: '17F00002' }).waitFor();
    const before = page.locator('[data-earlier="17F00001"]');
    await before.getByText('Nothing was charged.').waitFor();

    await menu('Operations');
    await page.getByText('Wrong terminal').first().waitFor({ timeout: 60_000 });
    await page.getByRole('button', { name: 'Adopt the terminal' }).click();
    const adopting = page.getByRole('dialog');
    await adopting.getByText('Until now: serial number 17F00001').waitFor();
    await adopting.getByText('It answers now: serial number 17F00002').waitFor();
    await adopting.getByLabel('Your name').fill('Ada');
    await page.keyboard.press('Enter');
    await adopting.waitFor({ state: 'detached' });

    await menu('Till');
    await page.getByRole('link', { name: /^To do \(/ }).click();
    const task = page.locator('[data-task=terminal_replaced]');
    await task
      .getByText('It is not known yet whether the customer was charged.', { exact: true })
      .waitFor({ timeout: 60_000 });
    await task
      .getByText('The terminal 17F00001 (ID 52500038) was replaced before it reported how')
      .first()
      .waitFor();
    await task.getByText('€12.50').first().waitFor();
    // The doubt and its task are one thing to do.
    await page.getByRole('link', { name: 'To do (1)', exact: true }).waitFor();
    expect(await page.getByRole('heading', { name: 'Open questions' }).count()).toBe(0);
    expect(await flawsOf(page)).toEqual([]);
    expect(await task.getByRole('button', { name: /^Done/ }).count()).toBe(0);
    await task.getByRole('link', { name: 'Show the payment' }).click();
    await lastOutcome(page, 'doubt_replaced');
    const question = page.getByRole('region', {
      name: 'The terminal 17F00001 (ID 52500038) was replaced: what do the papers say?',
    });
    await question.getByText('On the old terminal 17F00001').waitFor();
    expect(await page.getByText(/^(What does the terminal .*show\?|The terminal shows:)/).count()).toBe(0);
    expect(await question.getByRole('option').allTextContents()).toEqual([
      'Please choose',
      'On the customer’s slip',
      'In the acquirer’s statement',
      'In the journal that the acquirer keeps of the terminal',
    ]);
    expect(await flawsOf(page)).toEqual([]);

    await question.getByLabel(/^Yes: it is there exactly like this/).check();
    await question.getByLabel(/^What it shows/).fill('authorisation 000001');
    await question.getByLabel('Your name').fill('Ada');
    await question.getByLabel(/^In your own words/).fill('the customer showed the statement');
    await question.getByRole('button', { name: 'Decide' }).click();
    await question.getByText('Please fill in everything.').waitFor();
    await question.getByLabel('Where did you see it?').selectOption('acquirer_statement');
    await question.getByRole('button', { name: 'Decide' }).click();
    await lastOutcome(page, 'paid');
    await page.getByRole('link', { name: 'To do', exact: true }).waitFor({ timeout: 60_000 });
    expect(await page.locator('[data-task]').count()).toBe(0);

    await page.getByRole('link', { name: 'New payment' }).click();
    await take(page, '3.00', 'at the new one');
    await lastOutcome(page, 'working');
    await menu('Virtual terminal');
    await page.locator('.lcd', { hasText: 'Present card: 3.00' }).waitFor();
    await page.getByRole('button', { name: 'Pays', exact: true }).click();
    await page.locator('[data-charged=yes]').first().waitFor({ timeout: 60_000 });
    expect({ loads: loads(), faults }).toEqual({ loads: 1, faults: [] });
  });

  it('asks for the terminal that took the payment, while another one answers in its place and is not adopted', async () => {
    const recovery = { settle_ms: 3000, read_interval_ms: 100, ask_person_after_ms: 1000 };
    const world = await aWorld({ autopilot: 'off' }, { recovery, heartbeat_ms: 1000 });
    const daemon = await Daemon.start(world);
    const { page } = await signedIn(browser, daemon, 'staff');
    world.terminal.inject({ when: 'customer', do: 'power_loss', ms: 600_000 });
    await take(page, '13.00', 'doubtful');
    await lastOutcome(page, 'doubt_person');
    const { serial } = world.terminal.bench();
    world.terminal.exchange();
    world.terminal.setPower(true);
    const question = page.getByRole('region', {
      name: `What does the terminal ${serial} (ID 52500038) show?`,
    });
    await question.getByText('Another terminal stands there now').waitFor({ timeout: 60_000 });
    await page
      .getByRole('heading', { name: `Please look at the terminal ${serial} (ID 52500038)` })
      .waitFor();
    await question.getByText(`On the terminal Counter 1, serial number ${serial}, ID 52500038`).waitFor();
    expect(await flawsOf(page)).toEqual([]);
  });
});
