import { describe, expect, it } from 'vitest';
import { areaOf } from '../../../src/console/repairs/finding-area.js';
import { refusedByCause, waitingBehind, waitsFor } from '../../../src/console/repairs/refused-reports.js';
import { repairsOf } from '../../../src/console/repairs/repairs.js';
import { withoutIds } from '../../../src/console/words/without-ids.js';

type Known = Parameters<typeof repairsOf>[0];
type Report = Known['reports'][number];

const WELL = {
  status: {
    reasons: [],
    terminals: [{ id: 'd1', name: 'Counter 1', status: 'ready' }],
    link: { state: 'online', code: null },
    integrations: [],
  },
  doubts: [],
  tasks: [],
  reports: [],
  integrations: [],
  findings: [{ id: 'disk-space', level: 'ok' }],
} as unknown as Known;

/** A shop where other things are so. */
function shop(changes: object, status: object = {}): Known {
  return { ...WELL, ...changes, status: { ...WELL.status, ...status } } as Known;
}

function aReport(changes: object): Report {
  const report = { status: 'parked', kind: 'create', payment_id: 'p1', parent_id: null };
  return { ...report, amount_minor: 900, currency: 'EUR', last_error: null, ...changes } as unknown as Report;
}

const stream = (provider: string, changes: object = {}) => ({
  provider,
  resource: 'customers',
  parked: 0,
  paused: false,
  ...changes,
});
const kinds = (known: Known) => repairsOf(known).map(({ kind }) => kind);

describe('the list of what is wrong', () => {
  it('is empty where all is well', () => {
    expect(repairsOf(WELL)).toEqual([]);
  });

  it('names a recipe file that changed after the start, and is not what runs', () => {
    const file = '/etc/tilld/recipes/shop.json';
    const integrations = [
      { provider: 'provider_a', changed_recipe: file, paused_reason: null },
      { provider: 'provider_b', changed_recipe: null, paused_reason: null },
    ];
    expect(repairsOf(shop({ integrations }))).toEqual([
      expect.objectContaining({
        kind: 'recipe',
        provider: 'provider_a',
        file,
        level: 'warning',
        least: 'ops',
      }),
    ]);
  });

  it('begins with money, and ends with the machine', () => {
    const known = shop(
      {
        doubts: [{ id: 'p9' }],
        tasks: [{ id: 't1', kind: 'signature_to_check', payment_id: 'p2' }],
        reports: [aReport({ id: 'r1' })],
        findings: [
          { id: 'backup', level: 'warn' },
          { id: 'certificate', level: 'fail' },
        ],
      },
      {
        reasons: [
          { code: 'clock_wrong', message: 'it was set' },
          { code: 'integration_paused', message: 'provider_a is paused' },
          { code: 'disk_full', message: 'no room' },
        ],
        terminals: [{ id: 'd1', status: 'offline' }],
        link: { state: 'offline', code: 'line' },
        integrations: [stream('provider_a', { paused: true, parked: 3 })],
      },
    );
    expect(kinds(known)).toEqual([
      'doubt',
      'task',
      'refused',
      'terminal',
      'state',
      'service',
      'integration',
      'on_hold',
      'state',
      'finding',
      'finding',
    ]);
    expect(repairsOf(known).flatMap((one) => (one.kind === 'finding' ? [one.finding.id] : []))).toEqual([
      'certificate',
      'backup',
    ]);
  });

  it('says of each thing the least role that can mend it', () => {
    const least = (known: Known) => repairsOf(known).map((one) => one.least);
    expect(least(shop({ doubts: [{ id: 'p1' }] }))).toEqual(['staff']);
    expect(least(shop({ tasks: [{ id: 't1', kind: 'memory_lost', payment_id: null }] }))).toEqual(['staff']);
    expect(least(shop({ tasks: [{ id: 't1', kind: 'terminal_not_believed', payment_id: null }] }))).toEqual([
      'ops',
    ]);
    expect(least(shop({ reports: [aReport({ id: 'r1' })] }))).toEqual(['ops']);
    expect(least(shop({}, { terminals: [{ id: 'd1', status: 'offline' }] }))).toEqual(['staff']);
    expect(least(shop({}, { terminals: [{ id: 'd1', status: 'wrong_terminal' }] }))).toEqual(['ops']);
  });

  it('names each thing once: not the task of a refused report, and no check that says what is shown already', () => {
    const known = shop({
      tasks: [{ id: 't1', kind: 'report_rejected', payment_id: 'p1' }],
      reports: [aReport({ id: 'r1' })],
      findings: [
        { id: 'outbox', level: 'warn' },
        { id: 'can-report', level: 'warn' },
        { id: 'tasks', level: 'warn' },
      ],
    });
    expect(kinds(known)).toEqual(['refused']);
    expect(kinds({ ...known, reports: [] })).toEqual(['task', 'finding']);
  });

  it('has no finding about what was mended since the doctor looked, where the list sees that by itself', () => {
    const findings = ['in-doubt', 'tasks', 'can-sell', 'terminal', 'can-report', 'is-fresh', 'port'].map(
      (id) => ({
        id,
        level: 'fail',
      }),
    );
    expect(kinds(shop({ findings }))).toEqual([]);
    expect(kinds(shop({ findings }, { terminals: [{ id: 'd1', status: 'offline' }] }))).toEqual([
      'terminal',
      'finding',
    ]);
  });

  it('shows a check of the doctor about the disk although the clock is wrong', () => {
    const known = shop(
      { findings: [{ id: 'disk-space', level: 'warn' }] },
      { reasons: [{ code: 'clock_wrong', message: 'it was set' }] },
    );
    expect(kinds(known)).toEqual(['state', 'finding']);
  });

  it('knows paused, held, late and wholly parked lists by their names', () => {
    const known = shop(
      {},
      {
        reasons: [
          { code: 'sync_stream_paused', message: 'provider_a/customers is paused, the others go on' },
          { code: 'sync_held', message: 'provider_a/invoices holds deletes for a person' },
          { code: 'sync_stale', message: 'provider_b/customers has not been complete for too long' },
          { code: 'sync_all_parked', message: 'provider_b/customers has no record that is not parked' },
        ],
        integrations: [stream('provider_a'), stream('provider_b', { parked: 7 })],
      },
    );
    expect(repairsOf(known)).toMatchObject([
      { kind: 'stream', provider: 'provider_a', resource: 'customers', state: 'paused', level: 'error' },
      { kind: 'stream', provider: 'provider_a', resource: 'invoices', state: 'held', level: 'error' },
      { kind: 'stream', provider: 'provider_b', resource: 'customers', state: 'stale', level: 'warning' },
      { kind: 'on_hold', provider: 'provider_b', count: 7, isAll: true, level: 'error' },
    ]);
  });

  it('has a credential replaced where the provider refuses it', () => {
    const known = shop(
      { integrations: [{ provider: 'provider_a', paused_reason: 'credentials', changed_recipe: null }] },
      { reasons: [{ code: 'integration_paused', message: 'provider_a is paused' }] },
    );
    expect(repairsOf(known)).toMatchObject([{ kind: 'integration', paused: 'credentials' }]);
  });
});

