import { describe, expect, it } from 'vitest';
import type { Attempt } from '../../../src/payment/attempt/attempt.ts';
import {
  DOUBLE_CLICK_MS,
  guardOneSaleOneCharge,
  type NewSale,
  REFERENCE_MS,
} from '../../../src/payment/guards/duplicate-sale.ts';
import { type Bill, billOf } from '../../../src/payment/invoice/bill.ts';
import { anAttempt, aReport, DEVICE_ID } from '../../support/attempts.ts';

const NOW = 100_000_000;
const INVOICE = '0199c0de-0000-7000-8000-0000000000f1';
const candidate: NewSale = {
  deviceId: DEVICE_ID,
  amount: { minor: 1234, currency: 'EUR' },
  invoiceId: null,
  reference: null,
  caller: 'socket',
  after: null,
};
const open = anAttempt({ state: { name: 'accepted', lastVerdict: null } });
const doubt = anAttempt({ state: { name: 'in_doubt', hadApproval: false } });
const paid = (agoMs: number, changes: Partial<Attempt> = {}) =>
  anAttempt({ state: { name: 'succeeded' }, completedAt: NOW - agoMs, report: aReport(), ...changes });

const nothing = () => 0;

function refusal(
  what: Partial<NewSale>,
  duplicate: Attempt,
  due: number | null = null,
  givenBack = 0,
): string {
  try {
    const sale = { ...candidate, ...what };
    const paid = duplicate.invoiceId === sale.invoiceId && duplicate.state.name === 'succeeded';
    const sumMinor = paid ? (duplicate.report?.amountMinor ?? 0) - givenBack : 0;
    guardOneSaleOneCharge(
      sale,
      [duplicate],
      NOW,
      due === null ? null : billOver(due, sumMinor),
      () => givenBack,
    );
    return 'passes';
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : 'threw';
  }
}

/** An invoice of this much, of which the service has taken nothing off yet. */
function billOver(due: number, sumMinor: number): Bill {
  const copy = { status: 'open', dueMinor: due, totalMinor: due, currency: 'EUR', copied: null };
  return billOf(
    copy,
    { sumMinor, unseenMinor: sumMinor },
    { paidMinor: 0, paidBy: null, isUnconfirmed: false, open: null },
  );
}

describe('one sale, one charge, net of what was given back', () => {
  it('lets a sale pass whose possible duplicate was given back as a whole, and no other', () => {
    const duplicate = paid(1000, { reference: 'B-1' });
    expect(refusal({ reference: 'B-1' }, duplicate, null, 1234)).toBe('passes');
    expect(refusal({ reference: 'B-1' }, duplicate, null, 1233)).toBe('PAYMENT_ALREADY_PAID');
    expect(refusal({}, paid(1000), null, 1234)).toBe('passes');
    expect(refusal({}, { ...open, reference: null }, null, 1234)).toBe('PAYMENT_ALREADY_OPEN');
  });

  it('counts what stands of an invoice net: 10.00 due, 12.34 paid, 5.00 of it given back', () => {
    const duplicate = paid(1000, { invoiceId: INVOICE });
    const rest = { invoiceId: INVOICE, amount: { minor: 266, currency: 'EUR' } as const };
    expect(refusal(rest, duplicate, 1000, 500)).toBe('passes');
    expect(refusal(rest, duplicate, 1000, 499)).toBe('AMOUNT_EXCEEDS_DUE');
  });

  it('refuses an invoice that the service does not have, unless the service asks for it', () => {
    const missing = billOf(
      'missing',
      { sumMinor: 0, unseenMinor: 0 },
      { paidMinor: 0, paidBy: null, isUnconfirmed: false, open: null },
    );
    const guard = (caller: string, duplicates: readonly Attempt[] = []) =>
      guardOneSaleOneCharge({ ...candidate, invoiceId: INVOICE, caller }, duplicates, NOW, missing, nothing);
    expect(() => guard('socket')).toThrow(expect.objectContaining({ code: 'INVOICE_UNKNOWN' }));
    expect(() => guard('service')).not.toThrow();
    const before = [paid(REFERENCE_MS, { invoiceId: INVOICE })];
    expect(() => guard('socket', before)).toThrow(expect.objectContaining({ code: 'PAYMENT_ALREADY_PAID' }));
  });

  it('takes a correction for the sale of everybody: nobody charges it once more by a double click', () => {
    const correction = paid(1000, { corrects: 'x', origin: { kind: 'local', caller: 'tilld' } });
    expect(refusal({}, correction)).toBe('PAYMENT_ALREADY_PAID');
  });
});

