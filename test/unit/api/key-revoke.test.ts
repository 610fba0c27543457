import { describe, expect, it } from 'vitest';
import { KeySummary } from '../../../src/api/contract/key.ts';
import { DAY, HOUR, KeyShop } from './key-shop.ts';
import { DEVICE_ID } from './memory-payments.ts';

describe('a key that is revoked', () => {
  it('is refused from the next request on, with every secret, for good', async () => {
    const shop = new KeyShop();
    const { id, key } = await shop.make();
    const rolled = (await shop.roll(id)).json.data.key;
    const answer = await shop.revoke(id);
    expect(answer.status).toBe(200);
    expect(KeySummary.parse(answer.json.data)).toMatchObject({
      id,
      status: 'revoked',
      overlap_ends_at: null,
    });
    const statuses = async () => [await shop.fate(key), await shop.fate(rolled)];
    expect(await statuses()).toEqual(['api_key_revoked', 'api_key_revoked']);
    shop.restart();
    shop.clock.jumpWallClock(-30 * DAY);
    expect(await statuses()).toEqual(['api_key_revoked', 'api_key_revoked']);
  });

  it('a second time is the same record, and the audit trail has one word of it', async () => {
    const shop = new KeyShop();
    const { id } = await shop.make();
    const first = await shop.revoke(id, { by: 'Anna' });
    shop.clock.jumpWallClock(HOUR);
    const second = await shop.revoke(id.toUpperCase(), { by: 'Ben' });
    expect([second.status, second.text]).toEqual([200, first.text]);
    expect((await shop.audit(id)).map(({ event, by }) => [event, by])).toEqual([
      ['revoked', 'Anna'],
      ['created', null],
    ]);
  });

  it('is called revoked, also when it has expired too or its overlap is over', async () => {
    const shop = new KeyShop();
    const { id, key } = await shop.make({ expires_in_days: 1 });
    await shop.roll(id, { overlap_hours: 0 });
    await shop.revoke(id);
    shop.clock.jumpWallClock(2 * DAY);
    expect(await shop.fate(key)).toBe('api_key_revoked');
  });

  it('loses its event streams at once, those of its old secret too, and other keys keep theirs', async () => {
    const shop = new KeyShop();
    const scopes = ['webhooks:read'];
    const { id, key } = await shop.make({ scopes });
    const other = await shop.make({ scopes });
    const rolled = (await shop.roll(id)).json.data.key;
    const [old, fresh, theirs] = [
      await shop.stream(key),
      await shop.stream(rolled),
      await shop.stream(other.key),
    ];
    await shop.revoke(id);
    expect([old.ended, fresh.ended, theirs.ended]).toEqual([true, true, false]);
    sell(shop);
    await new Promise(setImmediate);
    expect([old.text, fresh.text]).toEqual(['retry: 2000\n\n', 'retry: 2000\n\n']);
    expect(theirs.text).toContain('event: terminal_payment');
  });

  it.each([
    ['rolled again', async (shop: KeyShop, id: string) => void (await shop.roll(id))],
    ['past its overlap', async (shop: KeyShop) => shop.clock.jumpWallClock(24 * HOUR)],
  ])('a secret that is %s gets no further event', async (_when, end) => {
    const shop = new KeyShop();
    const { id, key } = await shop.make({ scopes: ['webhooks:read'] });
    await shop.roll(id);
    const stream = await shop.stream(key);
    await end(shop, id);
    sell(shop);
    await new Promise(setImmediate);
    expect(stream).toEqual({ text: 'retry: 2000\n\n', ended: true });
  });
});

function sell({ shop }: KeyShop): void {
  shop.payments.create({
    deviceId: DEVICE_ID,
    amount: { minor: 100, currency: 'EUR' },
    invoiceId: null,
    reference: null,
    metadata: {},
    after: null,
    caller: 'socket',
  });
}
