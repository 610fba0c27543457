import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Beat } from '../../src/hub/beat.ts';
import { makeOperatorKey, signCommand } from '../../src/hub/commands/sign.ts';
import { TARGET_STATES } from '../../src/hub/rollouts/targets.ts';
import { testBeat } from '../fleet/alerts.ts';
import { type Operator, Shop, type TestHub, testHub } from '../fleet/hub.ts';
import { flawsOf } from './axe.ts';
import { openBrowser, openPage } from './browser.ts';
import { picture } from './picture.ts';

const REVISION = 7;
const folder = mkdtempSync(join(tmpdir(), 'tilld-hub-pages-'));
const keyFile = join(folder, 'operator.key');
let browser: Browser;
let hub: TestHub;
let beat: Beat;
let url: string;
let anna: Operator;
let viewer: Operator;

beforeAll(async () => {
  makeOperatorKey(keyFile);
  browser = await openBrowser();
  hub = await testHub();
  hub.now = Date.now();
  beat = testBeat(hub.database);
  await hub.tenant('Bakery');
  anna = await hub.operator('Bakery', 'operator');
  viewer = await hub.operator('Bakery', 'viewer');
  url = await hub.listen();
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await browser.close();
  await hub.stop();
});

/** Settings for shops in two rings; so many of them were given the settings. */
async function startedRollout(name: string, count: number): Promise<Shop[]> {
  const shops: Shop[] = [];
  const signed: string[] = [];
  for (let number = 1; number <= count; number += 1) {
    const shop = new Shop(hub.send);
    await shop.join(await hub.invite('Bakery', `${name} <b>${number}`));
    await shop.exchange({}, hub.now);
    const command = { kind: 'configuration', revision: REVISION, settings: { heartbeat_ms: 5_000 } };
    const agentId = shop.issuer?.split('/')[1] ?? '';
    signed.push(
      await signCommand(keyFile, { agentId, operator: 'Anna', seconds: 604_800, command }, hub.now),
    );
    shops.push(shop);
  }
  const rings = [
    { percent: 50, minutes: 1_440 },
    { percent: 100, minutes: 0 },
  ];
  await anna.ask('POST', '/v1/rollouts', { body: { name, rings, most_failures: 2 } });
  await anna.ask('POST', `/v1/rollouts/${name}/commands`, { body: { signed } });
  await anna.ask('POST', `/v1/rollouts/${name}/start`);
  await beat.advance();
  return shops;
}

/** Of eight shops one gives the settings up, and one refuses them. */
async function pausedRollout(name: string): Promise<void> {
  const [first, second] = (await startedRollout(name, 8)) as [Shop, Shop];
  const why = 'the <img src=x> did not sell';
  await report(first, 'done', null, { failed: { revision: REVISION, why, at: 1 } });
  await report(second, 'refused', 'heartbeat_ms <i>is set</i> here', {});
  await beat.advance();
}

async function report(shop: Shop, state: string, details: string | null, configuration: object) {
  const [command] = (await shop.exchange({}, hub.now)).body.data.commands;
  const outcomes = [{ id: command.id, state, details }];
  const none = { running: null, attempted: null, failed: null };
  await shop.exchange({ outcomes, state: { configuration: { ...none, ...configuration } } }, hub.now);
}

async function signedIn(operator: Operator, options: Parameters<typeof openPage>[2] = {}) {
  const seen = await openPage(browser, url, options);
  await seen.page.locator('input[name="token"]').fill(operator.token);
  await seen.page.keyboard.press('Enter');
  await seen.page.locator('tbody').waitFor();
  return seen;
}

const buttonsOf = (page: Page) => page.locator('main').getByRole('button').allTextContents();
const stateOf = async (name: string) => (await anna.ask('GET', `/v1/rollouts/${name}`)).body.data.state;

