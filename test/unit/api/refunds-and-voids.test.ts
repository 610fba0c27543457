import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Event } from '../../../src/api/contract/event.ts';
import { TerminalPayment } from '../../../src/api/contract/terminal-payment.ts';
import { ask, KEYS, keyId, sale, startShop } from './shop.ts';

const NOBODY = '0198c5a0-cccc-7000-8000-000000000009';

describe('money is given back', () => {
  let started: Awaited<ReturnType<typeof startShop>>;
  let parent = '';
  beforeAll(async () => {
    started = await startShop({ rateLimit: { perMinute: 60_000, burst: 5_000 } });
  });
  afterAll(() => started.api.stop());
  beforeEach(async () => {
    const made = await ask(started.api.url, { method: 'POST', path: '/v2/terminal-payments', body: sale() });
    parent = made.json.data.id;
    started.shop.payments.move(parent, { state: { name: 'succeeded' } });
  });

  const post = (what: string, body?: object, key?: string, apiKey: string = KEYS.full) =>
    ask(started.api.url, {
      method: 'POST',
      path: `/v2/terminal-payments/${what}`,
      key: apiKey,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(key === undefined ? {} : { headers: { 'idempotency-key': key } }),
    });
  const attempts = () => started.shop.payments.attempts;

  it.each([
    ['refund', undefined, 1234],
    ['refund', {}, 1234],
    ['refund', { amount_minor: 500 }, 500],
    ['void', undefined, 1234],
    ['void', {}, 1234],
  ] as const)('%s with the body %o answers 201 with a new attempt of %i', async (type, body, minor) => {
    const answer = await post(`${parent}/${type}`, body);
    expect(answer.status).toBe(201);
    const payment = TerminalPayment.parse(answer.json.data);
    expect(payment).toMatchObject({ type, parent_id: parent, amount_minor: minor, status: 'requested' });
    expect(payment.id).not.toBe(parent);
    expect(payment.message).toMatch(/No money has been given back so far/);
    expect(attempts().find(({ id }) => id === parent)?.state.name).toBe('succeeded');
  });

  it('says who asks, and compares ids in lower case', async () => {
    const after = '0198C5A0-CCCC-7000-8000-00000000000A';
    await post(`${parent.toUpperCase()}/refund`, { after });
    expect(attempts().at(-1)).toMatchObject({
      parentId: parent,
      after: after.toLowerCase(),
      origin: { kind: 'local', caller: keyId('full') },
    });
  });

  it.each(['refund', 'void'])(
    '%s gives the same answer to the same key, byte for byte, and nothing more',
    async (type) => {
      const first = await post(`${parent}/${type}`, {}, `again-${type}`);
      started.shop.payments.move(first.json.data.id, { state: { name: 'declined' } });
      const before = attempts().length;
      const second = await post(`${parent}/${type}`, {}, `again-${type}`);
      expect(second).toMatchObject({
        status: 201,
        text: first.text,
        headers: { 'idempotent-replayed': 'true' },
      });
      expect(attempts().length).toBe(before);
    },
  );

  it('a key of a refund is no key of the void, of another payment or of another amount', async () => {
    await post(`${parent}/refund`, { amount_minor: 100 }, 'one');
    const before = attempts().length;
    for (const [path, body] of [
      [`${parent}/void`, {}],
      [`${NOBODY}/refund`, { amount_minor: 100 }],
      [`${parent}/refund`, { amount_minor: 101 }],
      [`${parent}/refund`, {}],
    ] as const) {
      const answer = await post(path, body, 'one');
      expect(answer).toMatchObject({ status: 422, json: { code: 'IDEMPOTENCY_KEY_MISMATCH' } });
    }
    expect(attempts().length).toBe(before);
  });

  it('two refunds at once under one key are one', async () => {
    const before = attempts().length;
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => post(`${parent}/refund`, {}, 'at once')),
    );
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(attempts().length).toBe(before + 1);
  });

  it.each([
    ['amount 0', 'refund', { amount_minor: 0 }, 'amount_minor'],
    ['a negative amount', 'refund', { amount_minor: -1 }, 'amount_minor'],
    ['an amount as text', 'refund', { amount_minor: '5' }, 'amount_minor'],
    ['half a cent', 'refund', { amount_minor: 0.5 }, 'amount_minor'],
    ['an `after` that is no id', 'refund', { after: 'yesterday' }, 'after'],
    ['an unknown field', 'refund', { amount: 5 }, 'amount'],
    ['an amount for a void', 'void', { amount_minor: 5 }, 'amount_minor'],
  ])('%s is refused and writes nothing', async (_name, type, body, param) => {
    const before = attempts().length;
    const answer = await post(`${parent}/${type}`, body);
    expect(answer).toMatchObject({ status: 400, json: { error: { code: 'validation_error', param } } });
    expect(attempts().length).toBe(before);
  });

  it.each(['refund', 'void'])('%s of an unknown payment is 404', async (type) => {
    expect(await post(`${NOBODY}/${type}`)).toMatchObject({
      status: 404,
      json: { error: { code: 'resource_not_found', param: 'id' } },
    });
  });

  it.each(['refund', 'void'])('a key that may only read cannot %s', async (type) => {
    const before = attempts().length;
    expect((await post(`${parent}/${type}`, {}, undefined, KEYS.reader)).status).toBe(403);
    expect(attempts().length).toBe(before);
  });

  it('the event of a refund has its own type and the shape of a payment', async () => {
    const { id } = (await post(`${parent}/refund`)).json.data;
    started.shop.payments.move(id, { state: { name: 'succeeded' } });
    const events = await ask(started.api.url, { path: '/v2/events?limit=100' });
    const event = Event.parse(events.json.data.at(-1));
    expect(event).toMatchObject({
      type: 'terminal_refund.succeeded',
      data: { id, type: 'refund', charged: 'yes' },
    });
    expect(TerminalPayment.safeParse(event.data).success).toBe(true);
  });
});
