import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aWorld, Daemon, eventually } from '../support/daemon.ts';
import { flawsOf } from './axe.ts';
import { openBrowser } from './browser.ts';
import { signedIn } from './shop.ts';
import { charges, lastOutcome, take } from './staff.ts';

describe('a task', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  it('of a cancel that came too late is finished with a name and a note, and is gone without a reload', async () => {
    const world = await aWorld({ autopilot: 'off' });
    const daemon = await Daemon.start(world);
    const { page, loads, faults, foreign } = await signedIn(browser, daemon);
    world.terminal.inject({ when: 'result_acknowledged', do: 'delay', ms: 8000 });
    await take(page, '15.00', 'order 9');
    await page.getByText('The terminal shows:').waitFor();
    await eventually(() => world.terminal.snapshot().busy);
    world.terminal.press('approve');
    await eventually(() => charges(world).length === 1);
    await page.getByRole('button', { name: 'Cancel payment' }).click();
    await lastOutcome(page, 'paid_late');
    await page.getByRole('link', { name: 'To do (1)' }).click();
    const task = page.locator('[data-task=cancel_too_late]');
    for (const words of [
      'Cancel came too late.',
      'The customer HAS paid €15.00.',
      'Hand over the goods or refund.',
    ])
      await task.getByText(words, { exact: true }).waitFor();
    expect(await flawsOf(page)).toEqual([]);

    await task.getByRole('button', { name: 'Done …' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'It is done' }).click();
    await dialog.getByText('Please fill in everything.').waitFor();
    await dialog.getByLabel('What you did').fill('handed over the goods');
    await dialog.getByLabel('Your name').fill('Anna');
    expect(await flawsOf(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await page.getByText('Nothing to do. Well done.').waitFor();
    await page.getByRole('link', { name: 'To do', exact: true }).waitFor();
    await page.getByRole('link', { name: 'History' }).click();
    await page.getByRole('link', { name: /€15\.00.*order 9/ }).click();
    await lastOutcome(page, 'paid_late');
    expect(await page.locator('[data-task]').count()).toBe(0);
    expect(charges(world)).toEqual([1500]);
    expect({ loads: loads(), faults, foreign }).toEqual({ loads: 1, faults: [], foreign: [] });
  });
});
