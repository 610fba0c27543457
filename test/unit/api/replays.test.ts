import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AppError } from '../../../src/base/errors.ts';
import type { AttemptState } from '../../../src/payment/attempt/state-machine.ts';
import { ask, sale, startShop } from './shop.ts';

const PAYMENTS = '/v2/terminal-payments';

describe('a replay has the bytes of the first answer, and headers that say what is now', () => {
  let started: Awaited<ReturnType<typeof startShop>>;
  beforeAll(async () => {
    started = await startShop({ rateLimit: { perMinute: 60_000, burst: 5_000 } });
  });
  afterAll(() => started.api.stop());

  const post = (path: string, body: string, key?: string) =>
    ask(started.api.url, {
      method: 'POST',
      path,
      body,
      headers: key === undefined ? {} : { 'idempotency-key': key },
    });
  const replayOf = ({ headers }: Awaited<ReturnType<typeof ask>>) => [
    headers['idempotent-replayed'],
    headers['location'],
    headers['payment-status'],
  ];

  it.each([
    ['requested', { name: 'requested' }],
    ['in_progress', { name: 'accepted', lastVerdict: null }],
    ['in_progress', { name: 'in_doubt', hadApproval: true }],
    ['succeeded', { name: 'succeeded' }],
    ['declined', { name: 'declined' }],
    ['cancelled', { name: 'cancelled' }],
    ['error', { name: 'written_off' }],
  ] as const)('%s: %o', async (status, state: AttemptState) => {
    const key = `now ${JSON.stringify(state)}`;
    const first = await post(PAYMENTS, sale(), key);
    const address = `${PAYMENTS}/${first.json.data.id}`;
    expect(replayOf(first)).toEqual([undefined, address, undefined]);
    started.shop.payments.move(first.json.data.id, { state });
    const again = await post(PAYMENTS, sale(), key);
    expect([again.status, again.text]).toEqual([201, first.text]);
    expect(replayOf(again)).toEqual(['true', address, status]);
    expect((await ask(started.api.url, { path: address })).json.data.status).toBe(status);
  });

  it.each(['refund', 'void'])('of a %s, too', async (what) => {
    const { id } = (await post(PAYMENTS, sale())).json.data;
    started.shop.payments.move(id, { state: { name: 'succeeded' } });
    const first = await post(`${PAYMENTS}/${id}/${what}`, '{}', what);
    const address = `${PAYMENTS}/${first.json.data.id}`;
    expect(replayOf(first)).toEqual([undefined, address, undefined]);
    started.shop.payments.move(first.json.data.id, { state: { name: 'succeeded' } });
    const again = await post(`${PAYMENTS}/${id}/${what}`, '{}', what);
    expect(again.text).toBe(first.text);
    expect(replayOf(again)).toEqual(['true', address, 'succeeded']);
  });

  it('the first answer has an address without a key, too', async () => {
    const first = await post(PAYMENTS, sale());
    expect(replayOf(first)).toEqual([undefined, `${PAYMENTS}/${first.json.data.id}`, undefined]);
  });

  it.each(['PAYMENT_UNKNOWN', 'STORAGE_FAILED'])(
    'a payment that cannot be read (%s) costs the headers, never the answer',
    async (code) => {
      const { payments } = started.shop;
      const first = await post(PAYMENTS, sale(), code);
      const get = payments.get.bind(payments);
      payments.get = () => {
        throw new AppError(code, 'not here');
      };
      const again = await post(PAYMENTS, sale(), code);
      payments.get = get;
      expect([again.status, again.text]).toEqual([201, first.text]);
      expect(replayOf(again)).toEqual(['true', undefined, undefined]);
    },
  );

  it('a refusal has none of them, also where the payment was made and could not be made durable', async () => {
    const refused = await post(PAYMENTS, sale({ currency: 'USD' }), 'refused');
    expect(replayOf(refused)).toEqual([undefined, undefined, undefined]);
    expect(replayOf(await post(PAYMENTS, sale({ currency: 'USD' }), 'refused'))).toEqual(replayOf(refused));
    const { payments } = started.shop;
    const { durable } = payments;
    payments.durable = () => Promise.reject(new AppError('STORAGE_FAILED', 'the disk fails'));
    const failed = await post(PAYMENTS, sale(), 'not durable');
    payments.durable = durable;
    expect([failed.status, ...replayOf(failed)]).toEqual([503, undefined, undefined, undefined]);
    await post(PAYMENTS, sale(), 'mismatch');
    const other = await post(PAYMENTS, sale({ amount_minor: 1 }), 'mismatch');
    expect([other.status, ...replayOf(other)]).toEqual([422, undefined, undefined, undefined]);
  });

  it.each([
    ['cancel', '', 'cancelled'],
    ['resolve', JSON.stringify({ as: 'succeeded', by: 'Anna', reason: 'compared', shown: '-' }), 'succeeded'],
  ])('of a %s: the bytes of then, and the status of now', async (what, body, status) => {
    const { id } = (await post(PAYMENTS, sale())).json.data;
    const address = `${PAYMENTS}/${id}`;
    if (what === 'resolve')
      started.shop.payments.move(id, { state: { name: 'in_doubt', hadApproval: true } });
    const first = await post(`${address}/${what}`, body, what);
    expect([first.status, ...replayOf(first)]).toEqual([200, undefined, undefined, undefined]);
    started.shop.payments.move(id, { state: { name: status as 'cancelled' } });
    const again = await post(`${address}/${what}`, body, what);
    expect([again.status, again.text]).toEqual([200, first.text]);
    expect(replayOf(again)).toEqual(['true', address, status]);
  });

  it('a stored response about something else has no payment beside it', async () => {
    const body = JSON.stringify({ url: 'https://till.example/hook', events: ['terminal_payment.succeeded'] });
    const first = await post('/v2/webhook-endpoints', body, 'hook');
    expect(replayOf(first)).toEqual([undefined, undefined, undefined]);
    expect(replayOf(await post('/v2/webhook-endpoints', body, 'hook'))).toEqual([
      'true',
      undefined,
      undefined,
    ]);
  });

  it('pages of a registered origin can read them', async () => {
    const { api } = await startShop({ allowedOrigins: ['https://till.example'] });
    const { headers } = await ask(api.url, { path: PAYMENTS, headers: { origin: 'https://till.example' } });
    await api.stop();
    expect(headers['access-control-expose-headers']).toMatch(/Location.*Payment-Status/);
  });
});
