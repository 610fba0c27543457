import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AppError } from '../../../src/base/errors.ts';
import { askKeyed, keyedApi } from './keyed-api.ts';
import { DEVICE_ID } from './memory-payments.ts';
import { ask, KEYS, openShop, sale, startShop } from './shop.ts';

describe('Idempotency-Key', () => {
  let started: Awaited<ReturnType<typeof startShop>>;
  beforeAll(async () => {
    started = await startShop();
  });
  afterAll(() => started.api.stop());

  const post = (idempotencyKey: string, body = sale(), key: string = KEYS.full) =>
    ask(started.api.url, {
      method: 'POST',
      path: '/v2/terminal-payments',
      body,
      key,
      headers: { 'idempotency-key': idempotencyKey },
    });
  const count = () => started.shop.payments.attempts.length;

  it('gives the original answer again, byte for byte, whatever has happened since', async () => {
    const first = await post('again');
    const before = count();
    started.shop.payments.move(first.json.data.id, { state: { name: 'declined' } });
    const second = await post('again');
    expect(second).toMatchObject({
      status: 201,
      text: first.text,
      headers: { 'idempotent-replayed': 'true' },
    });
    expect(first.headers['idempotent-replayed']).toBeUndefined();
    expect(count()).toBe(before);
  });

  it('knows the same request by its meaning: order of fields and spaces say nothing', async () => {
    const first = await post('meaning');
    const second = await post(
      'meaning',
      ` { "currency":"EUR", "amount_minor": 1234,\n "device_id":"${DEVICE_ID}" }`,
    );
    expect(second.text).toBe(first.text);
  });

  it('refuses another request under the same key, also an invalid one, and names the first', async () => {
    const first = await post('other');
    for (const body of [sale({ amount_minor: 1235 }), sale({ amount_minor: -1 })]) {
      const second = await post('other', body);
      expect(second.status).toBe(422);
      expect(second.json).toEqual({
        error: expect.any(String),
        code: 'IDEMPOTENCY_KEY_MISMATCH',
        originalRequestId: first.headers['x-request-id'],
      });
    }
  });

  it('belongs to its caller', async () => {
    const first = await post('shared');
    const second = await post('shared', sale(), KEYS.other);
    expect(second.status).toBe(201);
    expect(second.json.data.id).not.toBe(first.json.data.id);
  });

  it('is free again after a refusal that wrote nothing', async () => {
    expect((await post('free', sale({ currency: 'USD' }))).status).toBe(422);
    expect((await post('free', sale({ amount_minor: 0 }))).status).toBe(400);
    expect((await post('free')).status).toBe(201);
  });

  it.each([
    ['empty', ''],
    ['of 256 characters', 'k'.repeat(256)],
    ['with a tab', 'a\tb'],
    ['beyond ASCII', 'schlüssel'],
  ])('%s is refused in the flat shape', async (_name, key) => {
    const before = count();
    const answer = await post(key);
    expect(answer).toMatchObject({
      status: 400,
      json: { error: expect.any(String), code: 'IDEMPOTENCY_KEY_INVALID' },
    });
    expect(count()).toBe(before);
  });

  it('two at once under one key make one payment', async () => {
    const before = count();
    const answers = await Promise.all(Array.from({ length: 8 }, () => post('at once')));
    expect(count()).toBe(before + 1);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  });

  it('while a request under a key runs, another one is told to come back, valid or not', async () => {
    const [begun, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let work = async (): Promise<object> => {
      begun.resolve();
      await end.promise;
      return { data: 1 };
    };
    const { deps } = openShop();
    const api = keyedApi(deps, { idempotent: 'after_its_writes' }, () => work());
    const running = askKeyed(api, { key: 'k' });
    await begun.promise;
    work = async () => ({ data: 2 });
    for (const body of [{ name: 'a' }, { invalid: true }])
      expect(await askKeyed(api, { key: 'k', requestId: 'req_2', body })).toMatchObject({
        status: 409,
        json: { code: 'IDEMPOTENCY_KEY_IN_PROGRESS', originalRequestId: 'req_1' },
      });
    expect(await askKeyed(api, { key: 'k', caller: 'b' })).toMatchObject({ json: { data: 2 } });
    end.resolve();
    expect(await running).toMatchObject({ json: { data: 1 } });
    work = () => Promise.reject(new AppError('STORAGE_FULL', 'full'));
    expect(await askKeyed(api, { key: 'other' })).toMatchObject({ status: 503 });
    work = async () => ({ data: 3 });
    expect(await askKeyed(api, { key: 'other' })).toMatchObject({ json: { data: 3 } });
  });
});
