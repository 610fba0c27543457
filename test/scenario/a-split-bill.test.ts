import { expect, it } from 'vitest';
import { Shop } from '../support/shop.ts';

const BILL = { reference: 'table 4', metadata: { split: 'a bill', split_of_minor: '3000' } };

it('a bill that several cards pay is never taken twice: a part that is more than its rest is refused, whichever till asks', async () => {
  const shop = await Shop.open();
  const part = (minor: number, more: object = {}) =>
    shop.sell({ ...BILL, ...more, amount: { minor, currency: 'EUR' } });
  const left = (amount_due_minor: number) =>
    expect.objectContaining({
      code: 'SPLIT_EXCEEDED',
      context: { param: 'amount_minor', details: { amount_due_minor } },
    });
  expect(() => part(3001)).toThrow(left(3000));
  const first = part(1200);
  await shop.settle(first.id);
  // A till that has not seen the first part yet.
  expect(() => part(3000, { caller: 'another till' })).toThrow(left(1800));
  expect(shop.charged).toBe(1200);
  const back = { parentId: first.id, amountMinor: 200, after: null, caller: 'socket' };
  await shop.settle(shop.payments.refund(back).attempt.id);
  expect(() => part(2001)).toThrow(left(2000));
  await shop.settle(part(2000).id);
  expect(() => part(1)).toThrow(left(0));
  // Yesterday's bill of the same table is another one.
  expect(part(2500, { metadata: { split: 'another', split_of_minor: '2500' } }).state.name).toBe('requested');
});

it('a tip pays nothing of a bill that several cards pay: what is left is left', async () => {
  const shop = await Shop.open({ tip: 'ask', terminal: { tipPercent: 10 } });
  const first = await shop.settle(shop.sell({ ...BILL, amount: { minor: 1200, currency: 'EUR' } }).id);
  expect(first.report).toMatchObject({ amountMinor: 1320, tipMinor: 120 });
  const rest = shop.sell({ ...BILL, amount: { minor: 1800, currency: 'EUR' } });
  expect((await shop.settle(rest.id)).state.name).toBe('succeeded');
});

it.each([
  ['of a part', 1200, 1920],
  ['of the whole bill', 3000, 300],
])('a tip that was given back, %s, is not due again', async (_of, minor, tooMuch) => {
  const shop = await Shop.open({ tip: 'ask', terminal: { tipPercent: 10 } });
  const first = await shop.settle(shop.sell({ ...BILL, amount: { minor, currency: 'EUR' } }).id);
  const back = { parentId: first.id, amountMinor: minor / 10, after: null, caller: 'socket' };
  await shop.settle(shop.payments.refund(back).attempt.id);
  expect(() => shop.sell({ ...BILL, amount: { minor: tooMuch, currency: 'EUR' } })).toThrow(
    expect.objectContaining({ code: 'SPLIT_EXCEEDED' }),
  );
});

it.each(['written_off', 'not_charged'] as const)(
  'a part of which a person said %s, and that is then found charged, counts',
  async (as) => {
    const shop = await Shop.open();
    await shop.settle(shop.sell({ amount: { minor: 1, currency: 'EUR' } }).id);
    shop.terminal.inject({ when: 'customer', do: 'power_loss', ms: 100_000 });
    const { id } = shop.sell({ ...BILL, amount: { minor: 2000, currency: 'EUR' } });
    await shop.until(() => shop.attempt(id).state.name === 'in_doubt', 30_000);
    shop.forgetEverything();
    await shop.settle(id);
    await shop.clock.advance(16 * 60_000);
    const lead = { by: 'Ada', reason: 'asked the acquirer', shown: 'statement', lead: true } as const;
    shop.payments.resolve(id, { ...lead, as });
    shop.payments.resolve(id, { ...lead, as: 'succeeded', source: 'customer_slip' });
    expect(shop.payments.get(id).charged).toBe('yes');
    expect(() => shop.sell({ ...BILL, amount: { minor: 2500, currency: 'EUR' } })).toThrow(
      expect.objectContaining({ code: 'SPLIT_EXCEEDED' }),
    );
  },
);
