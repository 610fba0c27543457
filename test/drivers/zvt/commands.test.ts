import { describe, expect, it } from 'vitest';
import * as commands from '../../../drivers/terminals/zvt/commands.ts';
import { toHex } from '../../../src/driver-kit/hex.ts';

const PASSWORD = '123456';
const EUR = 978;

/** The ready frames of the fact sheet. */
const READY: readonly (readonly [string, Uint8Array, string])[] = [
  ['registration', commands.registration(PASSWORD, 0xbe, EUR), '060006123456BE0978'],
  ['sale of 12.34', commands.sale(1234, EUR), '06010A04000000001234490978'],
  ['refund of 12.34', commands.refund(PASSWORD, 1234, EUR), '06310D12345604000000001234490978'],
  ['reversal of receipt 42', commands.reversal(PASSWORD, 42), '063006123456870042'],
  ['end-of-day', commands.endOfDay(PASSWORD), '065003123456'],
  ['turnover totals', commands.turnoverTotals(PASSWORD), '061003123456'],
  ['repeat receipt', commands.repeatReceipt(PASSWORD, 3), '0620051234560303'],
  ['abort', commands.abort(), '06B000'],
  ['status enquiry', commands.statusEnquiry(PASSWORD), '050103123456'],
  ['status enquiry for the serial number', commands.statusEnquiry(PASSWORD, 4), '0501051234560304'],
  ['diagnosis', commands.diagnosis(), '067000'],
  ['set clock', commands.setClock(PASSWORD, '261122', '013000'), '06910B123456AA2611220C013000'],
  ['initialisation', commands.initialisation(PASSWORD), '069303123456'],
  ['positive answer', commands.ACCEPTED, '800000'],
  ['unknown command', commands.UNKNOWN_COMMAND, '848300'],
];

describe('commands', () => {
  it.each(READY)('%s is the ready frame, byte for byte', (_name, bytes, hex) => {
    expect(toHex(bytes)).toBe(hex);
  });

  it('a reversal with an amount names its original twice', () => {
    expect(toHex(commands.reversal(PASSWORD, 42, 1234))).toBe('06300D12345687004204000000001234');
  });

  it.each([0, -1, 1.5, 1e12, Number.NaN])('no frame carries the amount %d', (amount) => {
    expect(() => commands.sale(amount, EUR)).toThrowError(
      expect.objectContaining({ code: 'INVARIANT_BROKEN' }),
    );
  });

  it('the largest amount fits', () => {
    expect(toHex(commands.sale(999_999_999_999, EUR))).toBe('06010A04999999999999490978');
  });

  it.each(['12345', '1234567', 'abcdef'])('refuses the password %s', (password) => {
    expect(() => commands.endOfDay(password)).toThrowError(/six digits/);
  });
});
