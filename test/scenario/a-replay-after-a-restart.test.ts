import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { DEVICE_ID } from '../support/attempts.ts';
import { aWorld, Daemon, eventually } from '../support/daemon.ts';
import { type Reply, Till } from '../support/till.ts';

const PAYMENTS = '/terminal-payments';

it('a replay after a restart has the first bytes, the address of the payment, and its status of now', {
  timeout: 60_000,
}, async () => {
  const world = await aWorld();
  const first = await Daemon.start(world);
  let till = await Till.at(first);
  const keyed = async (key: string, path: string, body: object): Promise<Reply> =>
    till.ask('POST', path, body, { 'idempotency-key': key });
  const ended = (id: string) =>
    eventually(async () => {
      const { body } = await till.ask('GET', `${PAYMENTS}/${id}`);
      return body.data.charged === 'unknown' ? undefined : body.data;
    });
  const seen = ({ status, headers, body }: Reply) => ({
    status,
    replayed: headers.get('idempotent-replayed'),
    location: headers.get('location'),
    now: headers.get('payment-status'),
    body,
  });

  const sale = { device_id: DEVICE_ID, amount_minor: 1234, currency: 'EUR', reference: 'basket-1' };
  const [saleKey, refundKey] = [randomUUID(), randomUUID()];
  const paid = await keyed(saleKey, PAYMENTS, sale);
  const { id } = paid.body.data;
  expect(await ended(id)).toMatchObject({ status: 'succeeded' });
  const refund = { path: `${PAYMENTS}/${id}/refund`, body: { amount_minor: 500 } };
  world.terminal.press('decline');
  const given = await keyed(refundKey, refund.path, refund.body);
  expect(await ended(given.body.data.id)).toMatchObject({ status: 'declined' });
  await first.kill();

  till = till.moved(await Daemon.start(world));
  for (const [before, again, now] of [
    [paid, await keyed(saleKey, PAYMENTS, sale), 'succeeded'],
    [given, await keyed(refundKey, refund.path, refund.body), 'declined'],
  ] as const) {
    const location = `/v2${PAYMENTS}/${before.body.data.id}`;
    expect(seen(before)).toMatchObject({ status: 201, replayed: null, location, now: null });
    expect(seen(again)).toEqual({ status: 201, replayed: 'true', location, now, body: before.body });
    expect(again.body.data).toMatchObject({ status: 'requested', charged: 'unknown' });
  }
});
