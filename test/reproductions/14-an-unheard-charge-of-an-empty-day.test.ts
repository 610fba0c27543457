import { expect, it } from 'vitest';
import { zvtDialect } from '../../drivers/terminals/zvt/virtual.ts';
import { Shop } from '../support/shop.ts';

// design/payments.md, Recovery 3 and 4: *absent* is evidence only while a witness proves that the batch is the same. Found by the formal model
// (`npm run model`) as the neighbour of reproduction 03: the terminal charged, lost its power before the approval was heard, and closed its day.

it('a charge that was never heard is not "not charged" because the terminal closed an otherwise empty day', async () => {
  const dialect = zvtDialect({ forgetsAtClose: true });
  const shop = await Shop.open({ dialect, terminal: { missingAcknowledgement: 'keep' } });
  shop.terminal.inject({ when: 'result', do: 'power_loss', ms: 86_400_000 });
  const { id } = shop.sell({ reference: 'BASKET-3' });
  await shop.until(() => shop.attempt(id).state.name === 'in_doubt', 60_000);
  shop.terminal.start();
  shop.terminal.closeByHand();
  await shop.clock.advance(900_000);
  expect(shop.charged).toBe(1234);
  expect(shop.payments.get(id)).toMatchObject({ charged: 'unknown', attempt: { needsPerson: true } });
});
