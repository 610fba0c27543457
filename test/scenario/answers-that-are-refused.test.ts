import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { DEVICE_ID } from '../support/attempts.ts';
import { aWorld, Daemon, eventually } from '../support/daemon.ts';
import { Till, tillctl } from '../support/till.ts';

const LONG = 'x'.repeat(201);
const ANSWER = { as: 'not_charged', by: 'Ada', reason: 'no receipt', shown: 'receipt 41' } as const;
const STATEMENT = { ...ANSWER, source: 'acquirer_statement' } as const;
const DONE = { by: 'Ada', note: 'put right' };

/** What an answer that is refused must not change; reports of what happened before may be sent meanwhile. */
const KEPT = {
  attempts: '*',
  journal: '*',
  events: '*',
  tasks: '*',
  outbox: 'id, attempt_id, kind, key, body, dropped_at',
  idempotency_keys: '*',
};

const [INVALID, MISSING, EARLY] = ['validation_error', 'missing_required_field', 'decision_too_early'];

type ErrorOf = readonly [code: string, param: string | undefined];
type Refused = readonly [title: string, body: unknown, status: number, expected: ErrorOf];

const WRONG: readonly Refused[] = [
  ['an unknown outcome', { ...ANSWER, as: 'charged' }, 400, [INVALID, 'as']],
  ['an unknown kind of evidence', { ...ANSWER, source: 'a_hunch' }, 400, [INVALID, 'source']],
  ['no name', { ...ANSWER, by: ' ' }, 400, [INVALID, 'by']],
  ['no reason', { as: 'not_charged', by: 'Ada', shown: 'x' }, 400, [MISSING, 'reason']],
  ['a huge reason', { ...ANSWER, reason: LONG }, 400, [INVALID, 'reason']],
  ['a huge text of what was shown', { ...ANSWER, shown: LONG }, 400, [INVALID, 'shown']],
  ['a name of two lines', { ...ANSWER, by: 'A\nB' }, 400, [INVALID, 'by']],
  ['an unknown field', { ...ANSWER, lead: true }, 400, [INVALID, 'lead']],
  ['an amount of nothing', { ...ANSWER, amount_minor: 0 }, 400, [INVALID, 'amount_minor']],
  ['no object', [ANSWER], 400, [INVALID, '']],
  ['"not charged" before the settle time', ANSWER, 409, [EARLY, undefined]],
  ['"not charged" by evidence while it may still charge', STATEMENT, 409, [EARLY, undefined]],
  [
    '"written off" by a person who is no lead',
    { ...ANSWER, as: 'written_off' },
    409,
    ['decision_too_early', undefined],
  ],
];

/** A payment whose terminal died while the customer paid, and a task: the service refuses the report of another payment. */
async function aDoubt() {
  const world = await aWorld();
  const daemon = await Daemon.start(world);
  const till = await Till.at(daemon);
  world.service.control.behave({
    status: { times: 1000, only: 'POST /v2/terminal-payments', code: 402 },
  });
  world.terminal.inject({ when: 'customer', do: 'power_loss', ms: 86_400_000 });
  const sale = { device_id: DEVICE_ID, amount_minor: 1234, currency: 'EUR' };
  const { id } = (await till.ask('POST', '/terminal-payments', sale)).body.data;
  const get = async () => (await till.ask('GET', `/terminal-payments/${id}`)).body.data;
  await eventually(async () => (await get()).in_doubt, 20_000);
  const tasks = async () => (await till.ask('GET', '/terminal-tasks?open=true')).body.data;
  await eventually(async () => (await tasks()).length > 0, 20_000);
  const [task] = await tasks();
  const rows = () => {
    const database = new Sqlite(daemon.database, { readonly: true });
    try {
      return Object.entries(KEPT).map(([table, columns]) => [
        table,
        database.prepare(`SELECT ${columns} FROM ${table}`).all(),
      ]);
    } finally {
      database.close();
    }
  };
  const answer = (body: unknown, headers = {}) =>
    till.ask('POST', `/terminal-payments/${id}/resolve`, body, headers);
  const finish = (body: unknown, taskId = task.id) =>
    till.ask('POST', `/terminal-tasks/${taskId}/done`, body);
  return { daemon, till, id, get, rows, answer, finish };
}

