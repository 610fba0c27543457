import { describe, expect, it } from 'vitest';
import { TruncatedCardNumber } from '../../../src/base/card-number.ts';
import type { MoneyCommand, OriginalTransaction } from '../../../src/terminal/ports.ts';
import { atTheTable, END, listed, signal } from './scripted-terminal.ts';

const ORIGINAL: OriginalTransaction = {
  number: '000123',
  trace: '000123',
  reference: 'A1B2C3',
  amountMinor: 13_990,
  terminalClock: '0726113748',
  ...withCard('************0461'),
};
function withCard(digits: string): Partial<OriginalTransaction> {
  const maskedPan = TruncatedCardNumber.of(digits);
  return maskedPan ? { maskedPan } : {};
}

const VOIDED = '1210|00|597029414300|75001637|794981|123';

function voidOf(original: Partial<OriginalTransaction> = {}, minor = 13_990): MoneyCommand {
  return {
    kind: 'void',
    attemptId: '0198c5a0-0000-7000-8000-000000000002',
    ticket: 'A1B2C4',
    amount: { minor, currency: 'CLP' },
    original: { ...ORIGINAL, ...original },
  };
}

/** Orders the void; the terminal sends these lines and takes the poll behind them. */
async function undoing(lines: readonly string[], command = voidOf(), options = {}) {
  const table = atTheTable(options);
  const session = await table.opened();
  const outcome = session.execute(command, table.observer, signal);
  await table.lists(...lines, END);
  await table.gap();
  return { ...table, outcome };
}

const money = (written: readonly string[]) => written.filter((word) => word.startsWith('1200'));

describe('a void', () => {
  it('names the operation number that the list has under our ticket', async () => {
    const { outcome, ack, says, written, observer } = await undoing([listed()]);
    await ack();
    await says(VOIDED);
    expect(await outcome).toMatchObject({
      kind: 'approved',
      report: {
        verdict: 'approved',
        kind: 'void',
        number: '000123',
        originalTrace: '000123',
        authCode: '794981',
      },
    });
    expect(money(written())).toEqual(['1200|000123|']);
    expect(observer.reports).toHaveLength(1);
  });

  it.each([
    ['paid by debit card', [listed({ 9: 'DB' })], 'debit card'],
    ['voided already', [listed(), listed({ 5: '794981', 6: '-13990' })], 'voided this sale already'],
    ['no longer in the list', [], 'no longer holds this sale'],
    ['under another ticket', [listed({ 4: 'A00001' })], 'no longer holds this sale'],
    ['of another amount', [listed({ 6: '13991' })], 'no longer holds this sale'],
    ['with another card', [listed({ 7: '9999' })], 'no longer holds this sale'],
    ['of another time', [listed({ 14: '113749' })], 'no longer holds this sale'],
    ['under another number', [listed({ 8: '000124' })], 'no longer holds this sale'],
  ])('of a sale %s is refused in words before anything is sent', async (_, lines, words) => {
    const { outcome, written } = await undoing(lines);
    expect(await outcome).toMatchObject({
      kind: 'not_started',
      code: 'VOID_NOT_POSSIBLE',
      message: expect.stringContaining(words),
    });
    expect(await outcome).toMatchObject({ message: expect.stringContaining('the customer HAS paid') });
    expect(money(written())).toEqual([]);
  });

  it.each([
    ['a part of the sale', voidOf({}, 1), {}],
    ['a terminal where voids are switched off', voidOf(), { void: 'none' }],
  ])('of %s is not started, and not even the list is asked for', async (_, command, options) => {
    const table = atTheTable(options);
    const session = await table.opened();
    const outcome = await session.execute(command, table.observer, signal);
    expect(outcome).toMatchObject({ kind: 'not_started', code: 'VOID_NOT_POSSIBLE' });
    expect(table.written()).toEqual([]);
  });

  it('is not started when the list cannot be read', async () => {
    const table = atTheTable();
    const session = await table.opened();
    const outcome = session.execute(voidOf(), table.observer, signal);
    await table.clock.advance(60_000);
    expect(await outcome).toMatchObject({ kind: 'not_started', code: 'TERMINAL_NOT_HEARD' });
    expect(money(table.written())).toEqual([]);
  });

  it.each(['04', '05', '08', '21'])('that the terminal refuses (%s) is declined', async (code) => {
    const { outcome, ack, says } = await undoing([listed()]);
    await ack();
    await says(`1210|${code}|597029414300|75001637||123||`);
    expect(await outcome).toMatchObject({ kind: 'declined', report: { kind: 'void', responseCode: code } });
  });

  it.each([
    ['without an authorisation', '1210|00|597029414300|75001637||123'],
    ['that does not say which', '1210|00|597029414300|75001637|794981|'],
    ['with code 94', '1210|94|597029414300|75001637||123'],
  ])('that is answered %s is unknown', async (_, text) => {
    const { outcome, ack, says } = await undoing([listed()]);
    await ack();
    await says(text);
    expect((await outcome).kind).toBe('unknown');
  });

  it('of another sale is not ours, and is not acknowledged', async () => {
    const { outcome, ack, says, written, clock } = await undoing([listed()]);
    await ack();
    const before = written().length;
    await says('1210|00|597029414300|75001637|794981|124');
    await clock.advance(200_000);
    expect(await outcome).toMatchObject({ kind: 'unknown', code: 'TERMINAL_CONTRADICTION' });
    expect(written().slice(before)).toEqual([]);
  });
});
