import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aWorld, Daemon, eventually, type World } from '../support/daemon.ts';
import { askOver } from '../support/socket.ts';
import { flawsOf } from './axe.ts';
import { isChromium, openBrowser } from './browser.ts';
import { fitsEverywhere, goTo } from './every-screen.ts';
import { signedIn } from './shop.ts';
import { charges, lastOutcome, take } from './staff.ts';

/** Closes the day of the one terminal: three presses, and no key. */
async function closeDay(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Day', exact: true }).click();
  await page.getByRole('button', { name: 'Close the day' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Close the day' }).click();
}

/** A close that a till software has asked for, at its end. */
async function closeAtTheSocket(daemon: Daemon): Promise<void> {
  const devices = (await askOver(daemon.socket, 'GET', '/v2/terminal-devices')) as { data: { id: string }[] };
  await askOver(daemon.socket, 'POST', `/v2/terminal-devices/${devices.data[0]?.id}/end-of-day`, {});
  await eventually(async () => (await closes(daemon))[0]?.status === 'succeeded');
}

/** The closes of the terminal as the interface lists them, newest first. */
async function closes(daemon: Daemon): Promise<readonly { status: string; error_code: string | null }[]> {
  const devices = (await askOver(daemon.socket, 'GET', '/v2/terminal-devices')) as { data: { id: string }[] };
  const path = `/v2/terminal-devices/${devices.data[0]?.id}/settlements`;
  return (
    (await askOver(daemon.socket, 'GET', path)) as { data: { status: string; error_code: string | null }[] }
  ).data;
}

/** Another transaction hides ours: only a person can tell the two apart. */
function typedByHand(world: World): boolean {
  try {
    world.terminal.typeByHand({ kind: 'sale', amountMinor: 100 });
    return true;
  } catch {
    return false;
  }
}

async function inLanguage(page: Page, language: string): Promise<void> {
  await page.locator('.menu summary').click();
  await page.locator('.menu select').first().selectOption(language);
  await page.locator('.menu summary').click();
}

describe('the end of day at the pages', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  it('closes a terminal in three presses, and says plainly whether its sums are ours, line by line', async () => {
    const world = await aWorld();
    const daemon = await Daemon.start(world);
    const { page, loads, faults, foreign } = await signedIn(browser, daemon, 'lead');
    await take(page, '12.34', 'order 1');
    await lastOutcome(page, 'paid');
    await closeDay(page);
    await page.getByText('Sums agree', { exact: true }).waitFor();
    await page
      .getByText('The terminal’s sum is the same as ours: €12.34. Nothing else is to be done.')
      .waitFor();
    expect(await page.getByText('could not be compared').count()).toBe(0);

    world.terminal.typeByHand({ kind: 'sale', amountMinor: 777 });
    await closeDay(page);
    await page.getByText('Sums differ', { exact: true }).waitFor();
    await page.getByText('The terminal has €7.77 more').waitFor();
    const sum = page.locator('[data-settlement]').first().getByRole('row', { name: /^Sum/ });
    expect(await sum.textContent()).toMatch(/Sum€7\.77€0\.00€7\.77/);
    expect(await flawsOf(page)).toEqual([]);
    for (const [language, words] of [
      ['de', 'Das Terminal hat 7,77 € mehr: Vielleicht wurde einem Kunden ohne tilld abgebucht.'],
      ['fr', 'Le terminal a 7,77 € de plus : un client a peut-être été débité sans tilld.'],
      ['en', 'a customer may have been charged without tilld'],
    ] as const) {
      await inLanguage(page, language);
      await eventually(async () =>
        ((await page.textContent('main')) ?? '')
          .replaceAll('\u00a0', ' ')
          .replaceAll('\u202f', ' ')
          .includes(words),
      );
    }
    await page.getByText('Earlier closes (1)').click();
    await page.getByText(/ · Sums agree/).click();
    await page.getByText('The terminal’s sum is the same as ours: €12.34.').waitFor();
    expect({ loads: loads(), faults, foreign }).toEqual({ loads: 1, faults: [], foreign: [] });
  });

  it('lists every close that the terminal had, back to its first one', async () => {
    const world = await aWorld();
    const daemon = await Daemon.start(world);
    for (let day = 1; day <= 130; day += 1) await closeAtTheSocket(daemon);
    const { page } = await signedIn(browser, daemon, 'lead');
    await page.getByRole('link', { name: 'Day', exact: true }).click();
    await page.getByText('Earlier closes (9)').click();
    const more = page.getByRole('button', { name: 'Show more' });
    await more.click();
    await page.getByText('Earlier closes (109)').waitFor();
    // A close that comes meanwhile pushes none of the others out.
    await closeAtTheSocket(daemon);
    await page.getByText('Earlier closes (110)').waitFor();
    await more.click();
    await page.getByText('Earlier closes (130)').waitFor();
    expect(await more.count()).toBe(0);
  });

  it('compares the open day with the terminal, line by line, before it is closed', async () => {
    const world = await aWorld({ autopilotMs: 100 });
    const { page, loads } = await signedIn(browser, await Daemon.start(world), 'lead');
    await take(page, '12.34', 'order 1');
    await lastOutcome(page, 'paid');
    await page.getByRole('link', { name: 'Day', exact: true }).click();
    const compare = page.getByRole('button', { name: 'Compare with the terminal' });
    await compare.focus();
    await page.keyboard.press('Enter');
    await page
      .getByText('Every charge that the terminal reports is in our books. Nothing else is to be done.')
      .waitFor();
    await page.locator('[data-verdict=same]').getByRole('link', { name: 'Open' }).waitFor();
    world.terminal.typeByHand({ kind: 'sale', amountMinor: 777 });
    await page.keyboard.press('Enter');
    const stranger = page.locator('[data-verdict=unknown]');
    await stranger.getByText('Not from here').waitFor();
    expect(await stranger.textContent()).toContain('€7.77');
    await page.getByText('1 transaction in the terminal').waitFor();
    expect(await flawsOf(page)).toEqual([]);
    await inLanguage(page, 'de');
    await page.getByText('Fragen Sie, wer das Terminal benutzt hat.').waitFor();
    expect(loads()).toBe(1);
  });

  it.runIf(isChromium)(
    'sends one close for two presses, also where the answer to the first is lost',
    async () => {
      const daemon = await Daemon.start(await aWorld());
      const { page } = await signedIn(browser, daemon, 'lead');
      await page.getByRole('link', { name: 'Day', exact: true }).click();
      await page.getByRole('button', { name: 'Close the day' }).click();
      let lost = true;
      await page.route('**/end-of-day', async (route) => {
        const answer = await route.fetch();
        if (lost) await route.abort();
        else await route.fulfill({ response: answer });
        lost = false;
      });
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: 'Close the day' }).click();
      await dialog.getByText('tilld does not answer.').waitFor();
      await eventually(async () => (await closes(daemon))[0]?.status === 'succeeded');
      await dialog.getByRole('button', { name: 'Close the day' }).dblclick();
      await dialog.waitFor({ state: 'detached' });
      expect((await closes(daemon)).map(({ status }) => status)).toEqual(['succeeded']);
    },
  );

  it('waits for a payment that runs, and says so; a terminal that is away cannot be closed now', async () => {
    const world = await aWorld({ autopilot: 'off' }, { heartbeat_ms: 1000 });
    const daemon = await Daemon.start(world);
    const { page } = await signedIn(browser, daemon, 'lead');
    await take(page, '15.00', 'order 2');
    await eventually(() => world.terminal.snapshot().busy);
    await page.getByRole('link', { name: 'Day', exact: true }).click();
    await page.getByRole('button', { name: 'Close the day' }).click();
    await page.getByRole('dialog').getByText('The close waits for it to end').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Close the day' }).click();
    await page.getByText('The end of day waits for the terminal.').waitFor();
    await page.getByText('Wait, do not start it again.').waitFor();
    expect(await page.getByRole('button', { name: 'Close the day' }).count()).toBe(0);
    world.terminal.press('approve');
    await page.getByText('The day is closed.').waitFor({ timeout: 60_000 });
    expect(charges(world)).toEqual([1500]);
    world.terminal.setPower(false);
    await page.getByText('The terminal is not connected, so its day cannot be closed now.').waitFor();
    expect(await page.getByRole('button', { name: 'Close the day' }).count()).toBe(0);
  });

  it('closes beside a payment that nobody can decide yet only with a reason, and says what that may cost', async () => {
    const recovery = { settle_ms: 3000, read_interval_ms: 100, ask_person_after_ms: 1000 };
    const world = await aWorld({ autopilot: 'off' }, { recovery });
    const daemon = await Daemon.start(world);
    const { page } = await signedIn(browser, daemon, 'lead');
    world.terminal.inject({ when: 'customer', do: 'power_loss', ms: 2000 });
    await take(page, '13.00', 'doubtful');
    await page
      .locator('[data-outcome=doubt_asking], [data-outcome=doubt_person]')
      .waitFor({ timeout: 60_000 });
    await eventually(() => typedByHand(world));
    await lastOutcome(page, 'doubt_person');
    await page.getByRole('link', { name: 'Day', exact: true }).click();
    await page.getByText('Its day can be closed afterwards.').waitFor({ state: 'detached', timeout: 60_000 });
    await page.getByRole('button', { name: 'Close the day' }).click();
    const dialog = page.getByRole('dialog');
    await dialog
      .getByText('It is not known whether the customer was charged for a payment of €13.00.')
      .waitFor();
    await dialog.getByRole('link', { name: 'Answer its question first' }).waitFor();
    expect(await flawsOf(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Close the day all the same' }).click();
    expect(await closes(daemon)).toEqual([]);
    await dialog.getByLabel('Why it cannot wait').fill('the bank closes at eight');
    await dialog.getByLabel('Your name').fill('Ada');
    await dialog.getByRole('button', { name: 'Close the day all the same' }).click();
    await page
      .getByText('Closed by Ada although a payment was not clear: the bank closes at eight')
      .waitFor({ timeout: 60_000 });
  });

  it.runIf(isChromium)(
    'shows what a day has taken with a drawing, prints it, and saves it as CSV',
    async () => {
      const daemon = await Daemon.start(await aWorld());
      const { page, faults } = await signedIn(browser, daemon, 'lead');
      await take(page, '12.34', 'order 3');
      await lastOutcome(page, 'paid');
      await goTo(page, '#/day/takings');
      await page.getByText('€12.34 (1)').first().waitFor();
      await page.getByText('+€12.34').waitFor();
      await page.locator('.plot canvas').waitFor();
      expect(await page.getByRole('row', { name: /^Counter 1/ }).textContent()).toMatch(/€12\.34 \(1\)/);
      expect(await flawsOf(page)).toEqual([]);
      const saving = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Save as CSV' }).click();
      const csv = readFileSync(await (await saving).path(), 'utf8');
      expect(csv).toMatch(/,EUR,total,,1,12\.34,0,0\.00,0,0\.00,,12\.34\r\n/);
      await page.emulateMedia({ media: 'print' });
      expect(await page.getByRole('button', { name: 'Print' }).isVisible()).toBe(false);
      expect(await page.getByRole('link', { name: 'Takings' }).isVisible()).toBe(false);
      expect(await page.getByRole('heading', { name: /^Takings of / }).isVisible()).toBe(true);
      await page.emulateMedia({ media: 'screen' });
      await page.getByRole('button', { name: 'Yesterday' }).click();
      await page.getByText('Nothing was taken on this day.').waitFor();
      expect(faults).toEqual([]);
    },
  );

  it('fits every screen in three languages, and is not for staff', async () => {
    const daemon = await Daemon.start(await aWorld());
    const { page } = await signedIn(browser, daemon, 'lead');
    await take(page, '12.34', 'order 4');
    await lastOutcome(page, 'paid');
    await closeDay(page);
    await page.getByText('Sums agree', { exact: true }).waitFor();
    await fitsEverywhere(page, ['#/day/close', '#/day/takings']);
    const { page: staff } = await signedIn(browser, daemon, 'staff');
    await staff.getByRole('link', { name: 'Till' }).waitFor();
    expect(await staff.getByRole('link', { name: 'Day', exact: true }).count()).toBe(0);
    const refused = await staff.evaluate(async () => {
      const headers = { 'x-tilld-page': String(localStorage.getItem('tilld.proof')) };
      return (await fetch('/v2/reports/day', { headers })).status;
    });
    expect(refused).toBe(403);
  });
});
