import { describe, expect, it } from 'vitest';
import { renderTerminalPayment } from '../../src/api/render/terminal-payment.ts';
import { Shop } from '../support/shop.ts';

async function soldOffline() {
  const shop = await Shop.open();
  shop.terminal.nextCard('visa-signed-offline');
  const sale = await shop.settle(shop.sell().id);
  const kinds = () => shop.store.openTasksOf(sale.id).map(({ kind }) => kind);
  const closeDay = async () => {
    const { id } = shop.operations.endOfDay({ deviceId: shop.deviceId, caller: 'socket', force: null });
    await shop.until(() => shop.operations.settlement(id).status === 'succeeded', 900_000);
  };
  return { shop, sale, kinds, closeDay };
}

describe('a sale that was signed, and approved without the bank', () => {
  it('succeeded, and is listed with a signature to check and as an offline approval', async () => {
    const { shop, sale, kinds } = await soldOffline();
    expect(sale.state.name).toBe('succeeded');
    expect(shop.terminal.snapshot().ledger).toMatchObject([
      { kind: 'sale', result: 'approved', reversed: false },
    ]);
    expect(kinds()).toEqual(['signature_to_check', 'offline_approval']);
  });

  it('is an offline approval until its day is closed, and nobody has to do anything for it', async () => {
    const { shop, sale, kinds, closeDay } = await soldOffline();
    const [check] = shop.store.openTasksOf(sale.id);
    shop.operations.finishTask(check?.id ?? '', { by: 'Ada', note: 'the same hand' });
    expect(kinds()).toEqual(['offline_approval']);
    expect(renderTerminalPayment(shop.writer.view(sale)).needs_person).toBe(false);
    await closeDay();
    expect(kinds()).toEqual([]);
  });

  it('is never undone because nobody compares the signature: the question stays, also after the day', async () => {
    const { shop, sale, kinds, closeDay } = await soldOffline();
    await closeDay();
    await closeDay();
    expect(kinds()).toEqual(['signature_to_check']);
    expect(shop.writer.view(shop.attempt(sale.id)).charged).toBe('yes');
    expect(renderTerminalPayment(shop.writer.view(shop.attempt(sale.id))).needs_person).toBe(true);
    expect(shop.terminal.snapshot().ledger).toHaveLength(1);
  });
});
