import type { Browser, Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OutboxCause, OutboxReport } from '../../src/api/contract/outbox-report.ts';
import { DEVICE_ID } from '../support/attempts.ts';
import { aWorld, Daemon } from '../support/daemon.ts';
import { flawsOf } from './axe.ts';
import { openBrowser, setColours } from './browser.ts';
import { goTo } from './every-screen.ts';
import { speak, wrongWordsOn } from './right-words.ts';
import { signedIn } from './shop.ts';

/** The first part of each cause, as the database groups them; the last one is none that the pages know. */
const CAUSES = [
  ['refused: 402', 4_850],
  ['key_mismatch: 422', 12],
  ['not_at_service: 404', 3],
  ['parent_not_at_service: 404', 2],
  ['answer_names_parent', 1],
  ['rejected', 1],
  ['out_of_reach: 418', 1],
] as const;
const LANGUAGES = {
  en: {
    many: 'and 4,670 more reports',
    one: 'and 1 more report,',
    refused: 'The service refused what it was sent.',
  },
  de: { many: '4.670 weitere', one: '1 weitere', refused: 'Der Dienst' },
  fr: { many: /4.670 autres/, one: '1 autre', refused: 'Le service' },
} as const;

/** What the daemon would say of its outbox. */
interface Outbox {
  /** How many reports it has in all. */
  readonly parked: number;
  readonly pending: number;
  /** Whether there are more refused ones than the page reads. */
  readonly isRefusedCut: boolean;
}

function report(status: OutboxReport['status'], no: number): OutboxReport {
  const isRefused = status === 'parked';
  const id = (kind: string) => `0199c0de-0000-7000-8000-${kind}${String(no).padStart(11, '0')}`;
  return {
    id: id(isRefused ? 'a' : 'b'),
    object: 'outbox_report',
    payment_id: id(isRefused ? 'c' : 'd'),
    parent_id: null,
    device_id: DEVICE_ID,
    amount_minor: 100,
    currency: 'EUR',
    kind: 'create',
    type: 'sale',
    status,
    attempts: isRefused ? 3 : 0,
    last_error: isRefused ? 'refused: 402 no plan' : null,
    created_at: new Date(Date.UTC(2026, 0, 1) + no * 1_000).toISOString(),
    key_first_used_at: null,
    decision: null,
  };
}

const causes: readonly OutboxCause[] = CAUSES.map(([id, reports]) => ({
  id,
  object: 'outbox_cause',
  reports,
  oldest_at: '2026-01-01T00:00:00.000Z',
  last_error: id,
}));

/** From now on the pages see this outbox. */
async function sees(page: Page, { parked, pending, isRefusedCut }: Outbox): Promise<void> {
  const list = (data: readonly object[], has_more: boolean) => ({
    object: 'list',
    data,
    has_more,
    url: '/v2/outbox',
  });
  await page.unrouteAll();
  await page.route('**/v2/outbox**', async (route: Route) => {
    const { pathname, searchParams } = new URL(route.request().url());
    if (pathname.endsWith('/causes')) return route.fulfill({ json: list(causes, false) });
    const status = searchParams.get('status');
    const from = Number(searchParams.get('starting_after')?.slice(-11) ?? -1) + 1;
    const all = status === 'parked' ? parked : status === 'pending' ? pending : 0;
    const most = status === 'parked' && !isRefusedCut ? all : Math.min(all, from + 100);
    const data = Array.from({ length: most - from }, (_, no) =>
      report(status === 'parked' ? status : 'pending', from + no),
    );
    return route.fulfill({ json: list(data, most < all) });
  });
  await page.route('**/v2/status', async (route) => {
    const { data } = await (await route.fetch()).json();
    const outbox = { ...data.outbox, parked, pending };
    await route.fulfill({ json: { data: { ...data, outbox } } });
  });
}

/** The reports that are not listed, at one of both places; waits until the page has read the outbox. */
async function opened(page: Page, place: string) {
  await goTo(page, '#/till');
  await goTo(page, place);
  await page.getByText('The service refused what it was sent.').first().waitFor({ timeout: 60_000 });
  return page.locator('[data-more-reports]');
}

describe.each(['#/repairs', '#/ops/outbox'])('the reports that %s does not list', (place) => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  it('are none, some that wait, one, or many by cause, in three languages, light and dark', async () => {
    const daemon = await Daemon.start(await aWorld());
    const { page, faults } = await signedIn(browser, daemon, 'ops');

    await sees(page, { parked: 3, pending: 2, isRefusedCut: false });
    expect(await (await opened(page, place)).count()).toBe(0);

    // Only ones that wait are not listed: there is no cause to name.
    await sees(page, { parked: 1, pending: 1_001, isRefusedCut: false });
    const one = await opened(page, place);
    for (const language of ['de', 'fr', 'en'] as const) {
      await speak(page, language);
      await one.getByText(LANGUAGES[language].one).waitFor({ timeout: 30_000 });
    }
    expect(await one.locator('li, ul').count()).toBe(0);
    expect(await flawsOf(page)).toEqual([]);

    await sees(page, { parked: 6_670, pending: 0, isRefusedCut: true });
    const many = await opened(page, place);
    for (const language of ['de', 'fr', 'en'] as const) {
      await speak(page, language);
      const { many: words, refused } = LANGUAGES[language];
      await many.getByText(words).waitFor({ timeout: 60_000 });
      expect(await many.locator('[data-cause]').count()).toBe(CAUSES.length);
      await many.locator('[data-cause="refused: 402"]').getByText(refused).waitFor();
    }
    expect(await many.locator('[data-cause="out_of_reach: 418"]').textContent()).toBe(
      '1 · The service did not take it. (out_of_reach: 418)',
    );
    expect(await wrongWordsOn(page, place)).toEqual([]);
    for (const colorScheme of ['dark', 'light'] as const) {
      await setColours(page, colorScheme);
      expect(await flawsOf(page), colorScheme).toEqual([]);
    }
    expect(faults).toEqual([]);
  });
});
