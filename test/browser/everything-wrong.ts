import type { Page } from 'playwright-core';
import { DEVICE_ID } from '../support/attempts.ts';

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

/**
 * Everything that can be wrong at once, in this browser: nothing but the responses of the daemon is changed.
 * @param id of a payment that the shop has
 */
export async function everythingIsWrong(page: Page, id: string): Promise<void> {
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
    const indicators = { can_sell: false, can_report: false, is_fresh: false };
    await route.fulfill({ response: answer, json: { data: { ...changed, ...indicators } } });
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
