import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aWorld, Daemon } from '../support/daemon.ts';
import { flawsOf } from './axe.ts';
import { openBrowser, type Seen } from './browser.ts';
import { aSandboxShop } from './sandbox-shop.ts';
import { signedIn } from './shop.ts';

const START = { name: 'Take €12.50' };

async function atTheBench(browser: Browser): Promise<Seen & { readonly daemon: Daemon }> {
  const daemon = await Daemon.start(aSandboxShop());
  const seen = await signedIn(browser, daemon, 'staff');
  await seen.page.getByRole('link', { name: 'Virtual terminal' }).click();
  await seen.page.locator('.lcd').getByText('Ready').waitFor();
  return { ...seen, daemon };
}

const shownText = (page: Page, charged: string) =>
  page.locator(`[data-charged=${charged}]`).waitFor({ timeout: 60_000 });
const asks = (page: Page) => page.locator('.lcd', { hasText: 'Present card: 12.50' }).waitFor();
const ledger = (page: Page) => page.locator('.ledger li');

describe('a virtual terminal', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  it('shows its screen, takes the card that is chosen, and does what the customer does', async () => {
    const { page, loads, faults, foreign } = await atTheBench(browser);
    expect(await flawsOf(page)).toEqual([]);
    await page.getByRole('button', START).click();
    await asks(page);
    expect(await flawsOf(page)).toEqual([]);
    await page.getByLabel('VISA inserted, signature').check();
    await page.getByRole('button', { name: 'Pays', exact: true }).click();
    await shownText(page, 'yes');
    await ledger(page).getByText('money moved').waitFor();
    await page.locator('.lcd').getByText('Ready').waitFor({ timeout: 60_000 });
    await page.getByRole('button', START).click();
    await asks(page);
    await page.getByRole('button', { name: 'Bank declines' }).click();
    await shownText(page, 'no');
    await page.getByText('· declined ·').waitFor();
    expect(await ledger(page).getByText('money moved', { exact: true }).count()).toBe(1);
    expect({ loads: loads(), faults, foreign }).toEqual({ loads: 1, faults: [], foreign: [] });
  });

  it('loses its power while the customer pays: nobody is told a thing that is not so', async () => {
    const { page, loads } = await atTheBench(browser);
    // A terminal with nothing in its memory leaves the question to a person.
    await page.getByRole('button', START).click();
    await asks(page);
    await page.getByRole('button', { name: 'Pays', exact: true }).click();
    await shownText(page, 'yes');
    await page.locator('.lcd').getByText('Ready').waitFor({ timeout: 60_000 });
    await page.getByRole('button', START).click();
    await asks(page);
    await page.getByRole('button', { name: 'Kill the power' }).click();
    await page.getByText('No power').waitFor();
    await shownText(page, 'unknown');
    expect(await flawsOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Switch it on' }).click();
    await shownText(page, 'no');
    expect(await ledger(page).getByText('money moved', { exact: true }).count()).toBe(1);
    expect(loads()).toBe(1);
  });

  it('loses the cable right after the approval: tilld finds out that the customer was charged', async () => {
    const { page, loads } = await atTheBench(browser);
    await page.getByRole('button', { name: 'Cut the cable right after the approval' }).click();
    await page.locator('[data-armed="1"]').waitFor();
    expect(await flawsOf(page)).toEqual([]);
    await page.getByRole('button', START).click();
    await asks(page);
    await page.getByRole('button', { name: 'Pays', exact: true }).click();
    await page.locator('[data-armed="0"]').waitFor();
    await page.locator('[data-charged=yes], [data-charged=no]').waitFor({ timeout: 60_000 });
    const charged = await page.locator('[data-charged]').getAttribute('data-charged');
    const moved = await ledger(page).getByText('money moved', { exact: true }).count();
    expect(charged).toBe(moved === 1 ? 'yes' : 'no');
    expect(loads()).toBe(1);
  });

  it('is broken by keyboard alone, and shown as unplugged until it is plugged in', async () => {
    const { page } = await atTheBench(browser);
    await page.getByRole('button', { name: 'Cut the cable' }).first().focus();
    await page.keyboard.press('Enter');
    await page.getByText('Cable is out').waitFor();
    await page.getByText('Counter 1: Not connected').waitFor({ timeout: 60_000 });
    await page.keyboard.press('Enter');
    await page.getByText('Cable is out').waitFor({ state: 'detached' });
    await page.getByText('Counter 1: Ready').waitFor({ timeout: 60_000 });
    await page.getByText('A fault of your own').focus();
    await page.keyboard.press('Enter');
    await page.locator('select[name=do]').selectOption('power_loss');
    await page.getByRole('button', { name: 'Add the fault' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('power fails when the till sends, 5 s').waitFor();
    await page.getByRole('button', { name: 'Remove all faults' }).click();
    await page.getByText('No fault is set.').waitFor();
  });

  it('is in no menu where there is none, and cannot be reached either', async () => {
    const daemon = await Daemon.start(await aWorld());
    const { page } = await signedIn(browser, daemon, 'ops');
    await page.getByText('Connected', { exact: true }).waitFor();
    expect(await page.getByRole('link', { name: 'Virtual terminal' }).count()).toBe(0);
    const status = await page.evaluate(async () => {
      const headers = { 'x-tilld-page': String(localStorage.getItem('tilld.proof')) };
      return (await fetch('/v2/virtual-terminals/counter-1/faults', { method: 'DELETE', headers })).status;
    });
    expect(status).toBe(404);
  });
});
