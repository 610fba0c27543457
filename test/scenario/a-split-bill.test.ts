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
