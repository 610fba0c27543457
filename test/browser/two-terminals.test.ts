import { readFileSync, writeFileSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { virtualZvt } from '../../drivers/terminals/zvt/virtual.ts';
import { silentLog } from '../../src/base/log.ts';
import { systemClock } from '../../src/runtime/system-clock.ts';
import {
  type RunningVirtualTerminal,
  startVirtualTerminal,
} from '../../src/sandbox/terminal/start-virtual-terminal.ts';
import { aWorld, Daemon, type World } from '../support/daemon.ts';
import { textMemory, VIRTUAL_TERMINAL } from '../support/shop.ts';
import { flawsOf } from './axe.ts';
import { openBrowser } from './browser.ts';
import { signedIn } from './shop.ts';
import { charges, lastOutcome, take } from './staff.ts';

const SECOND_ID = '0199c0de-0000-7000-8000-0000000000d2';

/** Puts a second terminal beside that of the world; before the daemon is started. */
async function aSecond(world: World): Promise<RunningVirtualTerminal> {
  const settings = { ...VIRTUAL_TERMINAL, name: 'counter-2', serial: '17F00002', terminalId: '52500039' };
  const second = await startVirtualTerminal({ ...settings, autopilotMs: 200 }, virtualZvt, {
    clock: systemClock,
    log: silentLog,
    memory: textMemory(),
  });
  onTestFinished(() => second.stop());
  const config = JSON.parse(readFileSync(world.config, 'utf8'));
  const link = { type: 'tcp', host: '127.0.0.1', port: Number(second.address.split(':').at(-1)) };
  config.devices.push({ ...config.devices[0], id: SECOND_ID, name: 'Counter 2', link });
  writeFileSync(world.config, JSON.stringify(config));
  return second;
}

describe('a till with two terminals', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  it('charges at the one that was chosen; one that is unplugged cannot be chosen, the other goes on', async () => {
    const world = await aWorld({ autopilotMs: 200 }, { heartbeat_ms: 1000 });
    const second = await aSecond(world);
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
    await one.getByText('Check its power and its cable.').waitFor();
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
