import { describe, expect, it } from 'vitest';
import { zvtDialect } from '../../drivers/terminals/zvt/virtual.ts';
import { Shop } from '../support/shop.ts';

/** Longer than the settle time of a terminal. */
const SETTLED_MS = 40_000;

/** A sale whose approval no one hears; the terminal takes it back when its power returns. */
async function takenBack(shop: Shop, reference: string) {
  shop.terminal.inject({ when: 'result', do: 'power_loss', ms: 5000 });
  const { id } = shop.sell({ reference });
  return shop.settle(id);
}

describe('the number of a payment that the terminal took back', () => {
  it('is counted on from, also behind a close of its own that leaves nothing to read', async () => {
    const dialect = zvtDialect({ forgetsAtClose: true });
    const shop = await Shop.open({ dialect, terminal: { missingAcknowledgement: 'reverse' } });
    shop.terminal.presetNumbers(40, 140);
    await shop.settle(shop.sell({ reference: 'BEFORE' }).id);
    await shop.clock.advance(SETTLED_MS);
    expect(await takenBack(shop, 'FIRST')).toMatchObject({
      state: { name: 'error' },
      reason: { code: 'reversed_by_terminal' },
      evidence: { row: 'next_number', report: { number: '0042' } },
    });
    await shop.clock.advance(SETTLED_MS);
    shop.terminal.closeByHand();
    expect(await takenBack(shop, 'SECOND')).toMatchObject({
      state: { name: 'error' },
      reason: { code: 'reversed_by_terminal' },
      baseline: { last: { kind: 'empty' }, lastNumber: '0042' },
      evidence: { row: 'next_number', report: { number: '0043' } },
    });
  });
});
