import { describe, expect, it } from 'vitest';
import { RECOVERY_TABLE } from '../../src/payment/recovery/decision-table.ts';
import { Shop } from '../support/shop.ts';

type Vendor = 'keep' | 'reverse' | 'decline';

/** A refund or a void whose approval is lost on its way, settled by recovery. Beside a void another sale stays in the batch. */
async function lost(type: 'sale' | 'refund' | 'void', missingAcknowledgement: Vendor) {
  const shop = await Shop.open({ terminal: { missingAcknowledgement } });
  if (type === 'void') await shop.settle(shop.sell({ amount: { minor: 700, currency: 'EUR' } }).id);
  const sale = await shop.settle(shop.sell({ amount: { minor: 500, currency: 'EUR' } }).id);
  shop.terminal.inject({ when: 'result', do: 'cut' });
  const parent = { parentId: sale.id, caller: 'socket' };
  const attempt =
    type === 'sale'
      ? shop.sell()
      : type === 'void'
        ? shop.payments.void(parent).attempt
        : shop.payments.refund({ ...parent, amountMinor: null, after: null }).attempt;
  return { shop, settled: await shop.settle(attempt.id) };
}

const decisions = (shop: Shop, id: string) =>
  shop.payments.timeline(id).flatMap(({ kind, text }) => (kind === 'decision' ? [text] : []));

describe('explain', () => {
  it.each([
    ['sale', 'keep', 'succeeded', 'next_number'],
    ['sale', 'reverse', 'error', 'next_number'],
    ['sale', 'decline', 'error', 'same_as_mark'],
    ['refund', 'keep', 'succeeded', 'next_number'],
    ['refund', 'reverse', 'error', 'next_number'],
    ['refund', 'decline', 'error', 'same_as_mark'],
    ['void', 'keep', 'succeeded', 'next_number'],
    ['void', 'reverse', 'error', 'next_number'],
    ['void', 'decline', 'error', 'same_as_mark'],
  ] as const)(
    'tells of a %s that a terminal would %s how it ended (%s) and the row that decided: %s',
    async (type, vendor, state, row) => {
      const { shop, settled } = await lost(type, vendor);
      expect([settled.type, settled.state.name]).toEqual([type, state]);
      expect(decisions(shop, settled.id)).toEqual([RECOVERY_TABLE[row]]);
    },
  );

  it('tells the row that contradicted an attempt which had ended', async () => {
    const { shop, settled } = await lost('sale', 'decline');
    shop.terminal.presetNumbers(1, 40);
    shop.terminal.typeByHand({ kind: 'sale', amountMinor: 1234 });
    await shop.settle(shop.sell({ amount: { minor: 5, currency: 'EUR' } }).id);
    expect(shop.store.correctionOf(settled.id)).not.toBeNull();
    expect(decisions(shop, settled.id)).toEqual([RECOVERY_TABLE.same_as_mark, RECOVERY_TABLE.next_number]);
  });
});
