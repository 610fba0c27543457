import { describe, expect, it } from 'vitest';
import type { LastTransaction } from '../../../src/terminal/ports.ts';
import { REFUND, SALE } from './scripted-terminal.ts';
import { reportOf, type Sitting, sitting, voidOf } from './sitting.ts';

function transactionOf(last: LastTransaction) {
  return last.kind === 'found' ? last.report : last;
}

describe('what staff type at the terminal itself', () => {
  it('takes the next numbers, on its own clock, and is the last transaction then', async () => {
    const at = await sitting();
    await at.pay(SALE);
    await at.clock.advance(90_000);
    const entry = at.terminal.typeByHand({ kind: 'sale', amountMinor: 777 });
    expect(entry).toMatchObject({
      receiptNumber: '0002',
      trace: '000002',
      kind: 'sale',
      amountMinor: 777,
      byHand: true,
      batch: 1,
      undoes: null,
      at: at.clock.now(),
    });
    expect(at.terminal.snapshot().ledger.map(({ byHand }) => byHand)).toEqual([false, true]);
    expect(transactionOf(await at.lastTransaction())).toMatchObject({ number: '0002', amountMinor: 777 });
    expect(reportOf(await at.pay(SALE))).toMatchObject({ number: '0003', trace: '000003' });
  });

  it('may be a refund, or a void of a payment by its number or of the last that stands', async () => {
    const at = await sitting();
    const [first, second] = [
      at.terminal.typeByHand({ kind: 'sale', amountMinor: 100 }),
      at.terminal.typeByHand({ kind: 'sale', amountMinor: 200 }),
    ];
    at.terminal.typeByHand({ kind: 'refund', amountMinor: 50 });
    const undone = at.terminal.typeByHand({ kind: 'void', receiptNumber: first.receiptNumber });
    expect(undone).toMatchObject({ kind: 'void', amountMinor: 100, undoes: first.sequence });
    expect(at.terminal.typeByHand({ kind: 'void' })).toMatchObject({ undoes: second.sequence });
    expect(at.terminal.snapshot().ledger.map(({ reversed }) => reversed)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
    expect(transactionOf(await at.lastTransaction())).toMatchObject({
      kind: 'void',
      originalTrace: second.trace,
    });
  });

  it('may be declined, with a number or without', async () => {
    for (const [storesDeclined, receiptNumber] of [
      [false, '0000'],
      [true, '0001'],
    ] as const) {
      const at = await sitting({ options: { storesDeclined } });
      const entry = at.terminal.typeByHand({ kind: 'sale', amountMinor: 1, result: 'declined' });
      expect(entry).toMatchObject({ receiptNumber, result: 'declined', reversed: false });
    }
  });

  it.each([
    ['a payment without an amount', { kind: 'sale' }],
    ['a void of nothing', { kind: 'void' }],
    ['a void of a number that is not there', { kind: 'void', receiptNumber: '0099' }],
  ] as const)('is refused: %s', async (_what, typed) => {
    const at = await sitting();
    expect(() => at.terminal.typeByHand(typed)).toThrowError(
      expect.objectContaining({ code: 'SANDBOX_NOT_POSSIBLE' }),
    );
    expect(at.terminal.snapshot().ledger).toEqual([]);
  });

  it('waits until the terminal is idle and has power', async () => {
    const at = await sitting({ settings: { autopilot: 'off' } });
    const paying = at.session.execute(SALE, at.observer, at.signal);
    await at.clock.advance(1000);
    const busy = expect.objectContaining({ code: 'SANDBOX_TERMINAL_BUSY' });
    expect(() => at.terminal.typeByHand({ kind: 'sale', amountMinor: 1 })).toThrowError(busy);
    expect(() => at.terminal.closeByHand()).toThrowError(busy);
    at.terminal.press('approve');
    await at.clock.runUntil(paying);
    at.terminal.stop();
    expect(() => at.terminal.typeByHand({ kind: 'sale', amountMinor: 1 })).toThrowError(busy);
  });

  it('is refused by a terminal that honours the lock of the till', async () => {
    const at = await sitting({ options: { honoursLock: true } });
    const locked = expect.objectContaining({ code: 'SANDBOX_NOT_POSSIBLE' });
    expect(() => at.terminal.typeByHand({ kind: 'sale', amountMinor: 1 })).toThrowError(locked);
    expect(() => at.terminal.closeByHand()).toThrowError(locked);
  });
});

describe('an end of day', () => {
  const byTill = (at: Sitting) => at.endOfDay();
  const byHand = async (at: Sitting) => at.terminal.closeByHand();

  it.each([
    ['of the till', byTill],
    ['by hand', byHand],
  ] as const)(
    '%s begins a new batch; numbers go on and the last transaction is still reported',
    async (_who, close) => {
      const at = await sitting();
      const sold = reportOf(await at.pay(SALE));
      await close(at);
      expect(transactionOf(await at.lastTransaction())).toMatchObject({ number: '0001' });
      expect(await at.journal()).toMatchObject({ lines: [], totals: { amountMinor: 0, count: 0 } });
      expect(await at.pay(voidOf(sold))).toMatchObject({ kind: 'declined', report: { responseCode: 'B5' } });
      expect(reportOf(await at.pay(SALE))).toMatchObject({ number: '0002' });
      expect(at.standing().map(({ batch }) => batch)).toEqual([1, 2]);
    },
  );

  it.each([
    ['of the till', byTill],
    ['by hand', byHand],
  ] as const)(
    '%s makes numbers begin at one again, and the terminal forget, where it does so',
    async (_who, close) => {
      const at = await sitting({ options: { numbersRestart: true, forgetsAtClose: true } });
      await at.pay(SALE);
      await close(at);
      expect(await at.lastTransaction()).toEqual({ kind: 'empty' });
      expect(reportOf(await at.pay(SALE))).toMatchObject({
        number: '0001',
        trace: expect.not.stringMatching('000001'),
      });
      expect(transactionOf(await at.lastTransaction())).toMatchObject({ number: '0001' });
    },
  );

  it('tells totals and the slip, and the batch was worth what the ledger says', async () => {
    const at = await sitting();
    await at.pay(SALE);
    const second = reportOf(await at.pay(SALE));
    await at.pay(REFUND);
    await at.pay(voidOf(second));
    expect(await at.journal()).toMatchObject({ complete: false, totals: { amountMinor: 0 } });
    expect(await at.endOfDay()).toMatchObject({
      kind: 'closed',
      totals: { amountMinor: 0 },
      receipts: { merchant: expect.stringContaining('Kassenschnitt') },
    });
    expect(at.terminal.typeByHand({ kind: 'sale', amountMinor: 1 }).batch).toBe(2);
  });

  it('may be refused once, and the batch is open', async () => {
    const at = await sitting();
    at.terminal.nextClose('refused');
    expect(await at.endOfDay()).toMatchObject({ kind: 'refused', code: 'TERMINAL_REFUSED' });
    expect(at.terminal.typeByHand({ kind: 'sale', amountMinor: 1 }).batch).toBe(1);
    expect(await at.endOfDay()).toMatchObject({ kind: 'closed', totals: { amountMinor: 1, count: 1 } });
  });

  it('may be followed by an update, and is closed all the same', async () => {
    const at = await sitting();
    at.terminal.nextClose('updates');
    expect(await at.endOfDay()).toMatchObject({ kind: 'closed' });
  });
});

describe('the next approval', () => {
  it('may be for less than was asked, once', async () => {
    const at = await sitting();
    at.terminal.nextAmount(1000);
    expect(reportOf(await at.pay(SALE)).amountMinor).toBe(1000);
    expect(reportOf(await at.pay(SALE)).amountMinor).toBe(1234);
    expect(at.standing().map(({ amountMinor }) => amountMinor)).toEqual([1000, 1234]);
  });

  it('may be for more, with the reason or without', async () => {
    const at = await sitting();
    at.terminal.nextAmount(1434, { tipMinor: 200 });
    const tipped = reportOf(await at.pay(SALE));
    expect(tipped).toMatchObject({ amountMinor: 1434, tipMinor: 200 });
    expect(transactionOf(await at.lastTransaction())).toMatchObject({ amountMinor: 1434, tipMinor: 200 });
    at.terminal.nextAmount(9999);
    const more = reportOf(await at.pay(SALE));
    expect(more).toMatchObject({ amountMinor: 9999 });
    expect(more).not.toHaveProperty('tipMinor');
    expect(await at.pay(voidOf(tipped))).toMatchObject({ kind: 'approved', report: { amountMinor: 1434 } });
  });

  it('does not change a refund', async () => {
    const at = await sitting();
    at.terminal.nextAmount(1);
    expect(reportOf(await at.pay(REFUND)).amountMinor).toBe(1234);
    expect(reportOf(await at.pay(SALE)).amountMinor).toBe(1);
  });

  it.each([
    ['kept', 1],
    ['reversed', 0],
    ['reversed_silently', 0],
  ] as const)('may be acknowledged and end badly all the same, and is %s', async (how, standing) => {
    for (const code of [undefined, 0x05]) {
      const at = await sitting();
      at.terminal.spoilNextEnd(how, code);
      expect(await at.pay(SALE)).toMatchObject({ kind: 'unknown', lastReport: { verdict: 'approved' } });
      expect(at.standing()).toHaveLength(standing);
      expect((await at.pay(SALE)).kind).toBe('approved');
    }
  });
});

describe('an approval that the till never hears of', () => {
  it('is unknown after a code that proves nothing, and was charged', async () => {
    const at = await sitting();
    at.terminal.spoilNextEnd('untold');
    const outcome = await at.pay(SALE);
    expect(outcome.kind).toBe('unknown');
    expect(outcome).not.toHaveProperty('lastReport');
    expect(at.standing()).toHaveLength(1);
    expect((await at.pay(SALE)).kind).toBe('approved');
  });
});

describe('numbers', () => {
  it('wrap from 9999 and 999999 to one', async () => {
    const at = await sitting();
    at.terminal.presetNumbers(9998, 999_998);
    expect(reportOf(await at.pay(SALE))).toMatchObject({ number: '9999', trace: '999999' });
    expect(reportOf(await at.pay(SALE))).toMatchObject({ number: '0001', trace: '000001' });
    expect(() => at.terminal.presetNumbers(10_000, 0)).toThrow();
  });
});

describe('a void', () => {
  it('takes a payment back by its number, once', async () => {
    const at = await sitting();
    const sold = reportOf(await at.pay(SALE));
    await at.pay(SALE);
    expect(reportOf(await at.pay(voidOf(sold)))).toMatchObject({
      kind: 'void',
      originalTrace: sold.trace,
      maskedPan: sold.maskedPan,
    });
    expect(await at.pay(voidOf(sold))).toMatchObject({ kind: 'declined', report: { responseCode: 'B4' } });
    const [first, , undone] = at.terminal.snapshot().ledger;
    expect(undone).toMatchObject({ kind: 'void', undoes: first?.sequence });
    expect(at.standing().map(({ kind }) => kind)).toEqual(['sale', 'void']);
  });

  it.each([
    ['none', '83'],
    ['last', 'B5'],
  ] as const)('is refused by a terminal that takes back: %s', async (voids, code) => {
    const at = await sitting({ options: { voids } });
    const sold = reportOf(await at.pay(SALE));
    await at.pay(SALE);
    expect(await at.pay(voidOf(sold))).toMatchObject({ kind: 'declined', report: { responseCode: code } });
    expect(at.standing()).toHaveLength(2);
  });

  it('of the last payment works where that alone is possible', async () => {
    const at = await sitting({ options: { voids: 'last' } });
    await at.pay(SALE);
    expect(await at.pay(voidOf(reportOf(await at.pay(SALE))))).toMatchObject({ kind: 'approved' });
  });

  it('hits the wrong payment on a terminal that does not look at the number, and its trace says so', async () => {
    const at = await sitting({ options: { voids: 'last_regardless' } });
    const first = reportOf(await at.pay(SALE));
    const second = reportOf(await at.pay(SALE));
    expect(reportOf(await at.pay(voidOf(first)))).toMatchObject({ originalTrace: second.trace });
  });
});

describe('a terminal that seems idle', () => {
  it('is ready to a new connection while the customer still pays, and takes no second payment', async () => {
    const at = await sitting({
      settings: { autopilot: 'off', missingAcknowledgement: 'keep' },
      options: { looksIdleMs: 10_000 },
    });
    const paying = at.session.execute(SALE, at.observer, at.signal);
    await at.clock.advance(1000);
    at.cut();
    expect(await at.clock.runUntil(paying)).toMatchObject({ kind: 'unknown' });
    const again = await at.connect();
    const ask = <T>(question: Promise<T>) => at.clock.runUntil(question);
    expect(await ask(again.readiness(at.signal))).toMatchObject({ kind: 'ready' });
    expect(await ask(again.lastTransaction(at.signal))).toEqual({ kind: 'empty' });
    expect(await ask(again.execute(SALE, at.observer, at.signal))).toMatchObject({
      kind: 'not_started',
      code: 'TERMINAL_BUSY',
    });
    expect(at.terminal.snapshot().busy).toBe(true);
    await at.clock.advance(10_000);
    expect(await ask(again.readiness(at.signal))).toMatchObject({ kind: 'wait', code: 'TERMINAL_BUSY' });
    at.terminal.press('approve');
    await at.clock.advance(60_000);
    expect(transactionOf(await ask(again.lastTransaction(at.signal)))).toMatchObject({
      number: '0001',
      amountMinor: 1234,
    });
  });
});

describe('a terminal that repeats no receipt', () => {
  it('ends well and tells nothing: it cannot be recovered', async () => {
    const at = await sitting({ options: { repeatReceipt: 'empty' } });
    await at.pay(SALE);
    expect(await at.lastTransaction()).toMatchObject({ kind: 'unreadable' });
    expect(at.session.capabilities.recover).toBe('none');
  });

  it('without paper tells it when paper is allowed', async () => {
    const at = await sitting({ options: { repeatReceipt: 'only_with_paper' } });
    await at.pay(SALE);
    expect(await at.lastTransaction()).toMatchObject({ kind: 'found', report: { number: '0001' } });
    expect(await at.journal()).toMatchObject({ lines: [], totals: { amountMinor: 1234 } });
  });
});
