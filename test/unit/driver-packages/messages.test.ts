import { describe, expect, it } from 'vitest';
import { FromChild } from '../../../src/driver-packages/messages.ts';
import { OutcomeShape, RESULTS } from '../../../src/driver-packages/terminal-values.ts';

const REPORT = { verdict: 'approved', kind: 'sale', amountMinor: 1234, currency: 'EUR' };
const APPROVED = { kind: 'approved', report: REPORT, receipts: {} };

/** A message as it comes over the channel. */
function parse(message: object | string) {
  const text = typeof message === 'string' ? message : JSON.stringify(message);
  return FromChild.safeParse(JSON.parse(text));
}

describe('what a driver package says', () => {
  it.each([
    ['a negative amount', { amountMinor: -1 }],
    ['half a minor unit', { amountMinor: 0.5 }],
    ['an amount beyond every till', { amountMinor: 1e15 }],
    ['an amount that no number holds', { amountMinor: 1e300 }],
    ['an amount as text', { amountMinor: '1234' }],
    ['an amount that is null', { amountMinor: null }],
    ['a tip below zero', { tipMinor: -1 }],
    ['a currency that there is not', { currency: 'XXL' }],
    ['a verdict of its own', { verdict: 'paid' }],
    ['a kind of its own', { kind: 'gift' }],
    ['a number that is too long', { number: '1'.repeat(65) }],
    ['a text that is too long', { text: 'x'.repeat(2001) }],
    ['a card number that is none', { maskedPan: 'x' }],
  ])('is refused with %s', (_what, changes) => {
    const report = { ...REPORT, ...changes };
    expect(parse({ type: 'beforeAcknowledge', call: 1, report }).success).toBe(false);
    expect(OutcomeShape.safeParse({ ...APPROVED, report }).success).toBe(false);
  });

  it('brings no prototype and no key that tilld does not know', () => {
    const polluted = JSON.stringify({ type: 'beforeAcknowledge', call: 1, report: REPORT }).replace(
      '"verdict"',
      '"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"toString":"x","verdict"',
    );
    const { data } = parse(polluted);
    expect(data).toEqual({ type: 'beforeAcknowledge', call: 1, report: REPORT });
    const report: object = data?.type === 'beforeAcknowledge' ? data.report : {};
    expect(Object.getPrototypeOf(report)).toBe(Object.prototype);
    expect(Object.keys(report).toSorted()).toEqual(Object.keys(REPORT).toSorted());
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });

  it('holds no full card number in any text', () => {
    const card = '4111 1111 1111 1111';
    const { data } = parse({ type: 'record', session: 1, direction: 'sent', summary: `card ${card}` });
    expect(JSON.stringify(data)).not.toContain(card);
    const outcome = OutcomeShape.parse({
      ...APPROVED,
      report: { ...REPORT, maskedPan: '4111111111111111', text: card },
      receipts: { merchant: card, customer: card },
    });
    expect(JSON.stringify(outcome)).not.toMatch(/1111.?1111.?1111/);
  });

  it('has no longer journal than a terminal', () => {
    const lines = Array.from({ length: 2001 }, () => REPORT);
    expect(RESULTS.journal.safeParse({ complete: true, lines, totals: null }).success).toBe(false);
  });
});
