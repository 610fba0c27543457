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
