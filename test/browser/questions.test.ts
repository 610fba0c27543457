import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aWorld, Daemon, eventually, type World } from '../support/daemon.ts';
import { flawsOf } from './axe.ts';
import { openBrowser } from './browser.ts';
import { signedIn } from './shop.ts';
import { lastOutcome, take } from './staff.ts';

const RECOVERY = { settle_ms: 3000, read_interval_ms: 100, ask_person_after_ms: 1000 } as const;

function typedByHand(world: World): boolean {
  try {
    world.terminal.typeByHand({ kind: 'sale', amountMinor: 100 });
    return true;
  } catch {
    return false;
  }
}

describe('what only a person can answer', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  it('is asked with the exact words to compare, and decided with a name', async () => {
    const world = await aWorld({ autopilot: 'off' }, { recovery: RECOVERY });
    const daemon = await Daemon.start(world);
    const { page, loads } = await signedIn(browser, daemon, 'staff');
    world.terminal.inject({ when: 'customer', do: 'power_loss', ms: 2000 });
    await take(page, '13.00', 'doubtful');
    await page
      .locator('[data-outcome=doubt_asking], [data-outcome=doubt_person]')
      .waitFor({ timeout: 60_000 });
    await page.getByText('It is not known yet whether the customer was charged.').waitFor();
    // Somebody used the terminal meanwhile: only a person can tell the two apart.
    await eventually(() => typedByHand(world));
    await lastOutcome(page, 'doubt_person');
    const question = page.getByRole('region', { name: /^What does the terminal 17F0\d+ \(ID \d+\) show\?$/ });
    await question.getByText('Amount €13.00').waitFor();
    expect(await page.getByRole('button', { name: 'Cancel payment' }).count()).toBe(0);
    expect(await page.locator('.details').textContent()).not.toMatch(/Receipt number|Trace number|Card/);
    const repeat = question.getByRole('button', { name: 'Repeat the last receipt' });
    await repeat.click();
    await question
      .getByText(/^The terminal Counter 1 has sent the receipt of its last transaction\./)
      .waitFor();
    expect(await question.getByLabel('The repeated receipt').textContent()).toMatch(
      /KOPIE[\s\S]*BETRAG +1.00/,
    );
    await repeat.waitFor();
    await question.getByText(/^On the terminal Counter 1, serial number 17F0\d+, ID 52500038$/).waitFor();
    await page.getByRole('link', { name: 'To do (1)' }).waitFor();
    expect(await flawsOf(page)).toEqual([]);

    await question.getByRole('button', { name: 'Decide' }).click();
    await question.getByText('Please fill in everything.').waitFor();
    expect(await page.locator(':focus').getAttribute('name')).toBe('as');
    await question.getByLabel(/^No: nothing like it/).check();
    await question
      .getByText(/^“Not charged” needs a lead, or ten minutes after the doubt began\. \d+ minutes? left\.$/)
      .waitFor();
    expect(await question.getByRole('button', { name: 'Decide' }).isDisabled()).toBe(true);
    await question.getByLabel(/^What it shows instead/).fill('0001');
    await question.getByLabel('Your name').fill('Anna');
    await question.getByLabel(/^In your own words/).fill('looked at the journal');
    await question.getByLabel(/^Yes: the receipt shows exactly this/).check();
    await question.getByRole('button', { name: 'Decide' }).click();
    await lastOutcome(page, 'paid');
    await page.getByRole('link', { name: 'To do', exact: true }).waitFor();
    expect(loads()).toBe(1);
  });

  it('is written off by a lead where it cannot be found out, and is told to count as charged', async () => {
    const world = await aWorld({ autopilot: 'off' }, { recovery: RECOVERY });
    const daemon = await Daemon.start(world);
    const { page } = await signedIn(browser, daemon, 'lead');
    world.terminal.inject({ when: 'customer', do: 'power_loss', ms: 2000 });
    await take(page, '13.00', 'never known');
    await page
      .locator('[data-outcome=doubt_asking], [data-outcome=doubt_person]')
      .waitFor({ timeout: 60_000 });
    await eventually(() => typedByHand(world));
    await lastOutcome(page, 'doubt_person');
    const question = page.getByRole('region', { name: /^What does the terminal 17F0\d+ \(ID \d+\) show\?$/ });
    await question.getByLabel(/^It cannot be found out/).check();
    await question.getByLabel(/^What you have asked/).fill('the acquirer, who knows nothing');
    await question.getByLabel('Your name').fill('Ada');
    await question.getByLabel(/^In your own words/).fill('nobody remembers the customer');
    // Too early at first: the terminal must be idle for its settle time.
    const over = page.locator('[data-outcome=written_off]');
    for (let tries = 0; tries < 40 && (await over.count()) === 0; tries += 1) {
      await question
        .getByRole('button', { name: 'Decide' })
        .click({ timeout: 2000 })
        .catch(() => undefined);
      await over.waitFor({ timeout: 500 }).catch(() => undefined);
    }
    await over.waitFor();
    await page.getByText('It was never found out whether the customer was charged.').first().waitFor();
    expect(await flawsOf(page)).toEqual([]);
  });

  it('stands under To do until somebody says what came of it', async () => {
    const world = await aWorld({ autopilot: 'off' }, { recovery: RECOVERY });
    const daemon = await Daemon.start(world);
    const { page } = await signedIn(browser, daemon, 'lead');
    world.terminal.nextAmount(500);
    await take(page, '8.00', 'partial');
    await lastOutcome(page, 'working');
    await page.getByText('The terminal shows:').waitFor();
    world.terminal.press('approve');
    await page.locator('[data-outcome^=paid]').waitFor();
    await page.getByRole('link', { name: /^To do/ }).click();
    expect(await flawsOf(page)).toEqual([]);
  });
});
