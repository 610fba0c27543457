import { readFileSync, writeFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Daemon } from '../support/daemon.ts';
import { askOver } from '../support/socket.ts';
import { flawsOf } from './axe.ts';
import { openBrowser, type Seen } from './browser.ts';
import { wrongWordsOn } from './right-words.ts';
import { aSandboxShop, type SandboxShop } from './sandbox-shop.ts';
import { signedIn } from './shop.ts';

const CUSTOMERS = Array.from({ length: 40 }, (_, index) => `${index + 1},Customer ${index + 1}`);
/** Product 12 of the sandbox's service. */
const A_PRODUCT = '0199c0de-0003-7000-8000-00000000000b';

interface Opened extends Seen {
  readonly shop: SandboxShop;
  readonly daemon: Daemon;
}

/** The page of an integration that reads a folder, switched on. */
async function opened(browser: Browser, customers: readonly string[]): Promise<Opened> {
  const shop = aSandboxShop();
  await shop.export(customers);
  const daemon = await Daemon.start(shop);
  const seen = await signedIn(browser, daemon, 'ops');
  const { page } = seen;
  await page.getByRole('link', { name: 'Operations' }).click();
  await page.getByRole('link', { name: 'Integrations' }).click();
  await page.locator('[data-provider=provider_a]').getByText('Not set up').waitFor();
  await page.getByRole('link', { name: 'Open provider_b' }).click();
  await page.getByRole('button', { name: 'Switch on' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Switch on' }).click();
  await rows(page, '40 records');
  return { ...seen, shop, daemon };
}

const rows = (page: Page, words: string) =>
  page
    .locator('[data-resource=customers]')
    .getByText(new RegExp(`^${words}`))
    .waitFor();

describe('operations: integrations', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  it('switches one on, shows what its run brought and what waits alone, and reads anew when it is told so', async () => {
    const { page, shop, loads, faults, foreign } = await opened(browser, [...CUSTOMERS, ',nobody']);
    await page.getByText('Complete', { exact: true }).first().waitFor();
    const settings = page.getByRole('region', { name: 'Source and schedule' });
    await settings.getByText('Next sync').waitFor();
    await settings.getByText(/^\d+ days$/).waitFor();
    await settings.getByRole('button', { name: 'Change the days' }).click();
    await page.getByRole('dialog').getByLabel('Days').fill('45');
    expect(await flawsOf(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await settings.getByText('45 days').waitFor();
    await page
      .locator('[data-resource=customers]')
      .getByText(/^Next: \d/)
      .waitFor();
    const history = page.getByRole('region', { name: 'History of the runs' });
    await history
      .getByRole('figure', { name: 'Records per run' })
      .getByText('41', { exact: true })
      .first()
      .waitFor();
    await history.getByRole('figure', { name: 'Duration of a run' }).waitFor();
    await page.getByRole('heading', { name: 'Records on hold' }).waitFor();
    await page.getByText('Cannot be read').waitFor();
    await page.getByRole('button', { name: 'Retry' }).click();
    await page.getByText('They are retried now.').waitFor();
    expect(await flawsOf(page)).toEqual([]);
    await shop.export([...CUSTOMERS, '41,Customer 41']);
    await page.getByRole('button', { name: 'Sync now' }).click();
    await rows(page, '41 records');
    await page.getByRole('button', { name: 'Full resync' }).click();
    await page.getByRole('dialog').getByText('Everything is read from the beginning').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Full resync' }).click();
    await page.locator('[data-resource=customers]').getByText('Full resync').waitFor({ timeout: 60_000 });
    await page.getByRole('button', { name: 'Switch syncs off' }).click();
    await page.getByText('Syncs are off').waitFor();
    await page.getByRole('button', { name: 'Switch syncs on' }).click();
    await page.getByText('Works', { exact: true }).waitFor();
    expect({ loads: loads(), faults, foreign }).toEqual({ loads: 1, faults: [], foreign: [] });
  });

  it('deletes nothing that is too much until a person has looked and said so', async () => {
    const { page, shop } = await opened(browser, CUSTOMERS);
    await shop.export(CUSTOMERS.slice(0, 5));
    for (let run = 0; run < 3; run += 1) {
      await page.getByRole('button', { name: 'Sync now' }).click();
      await page.getByText('Queued: it runs in a moment.').first().waitFor();
      await page.waitForTimeout(1_500);
      if ((await page.getByText('would be deleted').count()) > 0) break;
    }
    await page.getByText('35 of 40 records would be deleted').waitFor();
    const which = /^Ids at the source: (\d+, ){9}\d+ and 25 more$/;
    const why = 'Why: deleted at the source, or missing from two complete readings.';
    await page.getByText(why).waitFor();
    await page.getByText(which).waitFor();
    expect(await flawsOf(page)).toEqual([]);
    await rows(page, '40 records');
    await page.getByRole('button', { name: 'Delete 35 records' }).click();
    await page.getByRole('dialog').getByText(why).waitFor();
    await page.getByRole('dialog').getByText(which).waitFor();
    expect(await wrongWordsOn(page, 'the deletes that wait')).toEqual([]);
    await page.getByRole('dialog').getByRole('button', { name: 'Delete 35 records' }).click();
    await page.getByRole('button', { name: 'Sync now' }).click();
    await rows(page, '5 records');
  });

  it('has a package added, its price set, its product chosen and its mapping removed', async () => {
    const { page } = await opened(browser, CUSTOMERS);
    await page.getByRole('button', { name: 'Add a package' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Its id at the provider').fill('gold');
    expect(await flawsOf(page)).toEqual([]);
    await page.keyboard.press('Enter');
    const row = page.locator('[data-package=gold]');
    await row.getByText('not decided yet').waitFor();
    await row.getByRole('button', { name: 'Price …' }).click();
    await dialog.getByLabel('Price in EUR').fill('1,450');
    await page.keyboard.press('Enter');
    await dialog.getByRole('alert').getByText('1234.50').waitFor();
    await dialog.getByLabel('Price in EUR').fill('14.50');
    expect(await flawsOf(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await row.getByText('not decided yet · price €14.50').waitFor();
    await row.getByRole('button', { name: 'Choose a product' }).click();
    await dialog.getByLabel('Find a product by name or code').fill('product 12');
    await dialog.getByRole('button', { name: 'Product 12' }).click();
    await row.getByText('Product 12 · price €14.50').waitFor();
    await row.getByRole('button', { name: 'Choose a product' }).click();
    await dialog.getByRole('button', { name: 'Remove the mapping' }).click();
    await page.getByText('Removed: gold.').waitFor();
    await row.waitFor({ state: 'detached' });
    expect(await page.locator('textarea').count()).toBe(0);
  });

  it('has the product of a package chosen among those that exist, by name', async () => {
    const { page, daemon } = await opened(browser, CUSTOMERS);
    await askOver(daemon.socket, 'PUT', '/v2/integrations/provider_b/product-mappings', {
      mappings: [{ externalId: 'gold', metadata: { name: 'Gold' } }, { externalId: 'silver' }],
    });
    await page.reload();
    await page.getByLabel('Find a package by name or code').fill('gol');
    await page.locator('[data-package=silver]').waitFor({ state: 'detached' });
    const row = page.locator('[data-package=gold]');
    await row.getByText('not decided yet').waitFor();
    await row.getByRole('button', { name: 'Choose a product' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Find a product by name or code').fill('product 12');
    expect(await flawsOf(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Product 12' }).click();
    await page.getByText('Saved: Gold (gold).').waitFor();
    await row.getByText('not decided yet').waitFor({ state: 'detached' });
    expect(await row.textContent()).not.toContain(A_PRODUCT);
    await row.getByRole('button', { name: 'Choose a product' }).click();
    await dialog.getByRole('button', { name: 'Ignore this package' }).click();
    await row.getByText('ignored').waitFor();
    await page.getByLabel('Find a package by name or code').fill('');
    await page.locator('[data-package=silver]').waitFor();
  });

  it('shows why the configuration of one is refused, with its place, while the others work', async () => {
    const shop = aSandboxShop();
    const config = JSON.parse(readFileSync(shop.config, 'utf8'));
    config.integrations.provider_a = { connector: 'rest', settings: { recipe: 'clinico' } };
    writeFileSync(shop.config, JSON.stringify(config));
    const daemon = await Daemon.start(shop);
    const { page } = await signedIn(browser, daemon, 'ops');
    await page.getByRole('link', { name: 'Operations' }).click();
    await page.getByRole('link', { name: 'Integrations' }).click();
    const card = page.locator('[data-provider=provider_a]');
    await card.getByText('Refused', { exact: true }).waitFor();
    await card.getByText(/tilld\.jsonc:1:\d+ .*there is no recipe "clinico"/).waitFor();
    await page.getByRole('link', { name: 'Open provider_b' }).waitFor();
    expect(await flawsOf(page)).toEqual([]);
  });
});
