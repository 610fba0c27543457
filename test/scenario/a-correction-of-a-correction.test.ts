import { describe, expect, it } from 'vitest';
import { renderTerminalPayment } from '../../src/api/render/terminal-payment.ts';
import { Shop } from '../support/shop.ts';

const LEAD = { by: 'Ada', reason: 'asked the acquirer', shown: 'statement', lead: true } as const;
const BY_STATEMENT = { ...LEAD, source: 'acquirer_statement' } as const;
const LONG_MS = 16 * 60_000;

/** A sale of 12.34 EUR of which a person has said "not charged". */
async function notCharged(): Promise<{ shop: Shop; id: string }> {
  const shop = await Shop.open();
  await shop.settle(shop.sell({ amount: { minor: 1, currency: 'EUR' } }).id);
  shop.terminal.inject({ when: 'customer', do: 'power_loss', ms: 100_000 });
  const { id } = shop.sell({ reference: 'B-1' });
  await shop.until(() => shop.attempt(id).state.name === 'in_doubt', 30_000);
  shop.forgetEverything();
  await shop.settle(id);
  await shop.clock.advance(LONG_MS);
  shop.payments.resolve(id, { ...LEAD, as: 'not_charged' });
  return { shop, id };
}

const rendered = (shop: Shop, id: string) => renderTerminalPayment(shop.payments.get(id));
const newestOf = (shop: Shop, id: string) => shop.store.correctionOf(id)?.id ?? '';

describe('a payment that was corrected more than once', () => {
  it('is never told as given back where it was never paid, at itself or at what was recorded of it', async () => {
    const { shop, id } = await notCharged();
    shop.payments.resolve(id, { ...BY_STATEMENT, as: 'succeeded' });
    const charge = newestOf(shop, id);
    expect(rendered(shop, charge).message).toMatch(/HAS paid/);
    shop.payments.resolve(id, { ...BY_STATEMENT, as: 'not_charged' });
    const undone = newestOf(shop, id);
    for (const one of [id, charge, undone]) {
      expect(rendered(shop, one).message).toMatch(/NOT charged/);
      expect(rendered(shop, one).message).not.toMatch(/given back|HAS paid/i);
    }
    expect(rendered(shop, charge)).toMatchObject({
      charged: 'no',
      corrected_by: undone,
      given_back_minor: 0,
    });
    expect(rendered(shop, undone)).toMatchObject({
      charged: 'yes',
      corrected_by: null,
      corrects_type: 'sale',
    });
    expect(rendered(shop, id)).toMatchObject({ charged: 'no', corrected_by: undone });
  });

  it('is told as paid everywhere once the newest evidence says so, and names that one', async () => {
    const { shop, id } = await notCharged();
    const recorded: string[] = [];
    for (const as of ['succeeded', 'not_charged', 'succeeded'] as const) {
      shop.payments.resolve(id, { ...BY_STATEMENT, as });
      recorded.push(newestOf(shop, id));
    }
    const [charge = '', undone = '', newest = ''] = recorded;
    expect(rendered(shop, id)).toMatchObject({ charged: 'yes', corrected_by: newest });
    expect(rendered(shop, id).message).toMatch(/WAS charged/);
    expect(rendered(shop, charge)).toMatchObject({
      charged: 'yes',
      corrected_by: newest,
      given_back_minor: 0,
    });
    expect(rendered(shop, charge).message).toMatch(/HAS paid/);
    expect(rendered(shop, undone)).toMatchObject({ charged: 'no', corrected_by: newest });
    expect(rendered(shop, undone).message).toMatch(
      /NOT given back: newer evidence shows that the customer paid/,
    );
    expect(rendered(shop, newest).message).toMatch(/HAS paid/);
    for (const one of [id, ...recorded])
      expect(rendered(shop, one).message).not.toMatch(/NOT charged|WAS given back/);
  });
});
