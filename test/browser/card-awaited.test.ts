import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aWorld, Daemon } from '../support/daemon.ts';
import { isChromium, openBrowser, openPage } from './browser.ts';
import { codeOf, signedIn } from './shop.ts';
import { charges, lastOutcome, pressed, take } from './staff.ts';

/** What the page asked of the device, in order. */
interface Asked {
  readonly tones: number[];
  readonly vibrations: number[][];
  readonly locks: string[];
}

/** Records tones, vibrations and locks of the screen; no machine of tests has any of them. */
async function recorded(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const asked = { tones: [] as number[], vibrations: [] as number[][], locks: [] as string[] };
    Object.assign(globalThis, { asked });
    const Real = globalThis.OscillatorNode;
    globalThis.OscillatorNode = class extends Real {
      constructor(context: BaseAudioContext, options?: OscillatorOptions) {
        super(context, options);
        asked.tones.push(options?.frequency ?? 0);
      }
    };
    Object.defineProperty(navigator, 'vibrate', {
      value: (pattern: number[]) => asked.vibrations.push(pattern) > 0,
    });
    Object.defineProperty(navigator, 'wakeLock', {
      value: {
        request: async (kind: string) => {
          asked.locks.push(`${kind} on`);
          return { release: async () => void asked.locks.push('off') };
        },
      },
    });
  });
  await page.reload();
}

const askedOf = (page: Page) => page.evaluate(() => (globalThis as unknown as { asked: Asked }).asked);

describe('while a card is awaited', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  it('the screen stays on, and its end is heard and felt where the browser is set to it', async () => {
    const world = await aWorld({ autopilot: 'off' });
    const { page, faults } = await signedIn(browser, await Daemon.start(world));
    await recorded(page);
    await take(page, '5.00', 'silent');
    await lastOutcome(page, 'working');
    expect((await askedOf(page)).locks).toEqual(['screen on']);
    await pressed(world, 'approve');
    await lastOutcome(page, 'paid');
    await expect
      .poll(() => askedOf(page))
      .toEqual({ tones: [], vibrations: [], locks: ['screen on', 'off'] });

    await page.locator('.menu summary').click();
    await page.getByLabel('Sound and vibration when a payment ends').check();
    await page.locator('.menu summary').click();
    await page.reload();
    await lastOutcome(page, 'paid');
    expect((await askedOf(page)).tones).toEqual([]);
    await page.getByRole('link', { name: 'New payment' }).click();
    await take(page, '6.00', 'heard');
    await lastOutcome(page, 'working');
    await pressed(world, 'approve');
    await lastOutcome(page, 'paid');
    await expect.poll(async () => (await askedOf(page)).tones).toEqual([660, 990]);
    await page.getByRole('link', { name: 'New payment' }).click();
    await take(page, '7.00', 'declined');
    await lastOutcome(page, 'working');
    await pressed(world, 'decline');
    await lastOutcome(page, 'declined');
    await expect.poll(async () => (await askedOf(page)).tones).toEqual([660, 990, 220]);
    expect((await askedOf(page)).vibrations).toEqual([[80, 60, 80], [400]]);
    expect(faults).toEqual([]);
  });

  it('a reload comes back to it, and New payment is far from Cancel', async () => {
    const world = await aWorld({ autopilot: 'off' });
    const { page } = await signedIn(browser, await Daemon.start(world));
    await take(page, '12.34', '');
    await lastOutcome(page, 'working');
    await page.reload();
    await lastOutcome(page, 'working');
    await page.getByText('The terminal shows:').waitFor();
    for (const size of [
      { width: 1280, height: 720 },
      { width: 390, height: 844 },
    ]) {
      await page.setViewportSize(size);
      const cancel = await page.getByRole('button', { name: 'Cancel payment' }).boundingBox();
      const fresh = await page.getByRole('link', { name: 'New payment' }).boundingBox();
      expect(Math.abs((cancel?.y ?? 0) - (fresh?.y ?? 0))).toBeGreaterThan(200);
    }
    await pressed(world, 'approve');
    await lastOutcome(page, 'paid');
    expect(charges(world)).toEqual([1234]);
  });

  it.runIf(isChromium)('the till can be installed as an app, from its own address only', async () => {
    const daemon = await Daemon.start(await aWorld());
    const { page, faults, foreign } = await openPage(browser, daemon.url);
    await page.getByRole('textbox').fill(await codeOf(daemon, 'staff'));
    const session = await page.context().newCDPSession(page);
    const manifest = await session.send('Page.getAppManifest');
    expect(manifest.errors).toEqual([]);
    expect(JSON.parse(manifest.data ?? '')).toMatchObject({ display: 'standalone', start_url: '/' });
    const { installabilityErrors } = await session.send('Page.getInstallabilityErrors');
    // A window of a test is an incognito one, in which nothing can be installed.
    expect(installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== 'in-incognito')).toEqual(
      [],
    );
    expect({ faults, foreign }).toEqual({ faults: [], foreign: [] });
  });
});
