import { expect, it } from 'vitest';
import { Shop } from '../support/shop.ts';

/** Why a retry is refused: the code, and the payment that the refusal names. */
function refusal(work: () => unknown): readonly unknown[] {
  try {
    work();
  } catch (error) {
    const { code, context } = error as { code: string; context: { details?: { payment_id?: string } } };
    return [code, context.details?.payment_id];
  }
  return ['it was taken'];
}

it('a sale is tried again once, whichever till asks; after a further no the retry is what is tried again', async () => {
  const shop = await Shop.open({ terminal: { autopilot: 'decline' } });
  const first = shop.sell();
  expect(refusal(() => shop.sell({ retryOf: first.id, caller: 'another till' }))).toEqual([
    'PAYMENT_ALREADY_OPEN',
    first.id,
  ]);
  expect((await shop.settle(first.id)).state.name).toBe('declined');
  const second = shop.sell({ retryOf: first.id });
  expect(second).toMatchObject({ retryOf: first.id });
  const other = () => shop.sell({ retryOf: first.id, caller: 'another till', reference: 'other' });
  expect(refusal(other)).toEqual(['PAYMENT_RETRIED', second.id]);
  expect((await shop.settle(second.id)).state.name).toBe('declined');
  expect(refusal(other)).toEqual(['PAYMENT_RETRIED', second.id]);
  expect(refusal(() => shop.sell({ retryOf: 'no payment' }))[0]).toBe('PAYMENT_UNKNOWN');

  shop.terminal.setAutopilot('approve');
  const third = shop.sell({ retryOf: second.id });
  expect((await shop.settle(third.id)).state.name).toBe('succeeded');
  expect(refusal(() => shop.sell({ retryOf: third.id }))).toEqual(['PAYMENT_ALREADY_PAID', third.id]);
  expect(shop.attempt(third.id).retryOf).toBe(second.id);
  expect([shop.charged, refusal(other)]).toEqual([1234, ['PAYMENT_RETRIED', second.id]]);
});

const LEAD = { by: 'Ada', reason: 'asked the acquirer', shown: 'statement', lead: true } as const;

it('a retry that waits behind another payment does not go once newer evidence says that the first had charged', async () => {
  const shop = await Shop.open();
  await shop.settle(shop.sell({ amount: { minor: 1, currency: 'EUR' } }).id);
  shop.terminal.inject({ when: 'customer', do: 'power_loss', ms: 100_000 });
  const first = shop.sell();
  await shop.until(() => shop.attempt(first.id).state.name === 'in_doubt', 30_000);
  shop.forgetEverything();
  await shop.settle(first.id);
  await shop.clock.advance(16 * 60_000);
  shop.payments.resolve(first.id, { ...LEAD, as: 'not_charged' });

  shop.terminal.setAutopilot('off');
  const between = shop.sell({ amount: { minor: 500, currency: 'EUR' }, reference: 'between' });
  await shop.until(() => shop.attempt(between.id).state.name === 'accepted', 60_000);
  // Neither its amount nor its reference is that of the first: as a sale of its own it would be taken.
  const other = { amount: { minor: 700, currency: 'EUR' }, reference: 'other', caller: 'till-2' } as const;
  const retry = shop.sell({ ...other, retryOf: first.id });
  shop.payments.resolve(first.id, { ...LEAD, source: 'acquirer_statement', as: 'succeeded' });
  shop.terminal.press('approve');
  await shop.settle(between.id);
  expect(await shop.settle(retry.id)).toMatchObject({
    state: { name: 'cancelled' },
    reason: { code: 'payment_already_paid' },
    dispatchedAt: null,
  });
});
