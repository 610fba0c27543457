import { describe, expect, it } from 'vitest';
import {
  closeRequest,
  lastResultRequest,
  paymentRequest,
  printOnEcrRequest,
  reversalRequest,
  statusRequest,
  totalsRequest,
} from '../../../drivers/terminals/ecr17/requests.ts';

const ADDRESS = { terminalId: '12345678', cashRegisterId: '87654321' };
const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1');

/** Synthetic, written out from the published tables. */
describe('a request', () => {
  it.each([
    ['status', statusRequest(ADDRESS), '123456780s'],
    ['last result', lastResultRequest(ADDRESS), '123456780G876543210000'],
    ['totals', totalsRequest(ADDRESS), '123456780T8765432100000000'],
    ['close', closeRequest(ADDRESS), '123456780C8765432100000000'],
    ['receipts to the till', printOnEcrRequest(ADDRESS), '123456780E1'],
    ['reversal', reversalRequest(ADDRESS, '000123'), '123456780S8765432100012300'],
    [
      'payment of 6.50',
      paymentRequest('X', ADDRESS, 650),
      `123456780X876543210000000000650${' '.repeat(128)}00000000`,
    ],
    [
      'the largest payment by P',
      paymentRequest('P', ADDRESS, 99_999_999),
      `123456780P876543210000099999999${' '.repeat(128)}00000000`,
    ],
  ])('for %s has each field at its place', (_, bytes, expected) => {
    expect(text(bytes)).toBe(expected);
  });

  it.each(['000000', '', '12', '12345A'])('for a reversal names its payment: not "%s"', (stan) => {
    expect(() => reversalRequest(ADDRESS, stan)).toThrowError(/names its payment/);
  });

  it('for a payment of nine digits is never made', () => {
    expect(() => paymentRequest('X', ADDRESS, 100_000_000)).toThrowError(/does not fit/);
  });
});
