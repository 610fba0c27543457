import { describe, expect, it } from 'vitest';
import { TerminalPayment } from '../../../src/api/contract/terminal-payment.ts';
import { renderTerminalPayment } from '../../../src/api/render/terminal-payment.ts';
import { TruncatedCardNumber } from '../../../src/base/card-number.ts';
import type { Attempt } from '../../../src/payment/attempt.ts';
import type { AttemptState } from '../../../src/payment/machine.ts';
import { attemptOf, viewOf } from './memory-payments.ts';

const maskedPan = TruncatedCardNumber.of('541333******0001');
const REPORTED: Partial<Attempt> = {
  report: {
    verdict: 'approved',
    kind: 'sale',
    amountMinor: 1234,
    authCode: '123456',
    number: '17',
    entryMode: 'chip',
    ...(maskedPan ? { maskedPan } : {}),
  },
  receipts: { customer: 'APPROVED' },
};

const render = (state: AttemptState, change: Partial<Attempt> = {}) =>
  TerminalPayment.parse(renderTerminalPayment(viewOf({ ...attemptOf(), ...change, state })));

describe('a payment as staff and machines see it', () => {
  const cases: readonly (readonly [AttemptState, string, string, RegExp, RegExp])[] = [
    [{ name: 'requested' }, 'requested', 'unknown', /not been charged so far/, /Wait/],
    [{ name: 'dispatched' }, 'in_progress', 'unknown', /not known yet/, /do not start it again/],
    [
      { name: 'accepted', lastVerdict: null },
      'in_progress',
      'unknown',
      /not known yet/,
      /do not start it again/,
    ],
    [
      { name: 'cancelling', accepted: true, lastVerdict: null },
      'in_progress',
      'unknown',
      /not known yet/,
      /stop key/,
    ],
    [{ name: 'approved' }, 'in_progress', 'unknown', /not known yet/, /Wait/],
    [
      { name: 'in_doubt', hadApproval: true },
      'in_progress',
      'unknown',
      /not known yet.*approved, receipt 17/,
      /do not take this payment again/,
    ],
    [{ name: 'succeeded' }, 'succeeded', 'yes', /HAS paid 12\.34 EUR/, /Hand over the goods/],
    [{ name: 'declined' }, 'declined', 'no', /was not charged/, /another card/],
    [{ name: 'cancelled' }, 'cancelled', 'no', /was not charged/, /Start again/],
    [{ name: 'error' }, 'error', 'no', /was not charged/, /try again/],
  ];

  it.each(cases)('%o', (state, status, charged, saysCharged, saysNext) => {
    const payment = render(state, REPORTED);
    expect(payment).toMatchObject({ status, charged, in_doubt: state.name === 'in_doubt' });
    expect(payment.message).toMatch(saysCharged);
    expect(payment.message).toMatch(saysNext);
  });

  it.each(cases.filter(([, , charged]) => charged === 'unknown'))('%o shows no proof of payment', (state) => {
    const payment = render(state, REPORTED);
    expect(payment).toMatchObject({
      auth_code: null,
      approved_amount_minor: null,
      receipts: { customer: null, merchant: null },
    });
    expect(payment.message).not.toMatch(/HAS paid|Hand over/);
  });

  it('shows the proofs once it has succeeded', () => {
    expect(render({ name: 'succeeded' }, REPORTED)).toMatchObject({
      auth_code: '123456',
      approved_amount_minor: 1234,
      masked_pan: '541333******0001',
      entry_mode: 'chip',
      receipts: { customer: 'APPROVED' },
    });
  });

  it('says that a cancel came too late', () => {
    const { message } = render({ name: 'succeeded' }, { ...REPORTED, cancelRequestedAt: 1 });
    expect(message).toMatch(/^Cancel came too late\. The customer HAS paid.*refund/);
  });

  it('sends staff to the terminal when a person must decide', () => {
    expect(render({ name: 'in_doubt', hadApproval: false }, { needsPerson: true }).message).toMatch(
      /last receipt on the terminal/,
    );
  });

  it('speaks of money given back for refunds and voids', () => {
    expect(render({ name: 'succeeded' }, { type: 'refund' }).message).toMatch(/12\.34 EUR WAS given back/);
    expect(render({ name: 'declined' }, { type: 'void' }).message).toMatch(/No money was given back/);
  });

  it('gives the reason in words', () => {
    const payment = render(
      { name: 'declined' },
      { reason: { code: 'declined', message: 'Card is blocked' } },
    );
    expect(payment).toMatchObject({ error_code: 'declined', error_message: 'Card is blocked' });
    expect(payment.message).toContain('Card is blocked. Try another card');
  });
});
