import { readFileSync, writeFileSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { aWorld, Daemon, type World } from '../support/daemon.ts';
import { ServiceLine } from '../support/service-line.ts';
import { flawsOf } from './axe.ts';
import { openBrowser } from './browser.ts';
import { signedIn } from './shop.ts';
import { charges, lastOutcome, pressed, take } from './staff.ts';

/** The same world with a line to its service that can be cut. */
async function lineOf(world: World): Promise<ServiceLine> {
  const line = await ServiceLine.to(world.service.url);
  onTestFinished(() => line.stop());
  const text = readFileSync(world.config, 'utf8').replaceAll(world.service.url, line.url);
  writeFileSync(world.config, text);
  return line;
}

const portOf = (daemon: Daemon) => Number(new URL(daemon.url).port);

describe('the till while things break', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  it('sells while the service is down, says that it is reported later, and shows when it was', async () => {
    const world = await aWorld({ autopilotMs: 200 });
    const line = await lineOf(world);
    const daemon = await Daemon.start(world);
    const { page, loads } = await signedIn(browser, daemon);
    await line.becomes('refused');
    await page.getByText('No connection to the service').waitFor();
    expect(await flawsOf(page)).toEqual([]);
    await take(page, '7.00', 'offline one');
    await lastOutcome(page, 'paid');
    await page.locator('.light', { hasText: 'Reported' }).getByText('Later, by itself').waitFor();
    await line.becomes('through');
    await page.locator('.light', { hasText: 'Reported' }).getByText('Yes').waitFor({ timeout: 60_000 });
    await page.getByText('No connection to the service').waitFor({ state: 'detached' });
    expect({ charges: charges(world), loads: loads() }).toEqual({ charges: [700], loads: 1 });
  });

  it('shows a terminal whose cable was pulled, refuses with words, and shows when it is back', async () => {
    const world = await aWorld({ autopilotMs: 200 }, { heartbeat_ms: 1000 });
    const daemon = await Daemon.start(world);
    const { page, loads } = await signedIn(browser, daemon);
    const tile = page.locator('.tile', { hasText: 'Counter 1' });
    await tile.getByText('Ready').waitFor();
    world.terminal.inject({ when: 'idle', do: 'power_loss', ms: 12_000 });
    await tile.getByText('Not connected').waitFor();
    await tile.getByText('Switch on Counter 1 and check its cable.').waitFor();
    expect(await flawsOf(page)).toEqual([]);
    await page.locator('input.amount').fill('2.00');
    await page.getByText('Nothing was started. Switch on Counter 1').waitFor();
    expect(await page.locator('.pad button[type=submit]').isDisabled()).toBe(true);
    await tile.getByText('Ready').waitFor({ timeout: 60_000 });
    await page.getByRole('button', { name: 'Take €2.00' }).click();
    await lastOutcome(page, 'paid');
    expect({ charges: charges(world), loads: loads() }).toEqual({ charges: [200], loads: 1 });
  });

  it('finds the truth of a payment during which tilld was killed and started again', async () => {
    const world = await aWorld({ autopilot: 'off' });
    const daemon = await Daemon.start(world);
    const { page, loads, faults } = await signedIn(browser, daemon);
    await take(page, '11.00', 'killed one');
    await lastOutcome(page, 'working');
    await page.getByText('The terminal shows:').waitFor();
    await daemon.kill();
    await page.getByText('Not connected to tilld for').waitFor();
    await page.getByText('Do not start a payment again').waitFor();
    expect(await flawsOf(page)).toEqual([]);
    await pressed(world, 'approve');
    await Daemon.start(world, portOf(daemon));
    await page.getByText('Connected', { exact: true }).waitFor();
    await page.locator('[data-outcome=paid], [data-outcome=failed]').waitFor({ timeout: 60_000 });
    const shown = await page.locator('.outcome-charged').textContent();
    const wasCharged = charges(world).length === 1;
    expect(shown).toContain(wasCharged ? 'The customer HAS paid €11.00' : 'The customer was NOT charged');
    expect({ loads: loads(), faults }).toEqual({ loads: 1, faults: [] });
  });

  it('starts nothing while tilld is gone, and says so', async () => {
    const world = await aWorld();
    const daemon = await Daemon.start(world);
    const { page } = await signedIn(browser, daemon);
    await page.locator('.tile', { hasText: 'Counter 1' }).waitFor();
    await daemon.kill();
    await page.getByText('Do not start a payment again').waitFor();
    await page.locator('input.amount').fill('3.00');
    expect(await page.locator('.pad button[type=submit]').isDisabled()).toBe(true);
    await page.getByText('Nothing was started, the customer was NOT charged.').waitFor();
    await page.locator('.tile', { hasText: 'Counter 1' }).getByText('Not known').waitFor();
    await Daemon.start(world, portOf(daemon));
    await page.getByText('Connected', { exact: true }).waitFor();
    expect(charges(world)).toEqual([]);
  });
});
