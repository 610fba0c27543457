import { describe, expect, it } from 'vitest';
import type { Attempt } from '../../src/payment/attempt/attempt.ts';
import { Shop } from '../support/shop.ts';

const LEAD = {
  by: 'Ada',
  reason: 'asked the acquirer',
  shown: 'statement of 5 January',
  lead: true,
} as const;
const BY_STATEMENT = { ...LEAD, source: 'acquirer_statement' } as const;
const TOO_EARLY = expect.objectContaining({ code: 'DECISION_TOO_EARLY' });
const NOT_IN_DOUBT = expect.objectContaining({ code: 'PAYMENT_NOT_IN_DOUBT' });
const PAID = expect.objectContaining({ code: 'PAYMENT_ALREADY_PAID' });
const LONG_MS = 16 * 60_000;

/** A sale of 12.34 EUR of which only a person can tell: its terminal came back with everything forgotten. */
async function aDoubt(): Promise<{ shop: Shop; id: string }> {
  const shop = await Shop.open();
  await shop.settle(shop.sell({ amount: { minor: 1, currency: 'EUR' } }).id);
  shop.terminal.inject({ when: 'customer', do: 'power_loss', ms: 100_000 });
  const { id } = shop.sell({ reference: 'B-1' });
  await shop.until(() => shop.attempt(id).state.name === 'in_doubt', 30_000);
  shop.forgetEverything();
  await shop.settle(id);
  await shop.clock.advance(LONG_MS);
  return { shop, id };
}

async function writtenOff(): Promise<{ shop: Shop; id: string }> {
  const { shop, id } = await aDoubt();
  shop.payments.resolve(id, { ...LEAD, as: 'written_off' });
  return { shop, id };
}

const sellAgain = (shop: Shop): Attempt => shop.sell({ reference: 'B-1' });
const refundOf = (shop: Shop, parentId: string) =>
  shop.payments.refund({ parentId, amountMinor: null, after: null, caller: 'socket' });
const reportsOf = (shop: Shop, id: string) => shop.store.reportsOf(id).map(({ kind }) => kind);
const correctionOf = (shop: Shop, id: string) => shop.store.correctionOf(id);

describe('a payment of which it will never be known whether it was charged', () => {
  it('is written off by a lead alone, and not while the terminal may still go on', async () => {
    const shop = await Shop.open();
    shop.terminal.inject({ when: 'customer', do: 'power_loss', ms: 86_400_000 });
    const { id } = shop.sell();
    await shop.until(() => shop.attempt(id).state.name === 'in_doubt', 30_000);
    const writeOff = (lead: boolean) => shop.payments.resolve(id, { ...LEAD, as: 'written_off', lead });
    expect(() => writeOff(true)).toThrow(TOO_EARLY);
    await shop.clock.advance(LONG_MS);
    expect(() => writeOff(false)).toThrow(TOO_EARLY);
    expect(shop.attempt(id).state.name).toBe('in_doubt');
    writeOff(true);
    expect(shop.attempt(id)).toMatchObject({
      state: { name: 'written_off' },
      reason: { code: 'written_off' },
      evidence: { kind: 'person', by: 'Ada' },
      needsPerson: false,
    });
  });

  it('ends as error with charged unknown, is reported, and needs no person any more', async () => {
    const { shop, id } = await writtenOff();
    const view = shop.payments.get(id);
    expect([view.charged, view.tasks]).toEqual(['unknown', []]);
    expect(reportsOf(shop, id)).toEqual(['create', 'result']);
    expect(shop.payments.events({ limit: 50 }).items.at(-1)?.type).toBe('terminal_payment.error');
  });

  it('counts as charged: its basket is sold again only by who has seen it, and nothing of it is given back', async () => {
    const { shop, id } = await writtenOff();
    expect(() => sellAgain(shop)).toThrow(PAID);
    expect(() => refundOf(shop, id)).toThrow(expect.objectContaining({ code: 'PAYMENT_NOT_REFUNDABLE' }));
    const next = shop.sell({ reference: 'B-1', after: id });
    expect((await shop.settle(next.id)).state.name).toBe('succeeded');
  });

  it('is recorded as charged once a customer shows it: the books hold it once, and it can be given back', async () => {
    const { shop, id } = await writtenOff();
    shop.payments.resolve(id, { ...BY_STATEMENT, as: 'succeeded', source: 'customer_slip' });
    const charge = correctionOf(shop, id);
    expect(charge).toMatchObject({ type: 'sale', state: { name: 'succeeded' }, amount: { minor: 1234 } });
    expect(shop.payments.get(id).charged).toBe('yes');
    expect(() => sellAgain(shop)).toThrow(PAID);
    const refund = await shop.settle(refundOf(shop, charge?.id ?? '').attempt.id);
    expect(refund.state.name).toBe('succeeded');
    expect(sellAgain(shop).state.name).toBe('requested');
  });

  it('is free again once a statement shows that nothing was charged; the service knew of no charge', async () => {
    const { shop, id } = await writtenOff();
    shop.payments.resolve(id, { ...BY_STATEMENT, as: 'not_charged' });
    expect(shop.payments.get(id).charged).toBe('no');
    expect(reportsOf(shop, correctionOf(shop, id)?.id ?? '')).toEqual([]);
    expect(sellAgain(shop).state.name).toBe('requested');
  });

  it('is counted once of its invoice, whatever was found out of it since', async () => {
    const { shop, id } = await writtenOff();
    const paidOf = () => shop.store.possibleDuplicates({ ...SEARCH, reference: 'B-1' }).length;
    expect(paidOf()).toBe(1);
    shop.payments.resolve(id, { ...BY_STATEMENT, as: 'succeeded' });
    expect(() => sellAgain(shop)).toThrow(
      expect.objectContaining({
        context: { details: expect.objectContaining({ payment_id: correctionOf(shop, id)?.id }) },
      }),
    );
  });
});

