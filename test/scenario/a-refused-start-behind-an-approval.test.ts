import { describe, expect, it } from 'vitest';
import { zvtDialect } from '../../drivers/terminals/zvt/virtual.ts';
import { Shop } from '../support/shop.ts';

const LOOKS_IDLE_MS = 8000;
/** So long the terminal waits with its result, and takes it back then, because it is not acknowledged. */
const WAITS_MS = 40_000;

/** The terminal shows an approval in the middle of its dialogue, which recovery believes, and which it takes back later. */
async function shownTooEarly(): Promise<{ shop: Shop; shown: string }> {
  const dialect = zvtDialect({ looksIdleMs: LOOKS_IDLE_MS });
  const shop = await Shop.open({ dialect, terminal: { missingAcknowledgement: 'decline' } });
  await shop.settle(shop.sell({ reference: 'BEFORE', amount: { minor: 500, currency: 'EUR' } }).id);
  await shop.clock.advance(40_000);
  shop.terminal.inject({ when: 'customer', do: 'cut' });
  shop.terminal.inject({ when: 'result', do: 'delay', ms: WAITS_MS });
  const { id: shown } = shop.sell({ reference: 'SHOWN' });
  expect((await shop.settle(shown)).state.name).toBe('succeeded');
  return { shop, shown };
}

describe('an approval that a terminal takes back after it has shown it', () => {
  it('is corrected before the next sale, also where the terminal has refused others in between', async () => {
    const { shop, shown } = await shownTooEarly();
    const refused = await shop.settle(shop.sell({ reference: 'REFUSED' }).id);
    expect(refused).toMatchObject({ state: { name: 'error' }, reason: { code: 'not_started' } });
    expect(shop.payments.get(shown).charged).toBe('yes');
    await shop.clock.advance(WAITS_MS + 30_000);
    expect(shop.charged).toBe(500);
    const next = await shop.settle(shop.sell({ reference: 'NEXT' }).id);
    expect(next.state.name).toBe('succeeded');
    expect(shop.payments.get(shown)).toMatchObject({ charged: 'no' });
    expect(shop.store.correctionOf(shown)).not.toBeNull();
  });
});
