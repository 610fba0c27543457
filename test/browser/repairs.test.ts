import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEVICE_ID } from '../support/attempts.ts';
import { aWorld, Daemon } from '../support/daemon.ts';
import { flawsOf } from './axe.ts';
import { openBrowser } from './browser.ts';
import { fitsEverywhere, goTo, saysItRight } from './every-screen.ts';
import { type Role, signedIn } from './shop.ts';
import { lastOutcome, take } from './staff.ts';

/** A shop whose service refuses three payments for one cause. */
async function withRefused(browser: Browser, role: Role) {
  const world = await aWorld({ autopilotMs: 100 });
  const daemon = await Daemon.start(world);
  const seen = await signedIn(browser, daemon, role);
  world.service.control.behave({ status: { times: 1000, only: 'POST /v2/terminal-payments', code: 402 } });
  for (const amount of ['1.00', '2.00', '3.00']) {
    await goTo(seen.page, '#/till');
    await take(seen.page, amount, `order ${amount}`);
    await lastOutcome(seen.page, 'paid');
  }
  await goTo(seen.page, '#/repairs');
  return { world, ...seen };
}

describe('the list of what is wrong', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  it('says that all is well', async () => {
    const daemon = await Daemon.start(await aWorld({ autopilotMs: 100 }));
    const { page, faults } = await signedIn(browser, daemon);
    await page.getByRole('link', { name: 'What is wrong' }).click();
    await page.getByText('All is well: nothing needs a person.').waitFor();
    expect({ flaws: await flawsOf(page), faults }).toEqual({ flaws: [], faults: [] });
  });

  it('has refused reports with one cause once, with their total, and one button for all of them', async () => {
    const { world, page } = await withRefused(browser, 'ops');
    const card = page.locator('[data-repair=refused]');
    await card.getByText('3 refused reports · €6.00').waitFor({ timeout: 30_000 });
    expect(await page.locator('[data-repair]').count()).toBe(1);
    expect(await flawsOf(page)).toEqual([]);
    await card.getByRole('link', { name: 'See the reports' }).click();
    await page.getByRole('heading', { name: '3 refused reports · €6.00' }).waitFor();
    await page.getByText('1 report waits behind it.').first().waitFor();
    await page.getByText('It waits for an earlier report of the same payment').first().waitFor();
    await page.getByRole('button', { name: 'Discard' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('The service never hears of this payment.').waitFor();
    await dialog.getByText('The customer HAS paid €1.00.').waitFor();
    await dialog.getByText('1 report that waits behind it is discarded, too').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await goTo(page, '#/repairs');
    world.service.control.behaveWell();
    await card.getByRole('button', { name: 'Retry all 3' }).click();
    await page.getByText('All is well').waitFor({ timeout: 60_000 });
  });

  it('names to staff who can mend what they cannot', async () => {
    const { page } = await withRefused(browser, 'staff');
    await page.getByRole('heading', { name: 'Others can mend 1 thing' }).waitFor({ timeout: 30_000 });
    const card = page.locator('[data-repair=refused]');
    await card.getByText('A person who is signed in as Operations can mend this.').waitFor();
    expect(await card.getByRole('button').count()).toBe(0);
  });

  it('fits every screen with everything that can be wrong', async () => {
    const { page } = await withEverything(browser);
    await fitsEverywhere(page, ['#/repairs', '#/ops/outbox']);
  });

  it('shows no id and no untranslated text, in any state', async () => {
    const { page, payment } = await withEverything(browser);
    await saysItRight(page, [payment, '#/repairs', '#/ops', '#/ops/outbox', '#/till/tasks']);
  });
});

const REASONS = [
  'no_devices',
  'disk_full',
  'read_only',
  'storage_failed',
  'database_copied',
  'journal_broken',
  'clock_wrong',
  'archive_stopped',
  'mirror_unreadable',
].map((code) => ({ code, message: `device ${DEVICE_ID} of it` }));
const SYNCS = [
  { code: 'integration_paused', message: 'provider_a is paused: no' },
  { code: 'integration_refused', message: 'provider_d is refused: line 3' },
  { code: 'sync_stream_paused', message: 'provider_b/customers is paused' },
  { code: 'sync_held', message: 'provider_b/invoices holds deletes' },
  { code: 'sync_stale', message: 'provider_b/products has not been complete' },
  { code: 'sync_all_parked', message: 'provider_b/products has no record that is not parked' },
];
const CAUSES = [
  'refused: 402 plan_limit no',
  'key_mismatch: 409',
  'not_at_service: 404 gone',
  'parent_not_at_service: 404',
  'answer_names_parent: the sale',
  'rejected: succeeded',
  'something else',
];
const TASKS = [
  'cancel_too_late',
  'partial_approval',
  'amount_differs',
  'correction',
  'void_mismatch',
  'refund_to_other_card',
  'maybe_reported_twice',
  'memory_lost',
  'storage_damaged',
  'settlement_differs',
  'signature_to_check',
  'terminal_replaced',
  'terminal_not_believed',
  'invoice_paid_twice',
];
const FINDINGS = ['backup', 'certificate', 'disk-inodes', 'mappings', 'unit', 'webhooks', 'lan', 'config'];
const AN_ID = (no: number) => `0198c5a0-0000-7000-8000-${String(no).padStart(12, '0')}`;

/** Everything at once: nothing but the responses of the daemon is changed. */
async function withEverything(browser: Browser) {
  const daemon = await Daemon.start(await aWorld({ autopilotMs: 100 }));
  const seen = await signedIn(browser, daemon, 'ops');
  const { page } = seen;
  await take(page, '7.00', 'order 1');
  await lastOutcome(page, 'paid');
  const id = page.url().split('/').at(-1) ?? '';
  const at = '2026-01-05T09:00:00.000Z';
  const list = (data: readonly object[]) => ({ object: 'list', data, has_more: false });
  await page.route('**/v2/status', async (route) => {
    const answer = await route.fetch();
    const { data } = await answer.json();
    const [one] = data.terminals;
    const terminals = [
      { ...one, status: 'wrong_terminal', status_reason: `${DEVICE_ID} is another` },
      { ...one, id: AN_ID(9), name: 'Counter 2', status: 'offline', status_reason: 'no route' },
    ];
    const link = { ...data.link, state: 'offline', code: 'key', reason: 'refused' };
    const integrations = ['provider_a', 'provider_b'].map((provider) => ({
      ...{ provider, resource: 'customers', state: 'idle', rows: 0, fresh_at: null, is_stale: true },
      ...{ is_held: false, parked: provider === 'provider_b' ? 1_234 : 1, errors: 3, paused: false },
    }));
    const changed = { ...data, terminals, link, integrations, reasons: [...REASONS, ...SYNCS] };
    const lights = { can_sell: false, can_report: false, is_fresh: false };
    await route.fulfill({ response: answer, json: { data: { ...changed, ...lights } } });
  });
  await page.route('**/v2/terminal-tasks?**', (route) =>
    route.fulfill({
      json: list(
        TASKS.map((kind, no) => ({
          ...{ id: AN_ID(no), object: 'terminal_task', kind, payment_id: no % 2 === 0 ? id : null },
          ...{ settlement_id: null, device_id: no % 2 === 0 ? null : DEVICE_ID, created_at: at, done: null },
          message: `payment ${id} at ${DEVICE_ID}`,
        })),
      ),
    }),
  );
  await page.route('**/v2/outbox?**', (route) =>
    route.fulfill({
      json: list(
        [...CAUSES, null, null].map((error, no) => ({
          ...{
            id: AN_ID(20 + no),
            object: 'outbox_report',
            payment_id: error === null ? AN_ID(40) : AN_ID(40 + no),
          },
          ...{ parent_id: null, device_id: DEVICE_ID, amount_minor: 900, currency: 'EUR', kind: 'create' },
          ...{
            type: no % 2 === 0 ? 'sale' : 'void',
            status: error === null ? 'pending' : 'parked',
            attempts: 1,
          },
          ...{ last_error: error && `${error} ${AN_ID(60 + no)}`, created_at: at, key_first_used_at: null },
          decision: no === 0 ? { decision: 'retried', at, caller: 'pages', by: 'Ada', reason: null } : null,
        })),
      ),
    }),
  );
  await page.route('**/v2/doctor?**', (route) => route.fulfill({ json: { data: examined(at, id) } }));
  await page.route('**/v2/doctor', (route) => route.fulfill({ json: { data: examined(at, id) } }));
  await page.reload();
  await goTo(page, '#/repairs');
  await page.locator('[data-repair=finding]').first().waitFor();
  return { ...seen, payment: `#/till/payment/${id}` };
}

function examined(at: string, id: string): object {
  const findings = FINDINGS.map((check) => ({
    ...{
      id: check,
      level: 'fail',
      what: `payment ${id}`,
      why: `it is ${DEVICE_ID}`,
      fix: `tillctl explain ${id}`,
    },
  }));
  return { state: 'done', started_at: at, ended_at: at, findings, failure: null };
}
