import { describe, expect, it } from 'vitest';
import { zvtDialect } from '../../drivers/terminals/zvt/virtual.ts';
import { Shop } from '../support/shop.ts';

describe('a terminal whose last transaction cannot be read', () => {
  it.each(['keep', 'reverse', 'decline'] as const)(
    'and would %s has no recovery, whatever its protocol: a person is asked and nothing is guessed',
    async (missingAcknowledgement) => {
      const shop = await Shop.open({
        terminal: { missingAcknowledgement },
        dialect: zvtDialect({ repeatReceipt: 'empty' }),
      });
      await shop.settle(shop.sell({ amount: { minor: 500, currency: 'EUR' } }).id);
      shop.terminal.inject({ when: 'result', do: 'cut' });
      const doubt = await shop.settle(shop.sell().id);
      expect(doubt).toMatchObject({ state: { name: 'in_doubt' }, needsPerson: true });
      expect(shop.queues.get(shop.deviceId)?.capabilities.recover).toBe('none');
      await shop.clock.advance(3_600_000);
      expect(shop.attempt(doubt.id).state.name).toBe('in_doubt');
    },
  );

  it('sells on once it was idle for the settle time, and a person may end the doubt', async () => {
    const shop = await Shop.open({ dialect: zvtDialect({ repeatReceipt: 'empty' }) });
    shop.terminal.inject({ when: 'result', do: 'cut' });
    const { id } = await shop.settle(shop.sell().id);
    const other = shop.sell({ amount: { minor: 7, currency: 'EUR' } });
    expect((await shop.settle(other.id)).state.name).toBe('succeeded');
    const by = { by: 'Ada', reason: 'the receipt', shown: '0001', lead: true };
    expect(shop.payments.resolve(id, { ...by, as: 'not_charged' }).attempt.state.name).toBe('error');
  });
});

describe('a payment that still runs on its terminal', () => {
  it('is awaited: nothing is sent over it and nothing aborts it', async () => {
    const sent: string[] = [];
    const shop = await Shop.open({
      terminal: { autopilotMs: 25_000, missingAcknowledgement: 'keep' },
      beforeWrite: (bytes) => sent.push(Buffer.from(bytes).toString('hex')),
    });
    shop.terminal.inject({ when: 'customer', do: 'cut' });
    const { id } = shop.sell();
    await shop.until(() => shop.attempt(id).state.name === 'in_doubt', 60_000);
    sent.length = 0;
    expect((await shop.settle(id)).state.name).toBe('succeeded');
    expect(shop.charged).toBe(1234);
    expect(sent.filter((bytes) => /^06(01|b0|1e|30|31|50)/.test(bytes))).toEqual([]);
  });
});