describe('refused reports', () => {
  const FIRST = 'refused: 402 plan_limit The account 0198c5a0-0000-7000-8000-000000000001 has no plan';
  const SECOND = 'refused: 402 plan_limit The account 0198c5a0-0000-7000-8000-000000000002 has no plan';

  it('a hundred with one cause are one thing, with their number and their total', () => {
    const reports = Array.from({ length: 100 }, (_, no) =>
      aReport({ id: `r${no}`, payment_id: `p${no}`, last_error: no % 2 === 0 ? FIRST : SECOND }),
    );
    const other = aReport({ id: 'other', payment_id: 'q', last_error: 'not_at_service: 404 gone' });
    expect(refusedByCause([...reports, other])).toMatchObject([
      { kind: 'refused', reports: { length: 100 }, totals: [{ currency: 'EUR', minor: 90_000 }] },
      { kind: 'not_at_service', reports: { length: 1 } },
    ]);
  });

  it('a payment counts once in a total, and currencies are not added', () => {
    const reports = [
      aReport({ id: 'r1' }),
      aReport({ id: 'r2', kind: 'result' }),
      aReport({ id: 'r3', payment_id: 'p2', currency: 'CHF' }),
    ];
    expect(refusedByCause(reports)[0]?.totals).toEqual([
      { currency: 'EUR', minor: 900 },
      { currency: 'CHF', minor: 900 },
    ]);
  });

  it('what waits behind one: later reports of its payment, and refunds and voids of it; nothing else', () => {
    const [create, result, refund, another] = [
      aReport({ id: 'r1' }),
      aReport({ id: 'r2', kind: 'result', status: 'pending' }),
      aReport({ id: 'r3', payment_id: 'p2', parent_id: 'p1', status: 'pending' }),
      aReport({ id: 'r4', payment_id: 'p3', status: 'pending' }),
    ];
    const all = [create, result, refund, another];
    expect(waitingBehind(create, all).map(({ id }) => id)).toEqual(['r2', 'r3']);
    expect(waitsFor(result, all)).toMatchObject({ first: { id: 'r1' }, why: 'payment' });
    expect(waitsFor(refund, all)).toMatchObject({ first: { id: 'r1' }, why: 'sale' });
    expect([waitsFor(create, all), waitsFor(another, all)]).toEqual([null, null]);
    expect(refusedByCause(all)[0]?.waiting).toBe(2);
  });
});

it('texts show the name of a terminal in the place of its id, and other ids by their end', () => {
  const id = '0198c5a0-0000-7000-8000-00000000abcd';
  const named = [{ id, name: 'Counter 1' }];
  expect(withoutIds(`${id} and 0198c5a0-0000-7000-8000-00000000ffff`, named)).toBe('Counter 1 and …ffff');
});

it('a check of the doctor that is not known is about the machine', () => {
  expect(areaOf('memory')).toEqual({ area: 'machine', place: null });
  expect(areaOf('certificate')).toEqual({ area: 'certificate', place: null });
  expect(areaOf('mappings')).toEqual({ area: 'mappings', place: ['ops', 'integrations'] });
});
