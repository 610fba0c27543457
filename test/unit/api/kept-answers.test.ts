import { beforeEach, describe, expect, it } from 'vitest';
import { ANSWER_LIFE_MS } from '../../../src/api/plugins/idempotency.ts';
import { AppError } from '../../../src/base/errors.ts';
import { silentLog } from '../../../src/base/log.ts';
import type { Database } from '../../../src/store/database.ts';
import { SqliteAnswerStore } from '../../../src/store/idempotency/sqlite-answer-store.ts';
import { aMoneyDatabase } from '../../support/money-database.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';
import { aSealer } from '../../support/webhooks.ts';
import { askKeyed, type Keyed, keyedApi } from './keyed-api.ts';

const NOTHING_STORED = {
  storedAnswer: () => null,
  get: () => {
    throw new AppError('PAYMENT_UNKNOWN', 'no payment has this id');
  },
};
const FULL =
  'CREATE VIEW kept_answers AS SELECT NULL AS caller, NULL AS key, NULL AS fingerprint, NULL AS request_id, NULL AS status, NULL AS body, NULL AS kept_at WHERE 0';

describe('the answer to a request that is no payment', () => {
  const sealer = aSealer();
  let clock: VirtualClock;
  let database: Database;
  let done: number;

  beforeEach(() => {
    clock = new VirtualClock();
    database = aMoneyDatabase();
    database.run('CREATE TABLE things (number INTEGER) STRICT');
    done = 0;
  });

  type How = Parameters<typeof keyedApi>[1];
  const WITH_WRITES: How = { idempotent: 'with_its_writes' };
  const AFTER_WRITES: How = { idempotent: 'after_its_writes' };

  /** Each one is another process on the same database. */
  function ask(asked: Keyed = {}, work: () => unknown = write, how = WITH_WRITES) {
    const answers = new SqliteAnswerStore(database);
    const deps = { payments: NOTHING_STORED, answers, sealer, clock, log: silentLog };
    return askKeyed(keyedApi(deps, how, work), asked);
  }

  function write() {
    done += 1;
    database.run('INSERT INTO things VALUES (?)', done);
    return { data: { number: done } };
  }

  const things = () => database.all('SELECT number FROM things').length;

  it('is given again byte for byte, also after a restart, and the work is done once', async () => {
    const first = await ask();
    const again = await ask({ requestId: 'req_2' });
    expect(again).toMatchObject({ status: 200, headers: { 'idempotent-replayed': 'true' } });
    expect(again.text).toBe(first.text);
    expect(things()).toBe(1);
  });

  it('that shows a secret is kept sealed, and given again byte for byte', async () => {
    const how: How = { ...WITH_WRITES, showsSecret: true };
    const make = () => ({ data: { secret: 'whsec_not_in_the_books' } });
    const first = await ask({}, make, how);
    const again = await ask({ requestId: 'req_2' }, make, how);
    expect(JSON.stringify(database.all('SELECT * FROM kept_answers'))).not.toContain('not_in_the_books');
    expect(again).toMatchObject({ status: 200, headers: { 'idempotent-replayed': 'true' } });
    expect(again.text).toBe(first.text);
    expect(first.text).toContain('whsec_not_in_the_books');
  });

  it.each([
    ['another body', { body: { name: 'b' } }],
    ['another path', { path: '/v2/things/2' }],
    ['another method', { method: 'DELETE' }],
  ] as const)('belongs to its request: %s under the same key is refused', async (_what, change) => {
    await ask();
    const other = await ask({ ...change, requestId: 'req_2' });
    expect(other).toMatchObject({
      status: 422,
      json: { code: 'IDEMPOTENCY_KEY_MISMATCH', originalRequestId: 'req_1' },
    });
    expect(things()).toBe(1);
  });

  it('is kept for 24 hours to the millisecond, then its key is free', async () => {
    await ask();
    await clock.advance(ANSWER_LIFE_MS - 1);
    await ask();
    expect(things()).toBe(1);
    await clock.advance(1);
    await ask({ body: { name: 'something else' } });
    expect(things()).toBe(2);
  });

  it('is not kept when the work is refused: nothing is written, and the key is free', async () => {
    const refused = () => {
      write();
      throw new AppError('VALIDATION_FAILED', 'no');
    };
    expect(await ask({}, refused)).toMatchObject({
      status: 400,
      json: { error: { code: 'validation_error' } },
    });
    expect(things()).toBe(0);
    await ask({ body: { name: 'better' } });
    expect(things()).toBe(1);
  });

  it('undoes the work when it cannot be kept', async () => {
    database.run('DROP TABLE kept_answers');
    database.run(FULL);
    expect((await ask()).status).toBeGreaterThanOrEqual(500);
    expect(things()).toBe(0);
  });

  it('of work that takes a while is kept right after it, and given again', async () => {
    const slowly = async () => write();
    const first = await ask({}, slowly, AFTER_WRITES);
    const again = await ask({}, slowly, AFTER_WRITES);
    expect(again).toMatchObject({ headers: { 'idempotent-replayed': 'true' } });
    expect(again.text).toBe(first.text);
    expect(done).toBe(1);
  });

  it('of work that is done is given also when it cannot be kept', async () => {
    database.run('DROP TABLE kept_answers');
    database.run(FULL);
    expect(await ask({}, write, AFTER_WRITES)).toMatchObject({ status: 200 });
    expect(things()).toBe(1);
  });

  it('must be made in one go', async () => {
    expect(await ask({}, async () => write())).toMatchObject({ status: 500 });
    expect(things()).toBe(0);
  });

  it('is forgotten in bounded portions once it is too old', async () => {
    const answers = new SqliteAnswerStore(database);
    const deps = { payments: NOTHING_STORED, answers, sealer, clock, log: silentLog };
    const api = keyedApi(deps, WITH_WRITES, write);
    for (let number = 0; number < 1001; number += 1) await askKeyed(api, { key: `k${number}` });
    expect(answers.forgetBefore(clock.now())).toBe(0);
    expect(answers.forgetBefore(clock.now() + 1)).toBe(1000);
    expect(answers.forgetBefore(clock.now() + 1)).toBe(1);
  });
});
