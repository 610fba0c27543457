import { describe, expect, it } from 'vitest';
import { nexo } from '../../drivers/terminals/nexo/manifest.ts';
import { nexoDialect } from '../../drivers/terminals/nexo/virtual.ts';
import type { Settlement } from '../../src/payment/batch/settlement.ts';
import type { Fault } from '../../src/sandbox/controllable-terminal.ts';
import { type Family, Shop, type ShopOptions, textMemory } from '../support/shop.ts';

/** Customers add 10 %: 1.23 EUR on top of 12.34 EUR. */
const CUSTOMER = { tipPercent: 10 };
const TIP = 123;
const ALL = 1357;

const NEXO: Family = { manifest: nexo, currency: 'EUR', dialect: nexoDialect() };
const FAMILIES: readonly (readonly [string, ShopOptions])[] = [
  ['ZVT', {}],
  ['nexo', { family: NEXO, driverOptions: { poi_id: '17F00001' } }],
];
/** The terminal has approved, and its result does not arrive. */
const LOST: Fault = { when: 'result', do: 'cut' };

const open = (options: ShopOptions = {}) => Shop.open({ tip: 'ask', terminal: CUSTOMER, ...options });

async function closed(shop: Shop): Promise<Settlement> {
  const { id } = shop.operations.endOfDay({ deviceId: shop.deviceId, caller: 'socket', force: null });
  const now = () => shop.operations.settlement(id);
  await shop.until(() => !['requested', 'in_progress'].includes(now().status), 900_000);
  return now();
}

describe.each(FAMILIES)('a sale at a terminal that is to ask for a tip: %s', (_name, family) => {
  it('is paid with the tip on top, and the service hears that what was asked for is paid', async () => {
    const shop = await open(family);
    const sale = await shop.settle(shop.sell().id);
    expect(sale).toMatchObject({
      amount: { minor: 1234 },
      state: { name: 'succeeded' },
      report: { amountMinor: ALL, tipMinor: TIP },
    });
    expect(shop.charged).toBe(ALL);
    expect(shop.payments.get(sale.id).tasks).toEqual([]);
    const [create] = shop.outbox.due(9);
    expect(create).toMatchObject({ kind: 'create', body: expect.objectContaining({ amount_minor: 1234 }) });
  });

  it('is found again with its tip when the result was lost, without a person', async () => {
    const shop = await open(family);
    await shop.settle(shop.sell().id);
    shop.terminal.inject(LOST);
    const sale = await shop.settle(shop.sell({ reference: 'TABLE-7' }).id);
    expect(sale).toMatchObject({
      state: { name: 'succeeded' },
      report: { amountMinor: ALL, tipMinor: TIP },
      evidence: { kind: 'terminal_journal' },
    });
    expect(shop.charged).toBe(2 * ALL);
  });

  it('is given back whole: a void, and a refund up to what was approved', async () => {
    const shop = await open(family);
    const first = await shop.settle(shop.sell().id);
    const back = { parentId: first.id, after: null, caller: 'socket' };
    const undo = await shop.settle(shop.payments.void(back).attempt.id);
    expect(undo).toMatchObject({ amount: { minor: ALL }, state: { name: 'succeeded' } });
    expect(shop.charged).toBe(0);
    const second = await shop.settle(shop.sell({ reference: 'TABLE-8' }).id);
    const refund = { ...back, parentId: second.id };
    expect(() => shop.payments.refund({ ...refund, amountMinor: ALL + 1 })).toThrow(
      expect.objectContaining({ code: 'REFUND_EXCEEDS_AMOUNT' }),
    );
    const given = await shop.settle(shop.payments.refund({ ...refund, amountMinor: null }).attempt.id);
    expect(given).toMatchObject({ amount: { minor: ALL }, report: { amountMinor: ALL } });
    expect(given.report).not.toHaveProperty('tipMinor');
    expect(shop.charged).toBe(0);
  });

  it('agrees with the sums of its end of day', async () => {
    const shop = await open(family);
    await closed(shop);
    await shop.settle(shop.sell().id);
    expect(await closed(shop)).toMatchObject({
      status: 'succeeded',
      ours: { sales: { count: 1, amountMinor: ALL } },
      differs: false,
    });
  });
});

describe('a terminal that charges more and states no tip', () => {
  it('leaves a lost result to a person, who is told both amounts; it is never taken for paid by guessing', async () => {
    const shop = await open();
    await shop.settle(shop.sell().id);
    shop.terminal.nextAmount(1500);
    shop.terminal.inject(LOST);
    const sale = await shop.settle(shop.sell({ reference: 'TABLE-7' }).id);
    expect(sale.state.name).toBe('in_doubt');
    expect(sale.reason?.message).toMatch(/15\.00.*12\.34.*asked for a tip/);
  });
});

describe('a terminal that is not to ask', () => {
  it('asks nobody, and a tip that its record shows after a lost result is for a person', async () => {
    const shop = await open({ tip: 'none' });
    const sale = await shop.settle(shop.sell().id);
    expect(sale.report).toMatchObject({ amountMinor: 1234 });
    shop.terminal.nextAmount(ALL, { tipMinor: TIP });
    shop.terminal.inject(LOST);
    const doubt = await shop.settle(shop.sell({ reference: 'TABLE-7' }).id);
    expect(doubt.state.name).toBe('in_doubt');
    expect(doubt.reason?.message).toMatch(/13\.57.*12\.34 EUR\. Compare/);
  });
});

