import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEVICE_ID } from '../support/attempts.ts';
import { aWorld, Daemon } from '../support/daemon.ts';
import { flawsOf } from './axe.ts';
import { openBrowser } from './browser.ts';
import { fitsEverywhere } from './every-screen.ts';
import { signedIn } from './shop.ts';
import { lastOutcome, take } from './staff.ts';

/** What the shop is shown of itself, and what is still to be done about its one sale: nothing but the answers of the daemon is changed. */
const REASONS = [
  { code: 'memory_lost', message: 'a backup was restored' },
  { code: 'database_copied', message: 'the machine is another one' },
  { code: 'clock_wrong', message: 'it was set' },
];
const KINDS = [
  'memory_lost',
  'maybe_reported_twice',
  'invoice_paid_twice',
  'invoice_unconfirmed',
  'refund_to_other_card',
];

/** What staff read, and what they do now. */
const NOTICES: Readonly<Record<string, readonly string[]>> = {
  memory_lost: ['does not remember what happened before', 'compare the last receipt', 'Nothing was charged'],
  database_copied: ['may be a copy', 'Nothing was charged by this', 'compare the last receipt'],
  clock_wrong: ['clock of this machine is wrong', 'no payment is taken twice', 'Have it set'],
  captive_portal: ['The network wants a sign-in', 'Payments go on', 'Sign this machine in'],
};
const TASKS: Readonly<Record<string, readonly string[]>> = {
  invoice_paid_twice: ['paid twice', 'The customer HAS paid €7.00.', 'Refund one of the two'],
  invoice_unconfirmed: ['could not be asked', 'The customer HAS paid €7.00.', 'Nothing is to be done now'],
  maybe_reported_twice: [
    'may hold this payment twice',
    'The customer HAS paid €7.00.',
    'no money moved twice',
  ],
  memory_lost: ['does not remember', 'Before the next sale: compare the last receipt'],
  refund_to_other_card: ['another card', 'The customer HAS paid €7.00.', 'Compare the card numbers'],
};

describe('states that are seldom, as staff see them', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  it('say what happened, whether the customer was charged and what to do now, in every language', async () => {
    const daemon = await Daemon.start(await aWorld({ autopilotMs: 200 }));
    const { page } = await signedIn(browser, daemon);
    await take(page, '7.00', 'order 1');
    await lastOutcome(page, 'paid');
    const id = page.url().split('/').at(-1) ?? '';
    let portal = 'captive_portal';
    await page.route('**/v2/status', async (route) => {
      const answer = await route.fetch();
      const { data } = await answer.json();
      const link = { ...data.link, state: 'offline', code: portal };
      await route.fulfill({ response: answer, json: { data: { ...data, reasons: REASONS, link } } });
    });
    await page.route('**/v2/terminal-tasks?**', async (route) => {
      const answer = await route.fetch();
      const list = await answer.json();
      const data = KINDS.map((kind, no) => ({
        id: `0198c5a0-0000-7000-8000-00000000000${no}`,
        kind,
        payment_id: kind === 'memory_lost' ? null : id,
        settlement_id: null,
        device_id: kind === 'memory_lost' ? DEVICE_ID : null,
        message: '',
        created_at: '2026-01-05T09:00:00.000Z',
        done_at: null,
        done_by: null,
        note: null,
      }));
      await route.fulfill({ response: answer, json: { ...list, data } });
    });
    await page.reload();
    for (const [code, words] of Object.entries(NOTICES))
      for (const text of words) await page.locator(`[data-notice=${code}]`).getByText(text).waitFor();
    expect(await flawsOf(page)).toEqual([]);
    await page.getByRole('link', { name: /^To do \(/ }).click();
    for (const [kind, words] of Object.entries(TASKS))
      for (const text of words) await page.locator(`[data-task=${kind}]`).getByText(text).first().waitFor();
    portal = 'wrong_host';
    await page.reload();
    for (const text of ['Another host or a proxy answers', 'Payments go on', 'Tell the office'])
      await page.locator('[data-notice=wrong_host]').getByText(text).waitFor();
    await fitsEverywhere(page, ['#/till', '#/till/tasks']);
  });
});