describe('an answer of a person that is refused', () => {
  it('gets a clear 4xx and changes nothing: no attempt, journal entry, task or report', async () => {
    const { daemon, id, rows, answer, finish } = await aDoubt();
    const before = rows();
    for (const [title, body, status, [code, param]] of WRONG) {
      const reply = await answer(body);
      const { error } = reply.body;
      expect([title, reply.status, error.code, error.param]).toEqual([title, status, code, param]);
      expect([title, error.message.length > 10]).toEqual([title, true]);
      expect(rows()).toEqual(before);
    }
    const tasks: readonly Refused[] = [
      ['a huge note', { ...DONE, note: LONG }, 400, [INVALID, 'note']],
      ['no name', { note: 'x' }, 400, [MISSING, 'by']],
      ['an outcome', { ...DONE, as: 'succeeded' }, 400, [INVALID, 'as']],
    ];
    for (const [title, body, status, [code, param]] of tasks) {
      const { status: got, body: decision } = await finish(body);
      expect([title, got, decision.error.code, decision.error.param]).toEqual([title, status, code, param]);
    }
    expect((await finish(DONE, id)).status).toBe(404);
    expect(rows()).toEqual(before);

    const decision = ['--by', 'Ada', '--reason', 'no receipt', '--shown', 'receipt 41'];
    const resolve = (...options: readonly string[]) =>
      tillctl(daemon, 'resolve', id, ...options, ...decision);
    const hunch = await resolve('--as', 'not_charged', '--source', 'a_hunch');
    expect([hunch.code, hunch.stderr]).toEqual([
      2,
      expect.stringMatching(/customer_slip.*acquirer_statement/),
    ]);
    const early = await resolve('--as', 'not_charged');
    expect([early.code, early.stderr]).toEqual([1, expect.stringMatching(/may still be charging: wait/)]);
    const off = await resolve('--as', 'written_off', '--source', 'acquirer_statement');
    expect([off.code, off.stderr]).toEqual([1, expect.stringMatching(/wait \d+ more minutes/)]);
    expect(rows()).toEqual(before);
  });

  it('is refused when it is the second and says otherwise; the same one again changes nothing', async () => {
    const { daemon, id, get, rows, answer, finish } = await aDoubt();
    const key = { 'idempotency-key': 'answer-1' };
    const charged = { ...STATEMENT, as: 'succeeded' };
    expect((await answer(charged, key)).status).toBe(200);
    expect((await finish(DONE)).status).toBe(200);
    await eventually(async () => (await get()).charged === 'yes');
    const before = rows();
    const again = await answer(charged, key);
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, 'true']);
    expect((await answer(charged)).status).toBe(200);
    for (const [title, body] of [
      ['another', ANSWER],
      ['another by evidence from outside', STATEMENT],
      ['written off', { ...STATEMENT, as: 'written_off' }],
    ] as const) {
      const { status, body: decision } = await answer(body);
      expect([title, status, decision.error.code]).toEqual([title, 409, 'payment_not_in_doubt']);
    }
    const other = await answer(ANSWER, key);
    expect([other.status, other.body.code ?? other.body.error]).toEqual([422, 'IDEMPOTENCY_KEY_MISMATCH']);
    expect((await finish({ ...DONE, note: 'otherwise' })).body.error.code).toBe('task_done');

    const decision = ['--by', 'Ada', '--reason', 'no receipt', '--shown', 'receipt 41'];
    const resolve = (...options: readonly string[]) =>
      tillctl(daemon, 'resolve', id, ...options, ...decision);
    const second = await resolve('--as', 'not_charged');
    expect([second.code, second.stderr]).toEqual([1, expect.stringMatching(/Ada has decided this payment/)]);
    const early = await resolve('--as', 'not_charged', '--source', 'acquirer_statement');
    expect([early.code, early.stderr]).toEqual([1, expect.stringMatching(/may still be charging/)]);
    const same = await resolve('--as', 'succeeded', '--source', 'acquirer_statement');
    expect([same.code, same.stdout]).toEqual([0, expect.stringMatching(/HAS paid/)]);
    expect(rows()).toEqual(before);
    expect(await get()).toMatchObject({ status: 'succeeded', charged: 'yes', corrected_by: null });
  });
});
