import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aWorld, Daemon } from '../support/daemon.ts';
import { aPeopleProvider, PEOPLE_RECIPE } from '../support/people-provider.ts';
import { askOver } from '../support/socket.ts';
import { flawsOf } from './axe.ts';
import { openBrowser, setColours } from './browser.ts';
import { goTo } from './every-screen.ts';
import { speak, wrongWordsOn } from './right-words.ts';
import { overhang, SCREENS } from './screens.ts';
import { signedIn } from './shop.ts';

const PLACE = '#/ops/integrations/provider_a';
const INTEGRATION = {
  connector: 'rest',
  sink: 'mirror',
  settings: { recipe: { ...PEOPLE_RECIPE, title: 'Directus' } },
};
/** The same with a field that the provider does not have. */
const WITH_MAIL = {
  ...PEOPLE_RECIPE,
  resources: { customers: { ...PEOPLE_RECIPE.resources.customers, fields: { name: 'name', email: 'mail' } } },
};

const aFile = (content: string) => ({
  name: 'people.json',
  mimeType: 'application/json',
  buffer: Buffer.from(content),
});

describe('operations: a recipe is tried', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  it('each record as it comes, as it is mapped and as it would be written, without personal data until they are asked for; nothing is stored', async () => {
    const provider = await aPeopleProvider('a-key', 5);
    const daemon = await Daemon.start(await aWorld({}, { integrations: { provider_a: INTEGRATION } }));
    const { page, faults, foreign } = await signedIn(browser, daemon, 'ops');
    await goTo(page, PLACE);
    const card = page.getByRole('region', { name: 'Try a recipe' });
    const start = card.getByRole('button', { name: 'Try', exact: true });
    await start.click();
    await card.getByText(/There is no credential for it yet/).waitFor();
    await card.getByLabel('Key of the provider').fill('a-key');
    await card.getByLabel('Address of the provider').fill(provider.url);
    await page.keyboard.press('Enter');
    await card.getByText('5 records of customers came.').waitFor();
    await card.getByText('GET /people').waitFor();
    expect(await card.getByRole('listitem').count()).toBe(3);
    const first = card.getByRole('article').first();
    await first.getByText('would be written', { exact: true }).waitFor();
    for (const part of ['As it comes', 'As it is mapped: 0', 'What would be written, or why not'])
      await first.getByRole('group', { name: part }).filter({ hasText: '"P…"' }).waitFor();
    expect(await card.textContent()).not.toContain('Person 0');
    expect(await wrongWordsOn(page, 'a trial')).toEqual([]);
    await card.getByLabel('Show personal data').check();
    await first.getByRole('group', { name: 'As it comes' }).filter({ hasText: '"Person 0"' }).waitFor();

    await card.getByLabel('Choose a recipe file').setInputFiles(aFile('{"recipe": 1'));
    await card.getByRole('button', { name: 'Without people.json' }).waitFor();
    await start.click();
    await card.getByText('people.json cannot be read').waitFor();
    await card.getByRole('button', { name: 'Without people.json' }).click();
    await card.getByLabel('Choose a recipe file').setInputFiles(aFile(JSON.stringify(WITH_MAIL)));
    await card.getByRole('button', { name: 'Without people.json' }).waitFor();
    await start.click();
    await card
      .getByText(/"email" is null/)
      .first()
      .waitFor();
    expect(await card.textContent()).not.toContain('Person 0');

    expect(await wrongWordsOn(page, 'a trial with hints')).toEqual([]);
    await speak(page, 'de');
    for (const size of SCREENS) {
      await page.setViewportSize(size);
      expect(await overhang(page), `${size.width}x${size.height}`).toEqual([]);
    }
    for (const colorScheme of ['dark', 'light'] as const) {
      await setColours(page, colorScheme);
      expect(await flawsOf(page), colorScheme).toEqual([]);
    }
    const ask = (path: string) => askOver(daemon.socket, 'GET', `/v2/integrations/provider_a${path}`);
    expect(await ask('/credentials')).toMatchObject({ data: { key_stored: false, base_url: null } });
    expect(await ask('/streams')).toMatchObject({ data: [{ rows: 0, run: null }] });
    expect(await ask('')).toMatchObject({ data: { active: false } });
    expect({ faults, foreign }).toEqual({ faults: [], foreign: [] });
  });

  it('at an integration that has none yet it asks for a recipe', async () => {
    const daemon = await Daemon.start(await aWorld());
    const { page } = await signedIn(browser, daemon, 'ops');
    await goTo(page, '#/ops/integrations');
    await page.getByRole('link', { name: 'Open provider_a' }).click();
    const card = page.getByRole('region', { name: 'Try a recipe' });
    await card.getByLabel('Built-in recipe').fill('clinico');
    await page.keyboard.press('Enter');
    await card.getByText(/there is no recipe "clinico"; there are .*directus/).waitFor();
    expect(await flawsOf(page)).toEqual([]);
  });
});
