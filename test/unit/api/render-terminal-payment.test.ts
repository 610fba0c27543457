import { describe, expect, it } from 'vitest';
import { TerminalPayment } from '../../../src/api/contract/terminal-payment.ts';
import { renderTerminalPayment } from '../../../src/api/render/terminal-payment.ts';
import { TruncatedCardNumber } from '../../../src/base/card-number.ts';
import type { Attempt } from '../../../src/payment/attempt/attempt.ts';
import type { AttemptState } from '../../../src/payment/attempt/state-machine.ts';
import type { AttemptView } from '../../../src/payment/payments.ts';
import { taskOf } from './memory-back-office.ts';
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

const render = (state: AttemptState, change: Partial<Attempt> = {}, beside: Partial<AttemptView> = {}) =>
  TerminalPayment.parse(renderTerminalPayment(viewOf({ ...attemptOf(), ...change, state }, beside)));

describe('a payment as staff and machines see it', () => {
  const cases: readonly (readonly [AttemptState, string, string, RegExp, RegExp])[] = [
    [{ name: 'requested' }, 'requested', 'unknown', /not been charged so far/, /Wait/],
    [{ name: 'dispatched' }, 'in_progress', 'unknown', /not known yet/, /Do not start it again/],
    [
      { name: 'accepted', lastVerdict: null },
      'in_progress',
      'unknown',
      /not known yet/,
      /Do not start it again/,
    ],
    [
      { name: 'cancelling', accepted: true, lastVerdict: null },
      'in_progress',
      'unknown',
      /not known yet/,
      /stop key/,
    ],
    [{ name: 'approved', cancelledBefore: false }, 'in_progress', 'unknown', /not known yet/, /Wait/],
    [
      { name: 'in_doubt', hadApproval: true },
      'in_progress',
      'unknown',
      /not known yet.*APPROVED.*receipt 17/,
      /do not take this payment again/,
    ],
    [{ name: 'succeeded' }, 'succeeded', 'yes', /HAS paid 12\.34 EUR/, /Hand over the goods/],
    [{ name: 'declined' }, 'declined', 'no', /was NOT charged/, /another card/],
    [{ name: 'cancelled' }, 'cancelled', 'no', /was NOT charged/, /Start again/],
    [{ name: 'error' }, 'error', 'no', /was NOT charged/, /try again/],
  ];

  it.each(cases)('%o', (state, status, charged, saysCharged, saysNext) => {
    const payment = render(state, { ...REPORTED, cancelRequestedAt: state.name === 'cancelling' ? 1 : null });
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

  it('keeps what was added at the terminal apart from what was asked for', () => {
    const report = {
      ...REPORTED.report,
      verdict: 'approved',
      kind: 'sale',
      amountMinor: 1434,
      tipMinor: 200,
    } as const;
    expect(render({ name: 'succeeded' }, { report })).toMatchObject({
      amount_minor: 1234,
      approved_amount_minor: 1434,
      tip_minor: 200,
      surcharge_minor: null,
      cashback_minor: null,
    });
  });

  it('follows the newest evidence with charged, and the end with status', () => {
    const correctedBy = '0198c5a0-0000-7000-8000-00000000000c';
    const refused = { ...REPORTED.report, verdict: 'refused', kind: 'sale' } as const;
    const payment = render({ name: 'declined' }, { report: refused }, { charged: 'yes', correctedBy });
    expect(payment).toMatchObject({ status: 'declined', charged: 'yes', corrected_by: correctedBy });
    expect(payment.approved_amount_minor).toBeNull();
  });

  it('says when the terminal approved without naming an amount', () => {
    const { amountMinor: _, ...rest } = { ...REPORTED.report };
    const report = { ...rest, verdict: 'approved', kind: 'sale' } as const;
    const payment = render({ name: 'succeeded' }, { report });
    expect([payment.approved_amount_minor, payment.amount_confirmed]).toEqual([null, false]);
    expect(render({ name: 'succeeded' }, REPORTED).amount_confirmed).toBe(true);
    expect(render({ name: 'approved', cancelledBefore: false }, REPORTED).amount_confirmed).toBeNull();
  });

  it('takes an approved amount back when the evidence says that it was not charged', () => {
    const payment = render({ name: 'succeeded' }, REPORTED, { charged: 'no' });
    expect(payment).toMatchObject({ status: 'succeeded', charged: 'no', approved_amount_minor: null });
  });

  it('names what a person is asked to do, and that a person is needed', () => {
    const task = taskOf({ kind: 'report_rejected', message: 'The service refused the report.' });
    expect(render({ name: 'succeeded' }, REPORTED).needs_person).toBe(false);
    expect(render({ name: 'succeeded' }, REPORTED, { tasks: [task] })).toMatchObject({
      needs_person: true,
      tasks: [
        {
          id: task.id,
          kind: 'report_rejected',
          message: expect.stringContaining('The customer HAS paid 12.34 EUR.'),
        },
      ],
    });
  });

  it('names parent, cause and what was given back', () => {
    const parentId = '0198c5a0-0000-7000-8000-00000000000a';
    const undone = { ...REPORTED, type: 'void', parentId, cause: 'late_approval' } as const;
    expect(render({ name: 'succeeded' }, undone)).toMatchObject({
      type: 'void',
      parent_id: parentId,
      cause: 'late_approval',
      corrects: null,
    });
    expect(render({ name: 'succeeded' }, REPORTED, { refundedMinor: 500 }).given_back_minor).toBe(500);
  });

  it('gives the reason in words', () => {
    const payment = render(
      { name: 'declined' },
      { reason: { code: 'declined', message: 'The terminal said: "Card is blocked".' } },
    );
    expect(payment).toMatchObject({
      error_code: 'declined',
      error_message: 'The terminal said: "Card is blocked".',
    });
    expect(payment.message).toContain('The terminal said: “Card is blocked”. Try another card');
  });
});