describe('one sale, one charge', () => {
  const other = { reference: 'B-1', invoiceId: null };
  it.each<[string, Partial<NewSale>, Attempt, number | null, string]>([
    ['a double click while the first is open', {}, open, null, 'PAYMENT_ALREADY_OPEN'],
    ['a double click while the first is in doubt', {}, doubt, null, 'PAYMENT_ALREADY_OPEN'],
    ['the same amount again within 30 s', {}, paid(DOUBLE_CLICK_MS - 1), null, 'PAYMENT_ALREADY_PAID'],
    ['the same amount again after 30 s', {}, paid(DOUBLE_CLICK_MS), null, 'passes'],
    ['the same amount again within 30 s, seen by a person', { after: open.id }, paid(1), null, 'passes'],
    ['an open one, seen by a person', { after: open.id }, open, null, 'PAYMENT_ALREADY_OPEN'],
    ['one in doubt, seen by a person', { after: doubt.id }, doubt, null, 'PAYMENT_ALREADY_OPEN'],
    ['another caller', { caller: 'key-2' }, open, null, 'passes'],
    ['another amount', { amount: { minor: 1235, currency: 'EUR' } }, open, null, 'passes'],
    [
      'a retry after a decline',
      {},
      anAttempt({ state: { name: 'declined' }, completedAt: NOW }),
      null,
      'passes',
    ],
    [
      'a retry after a cancel',
      {},
      anAttempt({ state: { name: 'cancelled' }, completedAt: NOW }),
      null,
      'passes',
    ],
    ['a retry after an error', {}, anAttempt({ state: { name: 'error' }, completedAt: NOW }), null, 'passes'],
    [
      'the same reference while open, another amount',
      { reference: 'A-1', amount: { minor: 1, currency: 'EUR' } },
      { ...open, reference: 'A-1' },
      null,
      'PAYMENT_ALREADY_OPEN',
    ],
    [
      'the same reference and amount within 12 h',
      { reference: 'A-1' },
      paid(REFERENCE_MS - 1, { reference: 'A-1' }),
      null,
      'PAYMENT_ALREADY_PAID',
    ],
    [
      'the same reference and amount after 12 h',
      { reference: 'A-1' },
      paid(REFERENCE_MS, { reference: 'A-1' }),
      null,
      'passes',
    ],
    [
      'the same reference, another amount, paid',
      { reference: 'A-1', amount: { minor: 1, currency: 'EUR' } },
      paid(1, { reference: 'A-1' }),
      null,
      'passes',
    ],
    [
      'the same reference, with an invoice this time',
      { reference: 'A-1', invoiceId: INVOICE },
      paid(1, { reference: 'A-1' }),
      99_999,
      'PAYMENT_ALREADY_PAID',
    ],
    ['another reference', other, { ...open, reference: 'A-1' }, null, 'passes'],
    [
      'the same invoice while open',
      { invoiceId: INVOICE },
      { ...open, invoiceId: INVOICE },
      99_999,
      'PAYMENT_ALREADY_OPEN',
    ],
    [
      'the same invoice, paid, amount due unknown',
      { invoiceId: INVOICE },
      paid(REFERENCE_MS * 9, { invoiceId: INVOICE }),
      null,
      'PAYMENT_ALREADY_PAID',
    ],
    [
      'the second part of an invoice',
      { invoiceId: INVOICE },
      paid(1, { invoiceId: INVOICE }),
      2468,
      'passes',
    ],
    [
      'one cent more than the invoice',
      { invoiceId: INVOICE },
      paid(1, { invoiceId: INVOICE }),
      2467,
      'AMOUNT_EXCEEDS_DUE',
    ],
    [
      'a paid invoice, seen by a person',
      { invoiceId: INVOICE, after: open.id },
      paid(1, { invoiceId: INVOICE }),
      null,
      'passes',
    ],
  ])('%s', (_title, what, duplicate, due, expected) => {
    expect(refusal(what, duplicate, due)).toBe(expected);
  });

  it('lets a person pass by the newest of several payments, not by an older one', () => {
    const first = paid(2, { id: 'first', invoiceId: INVOICE });
    const second = paid(1, { id: 'second', invoiceId: INVOICE });
    const third = (after: string) =>
      guardOneSaleOneCharge({ ...candidate, invoiceId: INVOICE, after }, [first, second], NOW, null, nothing);
    expect(() => third('second')).not.toThrow();
    expect(() => third('first')).toThrow(expect.objectContaining({ code: 'PAYMENT_ALREADY_PAID' }));
  });

  it('names the payment that stands in the way and what to do', () => {
    expect(() => guardOneSaleOneCharge(candidate, [doubt], NOW, null, nothing)).toThrow(
      expect.objectContaining({
        context: {
          details: {
            payment_id: doubt.id,
            status: 'in_progress',
            in_doubt: true,
            what_to_do: 'wait for the end of this payment',
          },
        },
      }),
    );
  });
});