describe('a sale in doubt whose device asks no more after a restart', () => {
  it('is judged by what its terminal was told', async () => {
    const memories = [textMemory()];
    const first = await open({ memories });
    await first.settle(first.sell().id);
    first.terminal.inject({ when: 'result', do: 'power_loss', ms: 1000 });
    const { id } = first.sell({ reference: 'TABLE-7' });
    await first.until(() => first.attempt(id).state.name === 'in_doubt', 60_000);
    await first.close();
    const { databasePath } = first;
    const second = await open({ tip: 'none', databasePath, memories, startsAt: first.clock.now() });
    expect(await second.settle(id)).toMatchObject({
      state: { name: 'succeeded' },
      report: { amountMinor: ALL, tipMinor: TIP },
    });
  });
});

describe('a basket that was paid with a tip', () => {
  const BASKET = { reference: 'B-1', amount: { minor: 1200, currency: 'EUR' } } as const;
  const PAID = expect.objectContaining({ code: 'PAYMENT_ALREADY_PAID' });

  it('is not sold again where "not charged" was said of it and it is then found charged', async () => {
    const shop = await open();
    await shop.settle(shop.sell({ amount: { minor: 100, currency: 'EUR' } }).id);
    shop.terminal.inject({ when: 'result_acknowledged', do: 'power_loss', ms: 100_000 });
    const { id } = shop.sell(BASKET);
    await shop.until(() => shop.attempt(id).state.name === 'in_doubt', 60_000);
    shop.forgetEverything();
    await shop.settle(id);
    await shop.clock.advance(16 * 60_000);
    const lead = { by: 'Ada', reason: 'asked the acquirer', shown: 'statement', lead: true } as const;
    shop.payments.resolve(id, { ...lead, as: 'not_charged' });
    shop.payments.resolve(id, { ...lead, as: 'succeeded', source: 'customer_slip' });
    expect(shop.store.correctionOf(id)?.amount.minor).toBe(1320);
    expect(() => shop.sell(BASKET)).toThrow(PAID);
  });

  it('is not sold again where its void turns out not to have happened', async () => {
    const shop = await open();
    const sale = await shop.settle(shop.sell(BASKET).id);
    const asked = { parentId: sale.id, after: null, caller: 'socket' };
    const undo = await shop.settle(shop.payments.void(asked).attempt.id);
    await shop.clock.advance(60_000);
    if (!undo.report) throw new Error('the void has no record');
    const evidence = { kind: 'terminal_journal', row: 'approved_reversed', report: undo.report } as const;
    shop.writer.apply(undo.id, { type: 'evidence', of: 'reversed' }, { evidence });
    expect(() => shop.sell(BASKET)).toThrow(PAID);
  });

  it('is reported, and not held as a part, where its charge was reversed and stands after all', async () => {
    const shop = await open();
    const { id, report } = await shop.settle(shop.sell(BASKET).id);
    if (!report) throw new Error('the sale has no record');
    const evidence = { kind: 'terminal_journal', row: 'approved_kept', report } as const;
    await shop.clock.advance(60_000);
    for (const end of ['reversed', 'charged'] as const)
      shop.writer.apply(id, { type: 'evidence', of: end }, { report, evidence });
    const reports = shop.store.reportsOf(shop.store.correctionOf(id)?.id ?? '');
    expect(reports.map(({ kind, state }) => [kind, state])).toEqual([
      ['create', 'pending'],
      ['result', 'pending'],
    ]);
    expect(() => shop.sell(BASKET)).toThrow(PAID);
  });

  it('is voided as a whole where the service asks for it, which knows no tip', async () => {
    const shop = await open();
    const sale = await shop.settle(shop.sell(BASKET).id);
    shop.requestGuard.accept({
      type: 'void',
      serviceId: 'service-void',
      parentId: sale.id,
      deviceId: shop.deviceId,
      amount: BASKET.amount,
      invoiceId: null,
      reference: null,
      metadata: {},
      ageMs: 0,
    });
    const undo = shop.store.attemptOfServiceId('service-void');
    expect(await shop.settle(undo?.id ?? '')).toMatchObject({
      state: { name: 'succeeded' },
      amount: { minor: 1320 },
    });
    expect(shop.charged).toBe(0);
  });
});

it.each([1500, 900])(
  'a lost result of another amount (%i) stays with a person, also when the terminal sells on',
  async (amount) => {
    const shop = await Shop.open({ family: NEXO, driverOptions: { poi_id: '17F00001' } });
    await shop.settle(shop.sell({ amount: { minor: 1, currency: 'EUR' } }).id);
    shop.terminal.nextAmount(amount);
    shop.terminal.inject(LOST);
    const { id } = shop.sell({ reference: 'B-1', amount: { minor: 1200, currency: 'EUR' } });
    expect((await shop.settle(id)).releasedAt).not.toBeNull();
    await shop.clock.advance(120_000);
    await shop.settle(shop.sell({ reference: 'B-2', amount: { minor: 700, currency: 'EUR' } }).id);
    expect(shop.attempt(id).state.name).toBe('in_doubt');
  },
);
