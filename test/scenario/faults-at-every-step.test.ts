import { describe, expect, it } from 'vitest';
import { chargedOf } from '../../src/payment/attempt/state-machine.ts';
import { FAULT_KINDS, FAULT_POINTS, type Fault } from '../../src/sandbox/controllable-terminal.ts';
import { Shop, type ShopOptions } from '../support/shop.ts';

const ANSWERS = ['reverse', 'decline', 'keep'] as const;
const WIRES: readonly ShopOptions[] = [{ kind: 'tcp' }, { kind: 'serial' }];
const cases = WIRES.flatMap((wire) =>
  FAULT_POINTS.flatMap((when) =>
    FAULT_KINDS.flatMap((kind) => ANSWERS.map((answer) => [wire.kind ?? 'tcp', kind, when, answer] as const)),
  ),
);

/** After a fault, whatever it was, the books say what the terminal's ledger says, or ask a person; and never twice. */
async function sellThrough(shop: Shop): Promise<void> {
  const sale = shop.sell();
  const settled = await shop.settle(sale.id);
  const charged = chargedOf(settled.state);
  if (charged === 'yes') expect(shop.charged).toBe(1234);
  if (charged === 'no') expect(shop.charged).toBe(0);
  if (charged === 'unknown') expect(settled.needsPerson).toBe(true);
  expect(shop.fatal).toBeNull();
}

describe('a sale with a fault in it', () => {
  it.each(cases)(
    'over %s, %s at "%s", on a terminal that would %s: charged if and only if the terminal says so',
    async (kind, fault, when, missingAcknowledgement) => {
      const strike: Fault = { when, do: fault, ms: 7000 };
      const shop = await Shop.open({
        kind,
        terminal: { faults: when === 'idle' ? [] : [strike], missingAcknowledgement },
      });
      if (when === 'idle') shop.terminal.inject(strike);
      await sellThrough(shop);
      const approved = shop.terminal
        .snapshot()
        .ledger.filter((entry) => entry.kind === 'sale' && entry.result === 'approved');
      expect(approved.length).toBeLessThanOrEqual(1);
    },
  );
});
