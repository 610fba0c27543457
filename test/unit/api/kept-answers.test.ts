import { beforeEach, describe, expect, it } from 'vitest';
import { ANSWER_LIFE_MS, Idempotency, type KeyedRequest } from '../../../src/api/door/idempotency.ts';
import { json } from '../../../src/api/reply/reply.ts';
import { AppError } from '../../../src/base/errors.ts';
import type { Database } from '../../../src/store/database.ts';
import { SqliteAnswerStore } from '../../../src/store/sqlite-answer-store.ts';
import { aMoneyDatabase } from '../../support/money-database.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';
import { aSealer } from '../../support/webhooks.ts';

const REQUEST: KeyedRequest = {
  caller: 'key-1',
  key: 'once',
  method: 'PATCH',
  path: '/v2/things/1',
  body: { name: 'a' },
  requestId: 'req_1',
};
const NOTHING_STORED = { storedAnswer: () => null };

describe('the answer to a request that is no payment', () => {
  const sealer = aSealer();
  let clock: VirtualClock;
  let database: Database;
  let idempotency: Idempotency;
  let done: number;

  beforeEach(() => {
    clock = new VirtualClock();
    database = aMoneyDatabase();
    database.run('CREATE TABLE things (number INTEGER) STRICT');
    done = 0;
    idempotency = afterARestart();
  });

  function afterARestart(): Idempotency {
    return new Idempotency({
      payments: NOTHING_STORED,
      answers: new SqliteAnswerStore(database),
      sealer,
      clock,
    });
  }

  function write() {
    done += 1;
    database.run('INSERT INTO things VALUES (?)', done);
    return json(200, { data: { number: done } });
  }

  const things = () => database.all('SELECT number FROM things').length;

  it('is given again byte for byte, also after a restart, and the work is done once', async () => {
    const first = await idempotency.once(REQUEST, write);
    const again = await afterARestart().once({ ...REQUEST, requestId: 'req_2' }, write);
    expect(again).toMatchObject({ status: 200, headers: { 'idempotent-replayed': 'true' } });
    expect(again.kind === 'document' && first.kind === 'document' && again.body === first.body).toBe(true);
    expect(things()).toBe(1);
  });

  it('that shows a secret is kept sealed, and given again byte for byte', async () => {
    const secret = { ...REQUEST, showsSecret: true };
    const make = () => json(201, { data: { secret: 'whsec_not_in_the_books' } });
    const first = await idempotency.once(secret, make);
    const again = await afterARestart().once({ ...secret, requestId: 'req_2' }, make);
    expect(JSON.stringify(database.all('SELECT * FROM kept_answers'))).not.toContain('not_in_the_books');
    expect(again).toMatchObject({ status: 201, headers: { 'idempotent-replayed': 'true' } });
    expect(again.kind === 'document' && first.kind === 'document' && again.body === first.body).toBe(true);
    expect(first).toMatchObject({ body: expect.stringContaining('whsec_not_in_the_books') });
  });

  it.each([
    ['another body', { body: { name: 'b' } }],
    ['another path', { path: '/v2/things/2' }],
    ['another method', { method: 'DELETE' }],
  ])('belongs to its request: %s under the same key is refused', async (_what, change) => {
    await idempotency.once(REQUEST, write);
    await expect(idempotency.once({ ...REQUEST, ...change }, write)).rejects.toMatchObject({
      code: 'IDEMPOTENCY_KEY_MISMATCH',
      context: { originalRequestId: 'req_1' },
    });
    expect(things()).toBe(1);
  });

  it('is kept for 24 hours to the millisecond, then its key is free', async () => {
    await idempotency.once(REQUEST, write);
    await clock.advance(ANSWER_LIFE_MS - 1);
    await idempotency.once(REQUEST, write);
    expect(things()).toBe(1);
    await clock.advance(1);
    await idempotency.once({ ...REQUEST, body: { name: 'something else' } }, write);
    expect(things()).toBe(2);
  });

  it('is not kept when the work is refused: nothing is written, and the key is free', async () => {
    const refused = () => {
      write();
      throw new AppError('VALIDATION_FAILED', 'no');
    };
    await expect(idempotency.once(REQUEST, refused)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
    expect(things()).toBe(0);
    await idempotency.once({ ...REQUEST, body: { name: 'better' } }, write);
    expect(things()).toBe(1);
  });

  it('undoes the work when it cannot be kept', async () => {
    database.run('DROP TABLE kept_answers');
    database.run(
      'CREATE VIEW kept_answers AS SELECT NULL AS caller, NULL AS key, NULL AS fingerprint, NULL AS request_id, NULL AS status, NULL AS body, NULL AS kept_at WHERE 0',
    );
    await expect(idempotency.once(REQUEST, write)).rejects.toThrow();
    expect(things()).toBe(0);
  });

  it('must be made in one go', async () => {
    await expect(idempotency.once(REQUEST, async () => write())).rejects.toMatchObject({
      code: 'INVARIANT_BROKEN',
    });
    expect(things()).toBe(0);
  });

  it('is forgotten in bounded portions once it is too old', async () => {
    for (let number = 0; number < 1001; number += 1)
      await idempotency.once({ ...REQUEST, key: `k${number}` }, write);
    const answers = new SqliteAnswerStore(database);
    expect(answers.forgetBefore(clock.now())).toBe(0);
    expect(answers.forgetBefore(clock.now() + 1)).toBe(1000);
    expect(answers.forgetBefore(clock.now() + 1)).toBe(1);
  });
});
