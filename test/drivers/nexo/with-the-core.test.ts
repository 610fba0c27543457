import { describe, expect, it } from 'vitest';
import { nexo } from '../../../drivers/terminals/nexo/manifest.ts';
import { nexoDialect } from '../../../drivers/terminals/nexo/virtual.ts';
import type { NexoVirtualOptions } from '../../../drivers/terminals/nexo/virtual-options.ts';
import { Shop } from '../../support/shop.ts';

/** The real core with a terminal of this family. */
function shop(
  terminal: Partial<NexoVirtualOptions> = {},
  customers: 'approve' | 'decline' | 'off' = 'approve',
): Promise<Shop> {
  return Shop.open({
    family: { manifest: nexo, currency: 'EUR', dialect: nexoDialect(terminal) },
    kind: 'tcp',
    driverOptions: { poi_id: '17FD1E3C' },
    terminal: { autopilot: customers, autopilotMs: 2000, missingAcknowledgement: 'keep' },
  });
}

describe('the Terminal API with the core', () => {
  it('sells, one sale after the other, each once', async () => {
    const till = await shop();
    for (const minor of [1234, 500]) {
      const sold = till.sell({ amount: { minor, currency: 'EUR' } });
      expect((await till.settle(sold.id)).state.name).toBe('succeeded');
    }
    expect(till.charged).toBe(1734);
  });

  it('whose line is lost while the customer pays finds the payment by its reference, without a person', async () => {
    const till = await shop();
    till.terminal.inject({ when: 'customer', do: 'cut' });
    const sold = await till.settle(till.sell().id);
    expect(sold).toMatchObject({ state: { name: 'succeeded' }, needsPerson: false });
    expect(till.charged).toBe(1234);
  });

  it('whose result is lost finds it by its reference', async () => {
    const till = await shop();
    till.terminal.inject({ when: 'result', do: 'cut' });
    expect((await till.settle(till.sell().id)).state.name).toBe('succeeded');
    expect(till.charged).toBe(1234);
  });

  it('that lost its power before the customer paid does not know the payment, and its last one is still the one before', async () => {
    const till = await shop();
    await till.settle(till.sell().id);
    till.terminal.inject({ when: 'customer', do: 'power_loss', ms: 5000 });
    const lost = await till.settle(till.sell({ reference: 'other' }).id);
    expect(lost).toMatchObject({ state: { name: 'error' }, needsPerson: false });
    expect(till.charged).toBe(1234);
  });

  it('a refusal of the bank is declined', async () => {
    const till = await shop({}, 'decline');
    expect((await till.settle(till.sell().id)).state.name).toBe('declined');
    expect(till.charged).toBe(0);
  });
});
