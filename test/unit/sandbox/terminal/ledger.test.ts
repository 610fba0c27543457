import { describe, expect, it } from 'vitest';
import type { Memory } from '../../../../src/sandbox/controllable-terminal.ts';
import { type Draft, Ledger } from '../../../../src/sandbox/terminal/ledger.ts';

function memory(text: string | null = null): Memory & { text: string | null; saves: number } {
  const kept = {
    text,
    saves: 0,
    load: () => kept.text,
    save: (next: string) => {
      kept.text = next;
      kept.saves += 1;
    },
  };
  return kept;
}

function draft(changes: Partial<Draft> = {}): Draft {
  return {
    kind: 'sale',
    amountMinor: 1234,
    currency: 'EUR',
    result: 'approved',
    at: 1_767_603_600_000,
    trace: '000001',
    cardId: null,
    authCode: null,
    stored: true,
    unsettled: true,
    ...changes,
  };
}

describe('the ledger of a virtual terminal', () => {
  it('is on disk before a method returns, and the same after a restart', () => {
    const kept = memory();
    const ledger = new Ledger(kept);
    const trace = ledger.nextTrace();
    const record = ledger.enter(draft({ trace }));
    expect(new Ledger(kept).entries()).toEqual(ledger.entries());
    ledger.confirm(record);
    expect(new Ledger(kept).settleAll('reverse', false)).toEqual([]);
    expect(new Ledger(kept).nextTrace()).toBe('000002');
  });

  it('counts receipts to 9999 and traces to 999999, then from one again', () => {
    const kept = memory('{"version":1,"receipt":9998,"trace":999998,"sequence":0,"batch":1,"records":[]}');
    const ledger = new Ledger(kept);
    expect([ledger.nextTrace(), ledger.nextTrace()]).toEqual(['999999', '000001']);
    const numbers = [ledger.enter(draft()), ledger.enter(draft())].map((record) => record.receiptNumber);
    expect(numbers).toEqual(['9999', '0001']);
  });

  it('keeps what a terminal charged that was exchanged, and the new one tells nothing of it', () => {
    const kept = memory();
    const ledger = new Ledger(kept);
    ledger.exchange();
    ledger.enter(draft({ amountMinor: 700 }));
    ledger.exchange();
    ledger.enter(draft({ amountMinor: 900 }));
    ledger.exchange();
    expect([ledger.entries(), ledger.lastStored(), ledger.exchanges]).toEqual([[], undefined, 3]);
    expect(new Ledger(kept).earlier()).toMatchObject([
      { exchanges: 2, entries: [{ amountMinor: 900, receiptNumber: '0001' }] },
      { exchanges: 1, entries: [{ amountMinor: 700 }] },
      { exchanges: 0, entries: [] },
    ]);
    for (let index = 0; index < 9; index++) {
      ledger.enter(draft());
      ledger.exchange();
    }
    expect(ledger.earlier()).toHaveLength(5);
  });

  it('spends no receipt number on what it does not store', () => {
    const ledger = new Ledger(memory());
    ledger.enter(draft({ result: 'declined', stored: false, unsettled: false }));
    expect(ledger.lastStored()).toBeUndefined();
    expect(ledger.enter(draft()).receiptNumber).toBe('0001');
  });

  it.each([
    ['reverse', { result: 'approved', reversed: true }, true],
    ['decline', { result: 'declined', reversed: false }, false],
    ['keep', { result: 'approved', reversed: false }, true],
  ] as const)('settles what nobody acknowledged: %s', (how, entry, remembered) => {
    const ledger = new Ledger(memory());
    ledger.enter(draft());
    expect(ledger.settleAll(how, false).length).toBe(1);
    expect(ledger.entries()).toMatchObject([entry]);
    expect(ledger.lastStored() !== undefined).toBe(remembered);
    expect(ledger.settleAll(how, false)).toEqual([]);
  });

  it('never lets a void and the sale that it undoes stand both, nor fall both', () => {
    const ledger = new Ledger(memory());
    const sale = ledger.enter(draft({ unsettled: false }));
    const undo = ledger.enter(draft({ kind: 'void', trace: '000002', undoes: sale }));
    expect(ledger.entries().map((entry) => entry.reversed)).toEqual([true, false]);
    ledger.settle(undo, 'reverse', false);
    expect(ledger.entries().map((entry) => entry.reversed)).toEqual([false, true]);
  });

  it('finds by receipt number in the open batch only', () => {
    const ledger = new Ledger(memory());
    ledger.enter(draft());
    expect(ledger.find('0001')?.amountMinor).toBe(1234);
    ledger.closeBatch();
    expect(ledger.find('0001')).toBeUndefined();
    expect(ledger.lastStored()?.receiptNumber).toBe('0001');
  });

  it.each([
    'not json',
    '{}',
    '{"version":2}',
    '{"version":1,"receipt":-1,"trace":0,"sequence":0,"batch":1,"records":[]}',
  ])('refuses a damaged memory in words: %s', (text) => {
    expect(() => new Ledger(memory(text))).toThrow(/memory is damaged/);
  });

  it('changes nothing when the memory cannot be written', () => {
    const kept = memory();
    const ledger = new Ledger(kept);
    kept.save = () => {
      throw new Error('disk full');
    };
    expect(() => ledger.enter(draft())).toThrow('disk full');
    expect(ledger.entries()).toEqual([]);
  });
});
