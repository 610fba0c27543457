import { describe, expect, it } from 'vitest';
import { continuityOf } from '../../src/payment/recovery/continuity.ts';
import { aNewAttempt, anAttempt, aReport } from '../support/attempts.ts';
import { Shop } from '../support/shop.ts';

const euros = (minor: number) => ({ minor, currency: 'EUR' }) as const;
const TERMINAL = { grade: 'serial', serial: '17F00001', terminalId: '52500038' } as const;
const AFTER_NOTHING = { last: { kind: 'empty' }, terminal: TERMINAL, batch: 1, day: 1 } as const;

async function approved(shop: Shop, id: string): Promise<void> {
  await shop.until(() => shop.attempt(id).state.name === 'accepted', 10_000);
  shop.terminal.press('approve');
  await shop.settle(id);
}

describe('a transaction that is read later than it was asked about', () => {
  it('and was typed by hand after "not charged" was said does not contradict it', async () => {
    const shop = await Shop.open({ terminal: { autopilot: 'off' } });
    await approved(shop, shop.sell({ amount: euros(5) }).id);
    await shop.clock.advance(30_000);
    shop.terminal.inject({ when: 'customer', do: 'power_loss', ms: 3000 });
    const { id } = shop.sell();
    expect(await shop.settle(id)).toMatchObject({
      state: { name: 'error' },
      reason: { code: 'not_charged' },
    });
    await shop.clock.advance(15_000);
    shop.terminal.typeByHand({ kind: 'sale', amountMinor: 1234 });
    await shop.clock.advance(5000);
    const next = shop.sell({ amount: euros(700) });
    await shop.until(() => shop.attempt(next.id).state.name !== 'requested', 60_000);
    expect(shop.attempt(next.id).reason).toBeNull();
    expect([shop.payments.get(id).charged, shop.operations.tasks({ open: true, limit: 9 })]).toEqual([
      'no',
      [],
    ]);
  });

  it('and has the number of ours, but another amount, is not ours', () => {
    const known = { verdict: 'approved', kind: 'sale', amountMinor: 1234, number: '0001' } as const;
    const previous = anAttempt({ state: { name: 'succeeded' }, report: known, baseline: AFTER_NOTHING });
    const since = {
      previous,
      charged: 'yes',
      lastWord: previous,
      newBatch: false,
      maybeFollowed: false,
      settled: true,
      isNamed: false,
      needsSums: false,
    } as const;
    const report = { ...known, amountMinor: 9900 };
    expect(continuityOf(since, { kind: 'found', report }).kind).toBe('used_by_hand');
    expect(continuityOf(since, { kind: 'found', report: known }).kind).toBe('unbroken');
  });

  it('under the number of ours that the terminal had reversed is somebody else: "reversed" stands', () => {
    const known = aReport({ number: '0042', trace: '000142', terminalClock: '1120133700' });
    const before = aReport({ number: '0041', trace: '000141', terminalClock: '1120133000' });
    const previous = anAttempt({
      state: { name: 'error' },
      report: known,
      baseline: { ...AFTER_NOTHING, last: { kind: 'found', report: before }, terminalClock: '1120133650' },
      dispatchedAt: 0,
      inDoubtSince: 20_000,
      completedAt: 60_000,
      evidence: { kind: 'terminal_journal', row: 'same_as_mark', report: null },
    });
    const since = {
      previous,
      charged: 'no',
      lastWord: previous,
      newBatch: false,
      maybeFollowed: false,
      settled: true,
      isNamed: false,
      needsSums: false,
    } as const;
    const byHand = aReport({
      kind: 'unknown',
      number: '0042',
      trace: '000143',
      terminalClock: '1120133900',
    });
    expect(continuityOf(since, { kind: 'found', report: byHand }).kind).toBe('used_by_hand');
  });
});

describe('a refund in doubt', () => {
  it('is not taken for a sale that somebody typed, on a terminal that had nothing stored before it', async () => {
    const shop = await Shop.open();
    const sale = await shop.settle(shop.sell().id);
    const close = shop.operations.endOfDay({ deviceId: shop.deviceId, caller: 'socket', force: null });
    await shop.until(() => shop.operations.settlement(close.id).status === 'succeeded', 60_000);
    await shop.clock.advance(60_000);
    shop.terminal.inject({ when: 'customer', do: 'power_loss', ms: 3000 });
    const request = { parentId: sale.id, amountMinor: null, after: null, caller: 'socket' } as const;
    const { id } = shop.payments.refund(request).attempt;
    await shop.until(() => shop.attempt(id).state.name === 'in_doubt', 400_000);
    await shop.clock.advance(3050);
    shop.terminal.typeByHand({ kind: 'sale', amountMinor: 1234 });
    expect(await shop.settle(id)).toMatchObject({ state: { name: 'in_doubt' }, evidence: null });
    expect(shop.charged).toBe(2 * 1234);
  });
});

describe('a doubt that was left to a person', () => {
  it('and that a later reading settles keeps no words of a doubt', async () => {
    const shop = await Shop.open();
    const { id } = shop.writer.open(aNewAttempt()).attempt;
    shop.writer.apply(id, { type: 'dispatch' }, { baseline: AFTER_NOTHING });
    shop.writer.apply(id, { type: 'lost' }, { reason: { code: 'link_lost', message: 'no word of it' } });
    const reason = { code: 'needs_person', message: 'The terminal never became idle. Look at it.' };
    shop.writer.note(id, 'released', { releasedAt: 1, settledAt: null, needsPerson: true, reason });
    // Stands for ours, stored late.
    shop.terminal.typeByHand({ kind: 'sale', amountMinor: 1234 });
    await shop.settle(shop.sell({ reference: 'next' }).id);
    expect(shop.attempt(id)).toMatchObject({ state: { name: 'succeeded' }, reason: null });
  });
});

describe('a retry that waits in front of the terminal', () => {
  it('is not sent once its first try is found to be charged, on whatever terminal that was', async () => {
    const shop = await Shop.open({ terminal: { autopilotMs: 20_000 } });
    const elsewhere = aNewAttempt({ reference: 'basket', deviceId: '0199c0de-0000-7000-8000-0000000000d9' });
    const { id } = shop.writer.open(elsewhere).attempt;
    const evidence = { kind: 'terminal_journal', row: 'same_as_mark', report: null } as const;
    shop.writer.apply(id, { type: 'dispatch' }, {});
    shop.writer.apply(id, { type: 'lost' }, {});
    shop.writer.apply(id, { type: 'evidence', of: 'not_charged' }, { evidence });
    shop.sell({ amount: euros(5) });
    const retry = shop.sell({ reference: 'basket' });
    await shop.clock.advance(2000);
    shop.writer.apply(id, { type: 'evidence', of: 'charged' }, {});
    expect(await shop.settle(retry.id)).toMatchObject({ state: { name: 'cancelled' }, dispatchedAt: null });
    expect(shop.charged).toBe(5);
  });
});
