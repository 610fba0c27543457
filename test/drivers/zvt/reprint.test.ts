import { describe, expect, it } from 'vitest';
import type { MoneyCommand } from '../../../src/terminal/ports.ts';
import { openCounter, result, type Turn } from './scripted-terminal.ts';
import { sitting } from './sitting.ts';

const SALE: MoneyCommand = {
  kind: 'sale',
  attemptId: 'sale',
  ticket: 'A00001',
  amount: { minor: 1234, currency: 'EUR' },
};
const REPRINT = '0620050000000300';

async function reprinted(turns: readonly Turn[]) {
  const counter = await openCounter(turns);
  const { session, clock, signal, terminal } = counter;
  const copy = clock.runUntil(session.reprint?.(signal) ?? Promise.reject(new Error('it cannot')));
  return { counter: { terminal, clock }, copy };
}

describe('the repeated receipt', () => {
  it('comes out of a terminal that prints its receipts itself, and changes nothing', async () => {
    const table = await sitting({ device: { receipts: false } });
    await table.pay(SALE);
    const before = [await table.lastTransaction(), table.terminal.snapshot().ledger];
    expect(await table.reprint()).toEqual({ kind: 'printed' });
    expect(table.terminal.printed).toEqual([expect.stringMatching(/KOPIE[\s\S]*BETRAG +12.34/)]);
    expect([await table.lastTransaction(), table.terminal.snapshot().ledger]).toEqual(before);
  });

  it('comes to a till that prints, as text', async () => {
    const table = await sitting();
    await table.pay(SALE);
    expect(await table.reprint()).toEqual({
      kind: 'received',
      text: expect.stringMatching(/KOPIE[\s\S]*BETRAG +12.34/),
    });
    expect(table.terminal.printed).toEqual([]);
  });

  it('is not promised where the till builds its receipts', async () => {
    const table = await sitting({ device: { receipts: 'built' } });
    expect(table.session.capabilities.reprint).toBe(false);
  });

  it('is refused without paper and without a transaction, with the words of the terminal', async () => {
    const table = await sitting({ device: { receipts: false } });
    expect(await table.reprint()).toMatchObject({ kind: 'refused' });
    await table.pay(SALE);
    table.terminal.setPaper(false);
    expect(await table.reprint()).toMatchObject({
      kind: 'refused',
      message: expect.stringMatching(/printer|paper/i),
    });
    expect(table.terminal.printed).toEqual([]);
  });

  it('is refused where the terminal sends nothing to print', async () => {
    const { copy } = await reprinted([{ expect: REPRINT, send: ['800000', '060F00'] }, { expect: '800000' }]);
    expect(await copy).toMatchObject({ kind: 'refused' });
  });

  it('is asked for later while the terminal is busy', async () => {
    const { copy } = await reprinted([{ expect: REPRINT, send: ['849C00'] }]);
    await expect(copy).rejects.toMatchObject({ code: 'TERMINAL_BUSY' });
  });

  it('never acknowledges a result that comes in its place: it belongs to an older payment', async () => {
    const { counter, copy } = await reprinted([{ expect: REPRINT, send: ['800000', result('00')] }]);
    await expect(copy).rejects.toMatchObject({ code: 'TERMINAL_BUSY' });
    await counter.clock.settle();
    expect(counter.terminal.surprises).toEqual([]);
  });
});