it('show a rollout that paused after failures, why, and resume and stop it, with the keyboard alone', async () => {
  await pausedRollout('winter');
  const { page, foreign, faults } = await signedIn(anna);
  const waits = page.locator('p.problem', { hasText: 'Settings reach no further shop' });
  expect(await waits.getByRole('link').getAttribute('href')).toBe('#/rollouts/winter');
  expect(await flawsOf(page)).toEqual([]);
  await page.getByRole('link', { name: 'Rollouts' }).press('Enter');
  await page.getByText('1 rollout', { exact: true }).waitFor();
  expect(await page.locator('tbody').locator('th, td').allTextContents()).toEqual([
    ...['winter', 'paused', '1 of 2', '0 of 8', '2', '', anna.name],
  ]);
  expect(await flawsOf(page)).toEqual([]);
  await picture(page, 'hub rollouts light');

  await page.getByRole('link', { name: 'winter' }).press('Enter');
  await page.getByText('It has paused by itself, because too many shops').waitFor();
  const reasons = await page.locator('li.alert').allTextContents();
  expect(reasons).toEqual([
    'winter <b>1 failedthe <img src=x> did not sell',
    'winter <b>2 refusedheartbeat_ms <i>is set</i> here',
  ]);
  expect(
    await page.locator('section', { hasText: 'How far the shops are' }).locator('li').allTextContents(),
  ).toEqual([
    ...['1 shop failed The shop did not keep the settings, and went on with its former ones.'],
    ...['1 shop refused The shop did not take the settings, and goes on with those that it has.'],
    ...['6 shops waiting It has not had its turn yet.'],
  ]);
  expect(await page.locator('section', { hasText: 'Rings' }).locator('li').allTextContents()).toEqual([
    ...['Ring 1: up to 4 shops (50%). Pause after it: 1 day. now', 'Ring 2: up to 8 shops (100%).'],
  ]);
  expect(await flawsOf(page)).toEqual([]);
  await picture(page, 'hub rollout light', true);

  const state = page.getByLabel('State');
  const values = await state
    .locator('option')
    .evaluateAll((all) => all.map((one) => one.getAttribute('value')));
  expect(values.toSorted()).toEqual(['', ...TARGET_STATES].toSorted());
  await state.selectOption('refused');
  await page.getByRole('status').getByText('1 shop', { exact: true }).waitFor();
  expect(page.url()).toBe(`${url}/#/rollouts/winter?state=refused`);
  await page.locator('li.alert').getByRole('link').first().press('Enter');
  await page.getByRole('heading', { name: 'winter <b>1' }).waitFor();
  await page.goBack();

  await page.getByRole('button', { name: 'Resume' }).press('Enter');
  await page.getByRole('status').getByText('Resumed:').waitFor();
  expect([await stateOf('winter'), await buttonsOf(page)]).toEqual(['running', ['Pause', 'Stop', 'Refresh']]);
  expect(await page.evaluate('document.activeElement.tagName')).toBe('H1');
  await page.getByRole('button', { name: 'Pause' }).press('Enter');
  await page.getByText(`Paused by ${anna.name}:`).waitFor();
  expect(await stateOf('winter')).toBe('paused');

  await page.getByRole('button', { name: 'Stop' }).press('Enter');
  await page.getByRole('dialog', { name: 'Stop winter for good?' }).waitFor();
  expect(await flawsOf(page)).toEqual([]);
  await picture(page, 'hub rollout stop');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await stateOf('winter')).toBe('paused');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByRole('status').getByText('Stopped for good.').waitFor();
  expect([await stateOf('winter'), await buttonsOf(page)]).toEqual(['stopped', ['Refresh']]);
  await page.getByText('6 shops withdrawn').waitFor();
  expect([foreign, faults]).toEqual([[], []]);
});

it('say when the next ring of a rollout begins', async () => {
  const [first] = await startedRollout('autumn', 2);
  await report(first as Shop, 'done', null, { running: REVISION });
  await beat.advance();
  const next = (await anna.ask('GET', '/v1/rollouts/autumn')).body.data.next_ring_at;
  const shown = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' }).format(
    new Date(next),
  );
  const { page } = await signedIn(viewer);
  await page.goto(`${url}/#/rollouts`);
  await page.getByRole('row', { name: 'autumn' }).getByText(shown).waitFor();
  await page.getByRole('link', { name: 'autumn' }).click();
  await page.getByText(`The next ring begins on ${shown}, if nothing fails until then.`).waitFor();
  await page.getByText('1 shop has the settings').waitFor();
});

it('say that a rollout was not decided on, where it has changed since it was read', async () => {
  await pausedRollout('spring');
  const { page } = await signedIn(anna);
  await page.goto(`${url}/#/rollouts/spring`);
  await page.getByRole('button', { name: 'Resume' }).waitFor();
  await anna.ask('POST', '/v1/rollouts/spring/stop');
  await page.getByRole('button', { name: 'Resume' }).click();
  await page.getByRole('status').getByText('This was not done').waitFor();
  await page.getByText('It was stopped for good').waitFor();
});

it('show rollouts to a viewer without buttons, in the language and the colours of the browser, on a phone', async () => {
  await pausedRollout('summer');
  for (const [locale, list, words] of [
    ['de-AT', 'Verteilungen', 'Sie hat von selbst pausiert'],
    ['fr-CA', 'Déploiements', 'Il s’est mis en pause de lui-même'],
  ] as const) {
    const { page, faults } = await signedIn(viewer, {
      locale,
      colorScheme: 'dark',
      viewport: { width: 390, height: 800 },
    });
    await page.getByRole('link', { name: list }).press('Enter');
    await page.getByRole('heading', { name: list }).waitFor();
    expect(await flawsOf(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    await picture(page, `hub rollouts ${locale}`);
    await page.getByRole('link', { name: 'summer' }).press('Enter');
    await page.getByText(words).waitFor();
    expect(await flawsOf(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    expect(await page.locator('.actions button').count()).toBe(1);
    await picture(page, `hub rollout ${locale}`, true);
    expect(faults).toEqual([]);
  }
});
