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
      /does not follow, and its time is before this payment/,
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

  it.each<readonly [string, Partial<TransactionReport>, Partial<TransactionReport>]>([
    [
      'a small number on the day after: the terminal may have closed its day by itself, and declined one',
      { number: '0057', terminalClock: '1120180000' },
      { number: '0002', terminalClock: '1121090000' },
    ],
    [
      'the number of a day before, by a clock that stands still',
      { number: '0008', terminalClock: '0101000000', trace: '000142', authCode: '004711' },
      { number: '0008', terminalClock: '0101000000', trace: '000198', authCode: '004712' },
    ],
    [
      'a number behind a gap, after summer time has ended',
      { number: '0008', terminalClock: '1025025900' },
      { number: '0012', terminalClock: '1025020500' },
    ],
    [
      'a number behind a gap, after its clock was set back a little',
      { number: '0008', terminalClock: '1120133800' },
      { number: '0012', terminalClock: '1120133730' },
    ],
    [
      'the authorisation code of a test host without a number, in the same minute',
      { number: undefined, trace: undefined, terminalClock: '3241338', authCode: '123456' } as object,
      { number: undefined, trace: undefined, terminalClock: '3241338', authCode: '123456' } as object,
    ],
    [
      'a number without a time of the host',
      { number: '0008', terminalClock: '0000000', trace: '000008' },
      { number: '0008', terminalClock: '0000000', trace: '000008' },
    ],
  ])('%s is believed of an honest terminal', async (_what, first, second) => {
    const { terminalClock = '' } = first;
    const baselines = [
      { number: '0007', terminalClock },
      second.number === '0008' ? { number: '0007', terminalClock, trace: '000141' } : first,
    ];
    const shop = await aShopThatHears([first, second], { onNetwork: true }, baselines);
    expect((await shop.pay()).state.name).toBe('succeeded');
    expect((await shop.pay()).reason).toBeNull();
    expect(shop.tasks()).toEqual([]);
  });

  it('is believed with a small number after a refused payment: the terminal may have started again and counted that one', async () => {
    const shop = await aShopThatHears([NEXT, { number: '0002', terminalClock: '1120133900' }]);
    await shop.pay();
    const { execute } = shop.next;
    shop.next.execute = async (observer) => {
      const report = { verdict: 'refused', kind: 'sale', responseCode: '05' } as const;
      const outcome = { kind: 'declined', report, receipts: {} } as const;
      observer.beforeEnd(outcome);
      return outcome;
    };
    const refused = shop.sell(500);
    await shop.until(() => shop.attempt(refused.id).completedAt !== null, 60_000);
    shop.next.execute = execute;
    expect((await shop.pay()).state.name).toBe('succeeded');
  });

  it('is not believed after its dialogue either: what it kept is the transaction of another payment', async () => {
    const shop = await aShopThatHears([NEXT], { onNetwork: true }, [{}, { number: '0009' }]);
    const first = await shop.pay();
    const replayed = aReport({ ...NEXT, amountMinor: 4711 });
    shop.next.execute = async (observer) => {
      observer.beforeAcknowledge(replayed);
      shop.next.last = { kind: 'found', report: replayed };
      return { kind: 'unknown', code: 'LINK_LOST', message: 'lost', lastReport: replayed };
    };
    const { id } = shop.sell(4711);
    await shop.until(
      () => shop.attempt(id).releasedAt !== null || shop.attempt(id).completedAt !== null,
      90_000,
    );
    expect(shop.attempt(id)).toMatchObject({
      state: { name: 'in_doubt' },
      needsPerson: true,
      reason: { code: 'terminal_not_believed', message: expect.stringContaining(first.id) },
    });
    expect(shop.tasks()).toMatchObject([{ kind: 'terminal_not_believed' }]);
    expect(shop.queues.get(DEVICE_ID)).toMatchObject({ status: 'wrong_terminal' });
  });

  it('is not believed with a late result that it gave before', async () => {
    const shop = await aShopThatHears([NEXT], { onNetwork: true }, [{}, { number: '0009' }]);
    await shop.pay();
    const report = aReport({ ...NEXT, amountMinor: 4711 });
    shop.next.late = (observer) => void observer.beforeEnd({ kind: 'approved', report, receipts: {} });
    shop.next.execute = async () => ({ kind: 'unknown', code: 'LINK_LOST', message: 'lost' });
    const { id } = shop.sell(4711);
    await shop.until(
      () => shop.attempt(id).releasedAt !== null || shop.attempt(id).completedAt !== null,
      90_000,
    );
    expect(shop.attempt(id)).toMatchObject({
      state: { name: 'in_doubt' },
      reason: { code: 'terminal_not_believed' },
    });
    expect(shop.queues.get(DEVICE_ID)).toMatchObject({ status: 'wrong_terminal' });
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

  it('closes no day when it shows a last transaction that is older than ours, and gets nothing that waited', async () => {
    const shop = await aShopThatHears([NEXT, { number: '0009', terminalClock: '1120133900' }]);
    await shop.pay();
    await shop.pay();
    const { last } = shop.next;
    shop.next.last = { kind: 'found', report: aReport(NEXT) };
    shop.next.readiness = { kind: 'wait', code: 'TERMINAL_BUSY', message: 'busy' };
    const { id } = shop.operations.endOfDay({ deviceId: DEVICE_ID, caller: 'socket', force: null });
    await shop.clock.advance(2000);
    const waiting = shop.sell(4711);
    shop.next.readiness = { kind: 'ready' };
    await shop.until(() => shop.operations.settlement(id).completedAt !== null, 90_000);
    shop.next.last = last;
    await shop.until(() => shop.attempt(waiting.id).completedAt !== null, 90_000);
    expect(shop.operations.settlement(id)).toMatchObject({
      status: 'cancelled',
      reason: { code: 'end_of_day_blocked', message: expect.stringContaining('is not believed') },
    });
    expect(shop.attempt(waiting.id)).toMatchObject({ state: { name: 'cancelled' }, dispatchedAt: null });
    expect(shop.queues.get(DEVICE_ID)).toMatchObject({ status: 'wrong_terminal' });
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
    const [task] = shop.operations.tasks({ open: true, limit: 10 });
    const finish = () => shop.operations.finishTask(task?.id ?? '', { by: 'Ada', note: 'seen' });
    expect(finish).toThrow(expect.objectContaining({ code: 'WRONG_TERMINAL' }));
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
