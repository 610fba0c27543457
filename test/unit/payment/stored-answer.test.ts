import { describe, expect, it } from 'vitest';
import type { KeyUse } from '../../../src/payment/payments.ts';
import { Shop } from '../../support/shop.ts';

const KEY: KeyUse = {
  key: 'a click',
  fingerprint: 'f',
  requestId: 'r',
  answer: () => ({ status: 201, body: '{}' }),
};

/** A shop whose sale was born without a sync of its own. */
async function withCreatedAttempt(): Promise<Shop> {
  const shop = await Shop.open();
  shop.payments.create(
    {
      deviceId: shop.deviceId,
      amount: { minor: 1234, currency: 'EUR' },
      invoiceId: null,
      reference: null,
      metadata: {},
      after: null,
      caller: 'socket',
    },
    KEY,
  );
  expect(shop.database.isDurable).toBe(false);
  return shop;
}

describe('the answer that a key has', () => {
  it('is on disk before it is given again', async () => {
    const shop = await withCreatedAttempt();
    expect(shop.payments.storedAnswer('socket', 'a click')).toMatchObject({ status: 201 });
    expect(shop.database.isDurable).toBe(true);
  });

  it('is looked for when everything is on disk: the refusal that may follow names a payment of another terminal', async () => {
    const shop = await withCreatedAttempt();
    expect(shop.payments.storedAnswer('socket', 'another click')).toBeNull();
    expect(shop.database.isDurable).toBe(true);
  });
});
