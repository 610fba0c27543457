import { describe, expect, it } from 'vitest';
import { amountCheck, approvedMinor, isPartial } from '../../../src/payment/attempt/amounts.ts';
import type { TransactionReport } from '../../../src/terminal/ports.ts';
import { anAttempt, aReport } from '../../support/attempts.ts';

/** What the terminal said of a sale of 12.34 EUR. */
function reportOf(changes: Partial<TransactionReport>): TransactionReport {
  const { amountMinor: _, currency: __, ...rest } = aReport();
  return { ...rest, ...changes };
}

describe('an approved amount beside the 12.34 EUR that were asked for', () => {
  it.each([
    ['equal', { amountMinor: 1234, currency: 'EUR' }, 'as_asked'],
    ['equal, without a currency', { amountMinor: 1234 }, 'as_asked'],
    ['one cent less', { amountMinor: 1233 }, 'less'],
    ['one cent more without a reason', { amountMinor: 1235 }, 'more'],
    ['more by the tip', { amountMinor: 1334, tipMinor: 100 }, 'as_asked'],
    ['more by the surcharge', { amountMinor: 1284, surchargeMinor: 50 }, 'as_asked'],
    ['more by the cashback', { amountMinor: 6234, cashbackMinor: 5000 }, 'as_asked'],
    [
      'more by tip, surcharge and cashback',
      { amountMinor: 1244, tipMinor: 5, surchargeMinor: 3, cashbackMinor: 2 },
      'as_asked',
    ],
    ['more than the tip explains', { amountMinor: 1335, tipMinor: 100 }, 'more'],
    ['as asked, though a tip was added', { amountMinor: 1234, tipMinor: 100 }, 'less'],
    ['missing', {}, 'unconfirmed'],
    ['in another currency', { amountMinor: 1234, currency: 'CHF' }, 'other_currency'],
    ['missing, in another currency', { currency: 'CHF' }, 'other_currency'],
  ] as const)('%s is %s', (...[, changes, expected]) => {
    expect(amountCheck(anAttempt(), reportOf(changes))).toBe(expected);
  });
});

describe('the amount that was charged', () => {
  it('is the one that the terminal told, else the one that was asked for', () => {
    expect(approvedMinor(anAttempt({ report: aReport({ amountMinor: 1000 }) }))).toBe(1000);
    expect(approvedMinor(anAttempt({ report: reportOf({}) }))).toBe(1234);
    expect(approvedMinor(anAttempt())).toBe(1234);
  });
});

describe('a partial approval', () => {
  const less = aReport({ amountMinor: 1000 });
  it.each([
    ['a sale that succeeded with less', anAttempt({ state: { name: 'succeeded' }, report: less }), true],
    ['a sale that succeeded as asked', anAttempt({ state: { name: 'succeeded' }, report: aReport() }), false],
    ['a sale of which nothing was told', anAttempt({ state: { name: 'succeeded' } }), false],
    ['a sale that was declined', anAttempt({ state: { name: 'declined' }, report: less }), false],
    [
      'a refund of less than was asked for',
      anAttempt({ type: 'refund', state: { name: 'succeeded' }, report: less }),
      false,
    ],
  ])('%s: %s', (_title, attempt, expected) => {
    expect(isPartial(attempt)).toBe(expected);
  });
});
