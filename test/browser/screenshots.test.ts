import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { aWorld, Daemon } from '../support/daemon.ts';
import { openBrowser, setColours } from './browser.ts';
import { PICTURES, picture } from './picture.ts';
import { signedIn } from './shop.ts';
import { pressed, take } from './staff.ts';

const WIDTHS = { phone: [390, 844], tablet: [820, 1180], desktop: [1366, 860] } as const;

describe.runIf(PICTURES !== undefined)('pictures of the till', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  const shoot = async (page: Page, name: string) => {
    for (const [width, [w, h]] of Object.entries(WIDTHS)) {
      await page.setViewportSize({ width: w, height: h });
      for (const theme of ['light', 'dark'] as const) {
        await setColours(page, theme);
        await picture(page, `${name}-${width}-${theme}`);
      }
    }
    await page.setViewportSize({ width: 1280, height: 800 });
  };

  it('shows every state once', async () => {
    const world = await aWorld({ autopilot: 'off' });
    const daemon = await Daemon.start(world);
    const { page } = await signedIn(browser, daemon, 'lead');
    await page.locator('.tile').waitFor();
    await shoot(page, 'desk');
    await take(page, '12.34', 'order 1042');
    await page.locator('[data-outcome=working]').waitFor();
    await page.locator('[data-progress]').waitFor();
    await shoot(page, 'running');
    await pressed(world, 'approve');
    await page.locator('[data-outcome=paid]').waitFor();
    await shoot(page, 'paid');
    await page.getByRole('link', { name: 'New payment' }).click();
    await take(page, '5.00', '');
    await page.locator('[data-outcome=working]').waitFor();
    await pressed(world, 'decline');
    await page.locator('[data-outcome=declined]').waitFor();
    await shoot(page, 'declined');
    await page.getByRole('link', { name: 'History' }).click();
    await shoot(page, 'history');
    await page.getByRole('link', { name: 'Payment', exact: true }).click();
    await shoot(page, 'desk-used');
    await daemon.kill();
    await page.getByText('Do not start a payment again').waitFor();
    await shoot(page, 'lost');
  });
});
