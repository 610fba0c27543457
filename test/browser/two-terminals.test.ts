import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aWorld, Daemon } from '../support/daemon.ts';
import { flawsOf } from './axe.ts';
import { openBrowser } from './browser.ts';
import { aSecondTerminal } from './second-terminal.ts';
import { signedIn } from './shop.ts';
import { charges, lastOutcome, take } from './staff.ts';

describe('a till with two terminals', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  it('charges at the one that was chosen; one that is unplugged cannot be chosen, the other goes on', async () => {
    const world = await aWorld({ autopilotMs: 200 }, { heartbeat_ms: 1000 });
    const second = await aSecondTerminal(world);
    const { page, loads, faults, foreign } = await signedIn(browser, await Daemon.start(world));
    const one = page.locator('.tile', { hasText: 'Counter 1' });
    const two = page.locator('.tile', { hasText: 'Counter 2' });
    await one.getByText('Ready').waitFor();
    await two.getByText('Ready').waitFor();
    await take(page, '3.00', 'nowhere');
    await page.getByText('Choose a terminal first.').waitFor();
    await two.getByRole('radio').check();
    expect(await flawsOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Take €3.00' }).click();
    await lastOutcome(page, 'paid');
    expect([charges(world), charges({ ...world, terminal: second })]).toEqual([[], [300]]);

    await page.getByRole('link', { name: 'New payment' }).click();
    world.terminal.setPower(false);
    await one.getByText('Not connected').waitFor();
    await one.getByText('Switch on Counter 1 and check its cable.').waitFor();
    expect(await one.getByRole('radio').isDisabled()).toBe(true);
    expect(await flawsOf(page)).toEqual([]);
    await one.click({ force: true });
    expect(await two.getByRole('radio').isChecked()).toBe(true);
    await take(page, '4.00', 'beside the other');
    await lastOutcome(page, 'paid');
    expect([charges(world), charges({ ...world, terminal: second })]).toEqual([[], [300, 400]]);

    await page.getByRole('link', { name: 'New payment' }).click();
    world.terminal.setPower(true);
    await one.getByText('Ready').waitFor({ timeout: 60_000 });
    await one.getByRole('radio').check();
    await take(page, '5.00', 'at the first again');
    await lastOutcome(page, 'paid');
    expect([charges(world), charges({ ...world, terminal: second })]).toEqual([[500], [300, 400]]);
    expect({ loads: loads(), faults, foreign }).toEqual({ loads: 1, faults: [], foreign: [] });
  });
});
