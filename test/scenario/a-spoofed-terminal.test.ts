import { describe, expect, it } from 'vitest';
import type { TransactionReport } from '../../src/terminal/ports.ts';
import { aReport, DEVICE_ID } from '../support/attempts.ts';
import { aShopWith, type Execute } from './odd-driver.ts';

const LEAD = { by: 'Ada', reason: 'looked at the slip', shown: 'no slip', lead: true } as const;

/** A shop in whose network something answers as the terminal: it approves every sale with the next of these reports. */
async function aShopThatHears(
  reports: readonly Partial<TransactionReport>[],
  where: { readonly onNetwork?: true } = { onNetwork: true },
  baselines: readonly Partial<TransactionReport>[] = [],
) {
  let turn = 0;
  const approve: Execute = async (observer) => {
    const report = aReport({ amountMinor: 1000 + turn, ...reports[turn] });
    turn += 1;
    observer.accepted();
    observer.beforeAcknowledge(report);
    const outcome = { kind: 'approved', report, receipts: {} } as const;
    observer.beforeEnd(outcome);
    shop.next.last = { kind: 'found', report: aReport(baselines[turn] ?? report) };
    return outcome;
  };
  const shop = await aShopWith(approve, undefined, where);
  shop.next.last = { kind: 'found', report: aReport({ number: '0007', ...baselines[0] }) };
  const pay = async () => {
    const { id } = shop.sell(1000 + turn);
    await shop.until(
      () => shop.attempt(id).completedAt !== null || shop.attempt(id).releasedAt !== null,
      90_000,
    );
    return shop.attempt(id);
  };
  const tasks = () => shop.operations.tasks({ open: true, limit: 10 });
  return { ...shop, pay, tasks };
}

const NEXT = { number: '0008', terminalClock: '1120133800', authCode: '004711' } as const;

describe('something that answers in the place of a terminal of the network', () => {
  it.each<readonly [string, Partial<TransactionReport>, RegExp]>([
    ['the transaction before, once more', NEXT, /gave receipt number 0008 at the same time/],
    [
      'a number that goes back',
      { number: '0003', terminalClock: '1120133900', authCode: '1' },
      /went back from 8 to 3/,
    ],
    [
      'a number that stays',
      { number: '0008', terminalClock: '1120133900', authCode: '1' },
      /went back from 8 to 8/,
    ],
    [
      'a number that does not follow, of another day',
      { number: '0057', terminalClock: '1119090000', authCode: '1' },
      /does not follow, and its time is not that of this payment/,
    ],
  ])('%s is not believed', async (_what, second, words) => {
    const shop = await aShopThatHears([NEXT, second]);
    expect((await shop.pay()).state.name).toBe('succeeded');
    const doubted = await shop.pay();
    expect(doubted).toMatchObject({
      state: { name: 'in_doubt', hadApproval: true },
      needsPerson: true,
      reason: { code: 'terminal_not_believed', message: expect.stringMatching(words) },
    });
    expect(shop.payments.get(doubted.id)).toMatchObject({ charged: 'unknown' });
    expect(shop.tasks()).toMatchObject([
      { kind: 'terminal_not_believed', deviceId: DEVICE_ID, message: expect.stringMatching(words) },
    ]);
    expect(shop.queues.get(DEVICE_ID)).toMatchObject({ status: 'wrong_terminal' });
    expect(() => shop.sell(4711)).toThrow(expect.objectContaining({ code: 'WRONG_TERMINAL' }));
  });

  it.each<readonly [string, Partial<TransactionReport>]>([
    ['the next number', { number: '0009', terminalClock: '1120133900' }],
    ['a number behind a gap, in its time', { number: '0012', terminalClock: '1120133900' }],
    ['a number that starts again', { number: '0001', terminalClock: '1120133900' }],
    ['the next number, by a clock that is wrong', { number: '0009', terminalClock: '0101000000' }],
    ['the same authorisation code', { number: '0009', terminalClock: '1120133900', authCode: '004711' }],
    ['no number and no time', { number: undefined, terminalClock: undefined, trace: undefined } as object],
  ])('%s is believed', async (_what, second) => {
    const shop = await aShopThatHears([NEXT, second]);
    await shop.pay();
    expect((await shop.pay()).state.name).toBe('succeeded');
    expect(shop.tasks()).toEqual([]);
  });

  it('is believed with a small number while the sum of its day is zero: it still shows the last one of the day before', async () => {
    const shop = await aShopThatHears([NEXT, { number: '0003', terminalClock: '1120133900' }]);
    await shop.pay();
    shop.next.totals = { amountMinor: 0 };
    expect((await shop.pay()).state.name).toBe('succeeded');
  });

  it('is believed on a cable, where nothing else can answer', async () => {
    const shop = await aShopThatHears([NEXT, NEXT], {});
    await shop.pay();
    expect((await shop.pay()).state.name).toBe('succeeded');
  });

  it('gets no payment when it shows a last transaction that is older than ours', async () => {
    const shop = await aShopThatHears([NEXT, { number: '0009', terminalClock: '1120133900' }]);
    const first = await shop.pay();
    expect((await shop.pay()).state.name).toBe('succeeded');
    shop.next.last = { kind: 'found', report: aReport(NEXT) };
    const third = await shop.pay();
    expect(third).toMatchObject({
      state: { name: 'cancelled' },
      dispatchedAt: null,
      reason: { code: 'wrong_terminal' },
    });
    expect(shop.tasks()).toMatchObject([
      {
        kind: 'terminal_not_believed',
        message: expect.stringContaining(`for the payment ${first.id} before`),
      },
    ]);
    expect(() => shop.sell(4711)).toThrow(expect.objectContaining({ code: 'WRONG_TERMINAL' }));
  });

  it('stays set aside over a restart of its connection, until a person adopts it; the payment stays with a person', async () => {
    const shop = await aShopThatHears([NEXT, NEXT, { number: '0009', terminalClock: '1120134000' }]);
    await shop.pay();
    const { id } = await shop.pay();
    await shop.clock.advance(120_000);
    expect(shop.queues.get(DEVICE_ID)).toMatchObject({
      status: 'wrong_terminal',
      answering: { serial: '17F00001' },
    });
    await shop.clock.runUntil(shop.operations.adopt(DEVICE_ID, 'Ada'));
    await shop.until(() => shop.queues.get(DEVICE_ID)?.status === 'ready', 10_000);
    expect(shop.tasks()).toEqual([]);
    expect((await shop.pay()).state.name).toBe('succeeded');
    expect(shop.attempt(id).state.name).toBe('in_doubt');
    const say = (more: object) => shop.payments.resolve(id, { ...LEAD, as: 'succeeded', ...more });
    expect(() => say({})).toThrow(
      expect.objectContaining({ code: 'FIELD_MISSING', context: { param: 'source' } }),
    );
    say({ source: 'customer_slip' });
    expect(shop.payments.get(id).charged).toBe('yes');
  });
});
