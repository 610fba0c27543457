import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aWorld, Daemon } from '../support/daemon.ts';
import { aPeopleProvider, PEOPLE_RECIPE } from '../support/people-provider.ts';
import { askOver } from '../support/socket.ts';
import { flawsOf } from './axe.ts';
import { openBrowser } from './browser.ts';
import { wrongWordsOn } from './right-words.ts';
import { signedIn } from './shop.ts';

const INTEGRATION = {
  connector: 'rest',
  sink: 'mirror',
  interval_s: 3600,
  settings: { recipe: PEOPLE_RECIPE },
};

describe('operations: a refused credential', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  it('pauses its integration with the reason; another one brings it back, a full resync asks first', async () => {
    const provider = await aPeopleProvider('the-new-one', 12);
    const daemon = await Daemon.start(await aWorld({}, { integrations: { provider_a: INTEGRATION } }));
    const credentials = { apiKey: 'the-old-one', baseUrl: provider.url };
    await askOver(daemon.socket, 'POST', '/v2/integrations/provider_a/activate', { credentials });
    const { page, loads, faults, foreign } = await signedIn(browser, daemon, 'ops');
    await page.getByRole('link', { name: 'Operations' }).click();
    await page.getByRole('link', { name: 'Integrations' }).click();
    const card = page.locator('[data-provider=provider_a]');
    await card.getByText('Paused', { exact: true }).waitFor();
    await card.getByText('People', { exact: true }).waitFor();
    await card.getByRole('link', { name: 'Open provider_a' }).click();
    const refused = page.getByText('Paused: the provider refuses the credential.');
    await refused.waitFor();
    const customers = page.locator('[data-resource=customers]');
    await customers.getByText('Never complete').waitFor();
    expect(await flawsOf(page)).toEqual([]);

    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByText('Resumed; a run is queued.').waitFor();
    await refused.waitFor();
    await page.getByRole('button', { name: 'Replace the credential' }).click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.getByLabel(/^Address/).inputValue()).toBe(provider.url);
    await dialog.getByLabel('New key of the provider').fill('one-that-is-wrong');
    await page.keyboard.press('Enter');
    await dialog.getByText(/Nothing was stored, because the provider does not work with this key/).waitFor();
    await dialog.getByLabel('New key of the provider').fill('the-new-one');
    expect(await flawsOf(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('Works', { exact: true }).waitFor();
    await refused.waitFor({ state: 'detached' });
    await customers.getByText('12 records').waitFor();
    await customers.getByText('Complete', { exact: true }).waitFor();
    await customers.getByText('12 read · 12 new').waitFor();

    const stored = page.getByRole('region', { name: 'Credential' });
    await stored.getByText('stored, never shown').waitFor();
    await stored.getByText(provider.url).waitFor();
    expect(await page.content()).not.toContain('the-new-one');
    provider.takes('one-of-the-next-year');
    await stored.getByRole('button', { name: 'Replace the credential' }).click();
    await dialog.getByLabel('New key of the provider').fill('one-of-the-next-year');
    expect(await dialog.getByLabel('Address of the provider').inputValue()).toBe(provider.url);
    expect(await flawsOf(page)).toEqual([]);
    expect(await wrongWordsOn(page, 'the credential')).toEqual([]);
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });

    const before = provider.given();
    await page.getByRole('button', { name: 'Full resync' }).click();
    await dialog.getByText('Everything is read from the beginning').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(provider.given()).toBe(before);
    await page.getByRole('button', { name: 'Full resync' }).click();
    await dialog.getByRole('button', { name: 'Full resync' }).click();
    await customers.getByText('Full resync').waitFor();
    await customers.getByText('12 records').waitFor();
    expect(provider.given()).toBe(before + 1);
    expect(daemon.log).not.toMatch(/the-old-one|the-new-one|one-of-the-next-year/);
    expect({ loads: loads(), faults, foreign }).toEqual({ loads: 1, faults: [], foreign: [] });
  });
});
