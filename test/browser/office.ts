import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { DEVICE_ID } from '../support/attempts.ts';
import { aWorld, Daemon, eventually } from '../support/daemon.ts';
import { aFolder } from '../support/money-database.ts';
import { aPeopleProvider, PEOPLE_RECIPE } from '../support/people-provider.ts';
import { askOver } from '../support/socket.ts';
import { openPage, type Seen } from './browser.ts';
import { goTo } from './every-screen.ts';
import { everythingIsWrong } from './everything-wrong.ts';
import { lastOutcome, take } from './staff.ts';

const INTEGRATION = '/v2/integrations/provider_b';
/** Reads people by a recipe, whose title is a name. */
const BY_RECIPE = {
  connector: 'rest',
  sink: 'mirror',
  settings: { recipe: { ...PEOPLE_RECIPE, title: 'Directus' } },
};
/** What the pages ask for with POST, and what changes no money and no setting. */
const HARMLESS = /\/v2\/(sign-in-codes|pairing-codes|terminal-devices\/[^/]+\/(reconcile|reprint))$/;

/** How long a dialog may take to open. */
const DIALOG_MS = 400;

export interface Office extends Seen {
  /** Every place of the pages, `#/…`. */
  readonly places: readonly string[];
}

/**
 * A shop with a paid and a declined payment, a closed day that differs, an integration with a record on hold and mappings, one by a recipe, two people and all that
 * can be wrong; Olga, who is ops, is at its pages. What she presses changes nothing any more.
 */
export async function anOffice(browser: Browser): Promise<Office> {
  const provider = await aPeopleProvider('a-key', 3);
  const integrations = { provider_a: BY_RECIPE, provider_b: anIntegration() };
  const world = await aWorld({ autopilotMs: 100 }, { integrations });
  const daemon = await Daemon.start(world);
  const ask = (method: string, path: string, body?: object) => askOver(daemon.socket, method, path, body);
  await ask('POST', `${INTEGRATION}/activate`, {});
  await ask('POST', '/v2/integrations/provider_a/activate', {
    credentials: { apiKey: 'a-key', baseUrl: provider.url },
  });
  await ask('PUT', `${INTEGRATION}/product-mappings`, {
    mappings: [
      { externalId: 'gold', metadata: { name: 'Gold' } },
      { externalId: 'silver', ignored: true },
    ],
  });
  for (const [name, role] of [
    ['Olga', 'ops'],
    ['Anna', 'staff'],
  ])
    await ask('POST', '/v2/people', { name, role });
  const code = (await ask('POST', '/v2/sign-in-codes', { person: 'Olga' })) as { data: { code: string } };
  const seen = await openPage(browser, daemon.url);
  const { page } = seen;
  // A dialog of the browser itself holds Firefox for ever; from the reload on.
  await page.addInitScript(() => {
    window.print = () => undefined;
  });
  await page.getByRole('textbox').fill(code.data.code);
  await page.keyboard.press('Enter');
  await page.locator('header.top').waitFor();
  await take(page, '12.34', 'order 1');
  await lastOutcome(page, 'paid');
  const id = page.url().split('/').at(-1) ?? '';
  await eventually(() => world.terminal.typeByHand({ kind: 'sale', amountMinor: 777 }) !== undefined);
  await ask('POST', `/v2/terminal-devices/${DEVICE_ID}/end-of-day`, {});
  await eventually(
    async () => ((await ask('GET', `${INTEGRATION}/parked`)) as { data: object[] }).data.length > 0,
  );
  await everythingIsWrong(page, id);
  await nothingIsDone(page);
  await page.reload();
  return { ...seen, places: placesWith(id) };
}

/** From now on a press in this browser changes nothing: tilld does not answer it. */
export async function nothingIsDone(page: Page): Promise<void> {
  await page.route('**/v2/**', (route) =>
    route.request().method() === 'GET' || HARMLESS.test(route.request().url())
      ? route.fallback()
      : route.abort(),
  );
}

function placesWith(payment: string): readonly string[] {
  return [
    ...['#/till', `#/till/payment/${payment}`, '#/till/history', '#/till/tasks'],
    ...['#/day', '#/day/takings', '#/repairs'],
    ...['#/ops', `#/ops/overview/${DEVICE_ID}`, '#/ops/outbox', '#/ops/people'],
    ...[
      '#/ops/integrations',
      '#/ops/integrations/provider_a',
      '#/ops/integrations/provider_b',
      '#/ops/charts',
      '#/ops/log',
      '#/ops/doctor',
    ],
  ];
}

/** Files of a folder; one row has no number. */
function anIntegration(): object {
  const folder = join(aFolder(), 'export');
  mkdirSync(folder);
  writeFileSync(join(folder, 'customers-1.csv'), 'number,name\n1,One\n,Nameless\n');
  return {
    connector: 'files',
    folder,
    sink: 'mirror',
    settings: {
      resources: { customers: { files: 'customers-*.csv', mode: 'whole', id: 'number' } },
      still_s: 1,
    },
  };
}

/**
 * Presses every button of a place by keyboard; `seen` is called while a dialog is open, and Escape closes it.
 * @returns buttons that lost the focus by it, one line each
 */
export async function everyButton(
  page: Page,
  place: string,
  seen: (what: string) => Promise<void>,
): Promise<readonly string[]> {
  const lost: string[] = [];
  await settled(page, place);
  const names = await page.locator('main button').allTextContents();
  for (const [no, name] of names.entries()) {
    const button = page.locator('main button').nth(no);
    if (names.indexOf(name) !== no || (await button.isDisabled()) || !(await button.isVisible())) continue;
    await button.focus();
    await page.keyboard.press('Enter');
    const dialog = page.locator('dialog[open]');
    const isThere = await dialog.waitFor({ timeout: DIALOG_MS }).then(
      () => true,
      () => false,
    );
    if (isThere) {
      await seen(`${place} "${name}"`);
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
    }
    if (await page.evaluate(() => document.activeElement === document.body)) lost.push(`${place} "${name}"`);
    if (!isThere) await settled(page, place);
  }
  return lost;
}

/** Opens a place anew and waits until its content is there. */
export async function settled(page: Page, place: string): Promise<void> {
  await goTo(page, '#/till/history');
  await goTo(page, place);
  await page.waitForTimeout(400);
}