const SEARCH = { invoiceId: null, referenceSince: 0, deviceId: '', amountMinor: 0, amountSince: 0 };

describe('what a person has said and was wrong', () => {
  it.each([
    ['not_charged', 'succeeded', 'yes', 'sale'],
    ['succeeded', 'not_charged', 'no', 'void'],
  ] as const)(
    '%s is corrected as %s by a lead with new evidence; both stay in the books',
    async (first, then, charged, type) => {
      const { shop, id } = await aDoubt();
      const before = shop.payments.resolve(id, { ...LEAD, as: first }).attempt;
      shop.payments.resolve(id, { ...BY_STATEMENT, as: then });
      expect(shop.attempt(id).state).toEqual(before.state);
      expect(shop.payments.get(id).charged).toBe(charged);
      expect(correctionOf(shop, id)).toMatchObject({
        type,
        evidence: { kind: 'person', by: 'Ada', source: 'acquirer_statement' },
      });
      expect(reportsOf(shop, correctionOf(shop, id)?.id ?? '')).toEqual(['create', 'result']);
    },
  );

  it('is not changed by another answer without new evidence, by no lead, and not written off', async () => {
    const { shop, id } = await aDoubt();
    shop.payments.resolve(id, { ...LEAD, as: 'succeeded' });
    const say = (change: object) =>
      shop.payments.resolve(id, { ...BY_STATEMENT, as: 'not_charged', ...change });
    expect(() => say({ source: undefined })).toThrow(NOT_IN_DOUBT);
    expect(() => say({ lead: false })).toThrow(NOT_IN_DOUBT);
    expect(() => say({ as: 'written_off' })).toThrow(NOT_IN_DOUBT);
    expect(correctionOf(shop, id)).toBeNull();
    expect(shop.payments.get(id).charged).toBe('yes');
  });

  it('may not be made "not charged" while the terminal may still go on', async () => {
    const shop = await Shop.open();
    shop.terminal.inject({ when: 'customer', do: 'power_loss', ms: 86_400_000 });
    const { id } = shop.sell();
    await shop.until(() => shop.attempt(id).state.name === 'in_doubt', 30_000);
    shop.payments.resolve(id, { ...LEAD, as: 'succeeded' });
    const takeBack = () => shop.payments.resolve(id, { ...BY_STATEMENT, as: 'not_charged' });
    expect(takeBack).toThrow(TOO_EARLY);
    await shop.clock.advance(LONG_MS);
    expect(takeBack().charged).toBe('no');
  });

  it('can be corrected again and again: what stands in the books is one charge or none', async () => {
    const { shop, id } = await aDoubt();
    shop.payments.resolve(id, { ...LEAD, as: 'not_charged' });
    shop.payments.resolve(id, { ...BY_STATEMENT, as: 'succeeded' });
    const charge = correctionOf(shop, id)?.id ?? '';
    shop.payments.resolve(id, { ...BY_STATEMENT, as: 'not_charged' });
    expect(correctionOf(shop, id)).toMatchObject({ type: 'void', parentId: charge });
    expect(() => refundOf(shop, charge)).toThrow(expect.objectContaining({ code: 'REFUND_EXCEEDS_AMOUNT' }));
    shop.payments.resolve(id, { ...BY_STATEMENT, as: 'succeeded' });
    expect(() => sellAgain(shop)).toThrow(PAID);
    shop.payments.resolve(id, { ...BY_STATEMENT, as: 'not_charged' });
    expect(sellAgain(shop).state.name).toBe('requested');
  });

  it('is never changed where a terminal has said it', async () => {
    const shop = await Shop.open();
    const { id } = await shop.settle(shop.sell().id);
    await shop.clock.advance(LONG_MS);
    expect(() => shop.payments.resolve(id, { ...BY_STATEMENT, as: 'not_charged' })).toThrow(NOT_IN_DOUBT);
  });
});
