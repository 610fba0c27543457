import { describe, expect, it } from 'vitest';
import {
  type Bill,
  billOf,
  type Elsewhere,
  elsewhereOf,
  type InvoiceCopy,
  type ListedPayment,
} from '../../../src/payment/invoice/bill.ts';
import { dueOf, guardInvoice } from '../../../src/payment/invoice/one-invoice-one-charge.ts';

const NOTHING = { sumMinor: 0, unseenMinor: 0 };
const NOBODY: Elsewhere = { paidMinor: 0, paidBy: null, isUnconfirmed: false, open: null };
const copy = (changes: Partial<InvoiceCopy> = {}): InvoiceCopy => ({
  status: 'open',
  dueMinor: 1000,
  totalMinor: 1000,
  currency: 'EUR',
  copied: null,
  ...changes,
});
const listed = (changes: Partial<ListedPayment> = {}): ListedPayment => ({
  id: 'p1',
  type: 'sale',
  status: 'succeeded',
  amountMinor: 1000,
  parentId: null,
  mayBeOurs: false,
  metadata: {},
  ...changes,
});

/** What the guard says of a sale of 10.00 EUR, or of another amount. */
function verdict(bill: Bill, minor = 1000, isPassed = false): { code: string; details?: unknown } {
  const sale = {
    invoiceId: 'i1',
    amount: { minor, currency: 'EUR' },
    isPassed,
    paidHere: null,
  } as const;
  try {
    guardInvoice(sale, bill);
    return { code: 'passes' };
  } catch (error) {
    return error instanceof Error && 'code' in error && 'context' in error
      ? { code: String(error.code), details: (error.context as { details: unknown }).details }
      : { code: String(error) };
  }
}
const code = (bill: Bill, minor = 1000) => verdict(bill, minor).code;

describe('what is left of an invoice', () => {
  it.each<[string, number | null, Partial<InvoiceCopy>, typeof NOTHING, Partial<Elsewhere>]>([
    ['all that is due', 1000, {}, NOTHING, {}],
    ['less what was paid here and the copy does not know', 600, {}, { sumMinor: 400, unseenMinor: 400 }, {}],
    ['no less for what the copy knows', 600, { dueMinor: 600 }, { sumMinor: 400, unseenMinor: 0 }, {}],
    [
      'never more than the total less what was paid here, whatever the copy says',
      600,
      {},
      { sumMinor: 400, unseenMinor: 0 },
      {},
    ],
    ['less what others paid', 300, {}, NOTHING, { paidMinor: 700 }],
    ['by what is due alone, where no total is told', 300, { totalMinor: null }, NOTHING, { paidMinor: 700 }],
    [
      'by the total alone, where nothing is said of what is due',
      300,
      { dueMinor: null },
      NOTHING,
      { paidMinor: 700 },
    ],
    ['unknown without either', null, { dueMinor: null, totalMinor: null }, NOTHING, { paidMinor: 700 }],
  ])('is %s', (_, left, changes, here, elsewhere) => {
    expect(billOf(copy(changes), here, { ...NOBODY, ...elsewhere }).leftMinor).toBe(left);
  });
});

describe('payments of an invoice that the service lists', () => {
  const nobodys = () => false;
  it('count net of their refunds and voids, without those that are ours', () => {
    const payments = [
      listed({ id: 'p2', amountMinor: 300 }),
      listed({ id: 'p1', amountMinor: 700 }),
      listed({ id: 'r1', type: 'refund', amountMinor: 200, parentId: 'p1' }),
      listed({ id: 'r2', type: 'refund', amountMinor: 100, parentId: 'p1', status: 'declined' }),
      listed({ id: 'x', status: 'declined' }),
      listed({ id: 'ours' }),
    ];
    const found = elsewhereOf(payments, ({ id }) => id === 'ours');
    expect(found).toEqual({ paidMinor: 800, paidBy: 'p2', isUnconfirmed: false, open: null });
  });

  it.each(['requested', 'in_progress'])('that are %s stand in the way', (status) => {
    expect(elsewhereOf([listed({ status })], nobodys)).toEqual({ ...NOBODY, open: 'p1' });
    expect(elsewhereOf([listed({ status })], () => true)).toEqual(NOBODY);
  });
});

describe('one invoice, one charge', () => {
  const bill = (changes: Partial<InvoiceCopy> = {}, elsewhere: Partial<Elsewhere> = {}) =>
    billOf(copy(changes), NOTHING, { ...NOBODY, ...elsewhere });

  it.each([
    ['passes', bill()],
    ['INVOICE_ALREADY_PAID', bill({ status: 'paid', dueMinor: null })],
    ['INVOICE_ALREADY_PAID', bill({ status: 'PAID' })],
    ['INVOICE_ALREADY_PAID', bill({ dueMinor: 0 })],
    ['INVOICE_ALREADY_PAID', bill({ dueMinor: -5 })],
    ['INVOICE_ALREADY_PAID', bill({}, { paidMinor: 1000, paidBy: 'p1' })],
    ['INVOICE_ALREADY_PAID', bill({ dueMinor: null, totalMinor: null }, { paidMinor: 1, paidBy: 'p1' })],
    ['INVOICE_ALREADY_VOIDED', bill({ status: 'void' })],
    ['INVOICE_ALREADY_VOIDED', bill({ status: 'voided' })],
    ['INVOICE_NOT_FINALIZED', bill({ status: 'draft' })],
    ['PAYMENT_ALREADY_OPEN', bill({}, { open: 'p1' })],
    ['passes', bill({ status: 'a word of tomorrow' })],
    ['passes', bill({ status: null, dueMinor: null, totalMinor: null })],
    ['CURRENCY_NOT_ACCEPTED', bill({ currency: 'USD' })],
    ['passes', bill({ currency: null })],
  ])('%s: %o', (expected, given) => {
    expect(code(given)).toBe(expected);
  });

  it('takes part payments up to the amount due, and says what is due where more is asked', () => {
    expect(code(bill({ dueMinor: 400 }), 400)).toBe('passes');
    expect(verdict(bill({ dueMinor: 400 }), 401)).toEqual({
      code: 'AMOUNT_EXCEEDS_DUE',
      details: { amount_due_minor: 400 },
    });
  });

  it('names what paid it', () => {
    expect(verdict(bill({}, { paidMinor: 1000, paidBy: 'p1' })).details).toMatchObject({
      service_payment_id: 'p1',
    });
  });

  it('lets a person pass what was paid here, and neither a void invoice nor a payment that runs', () => {
    expect(verdict(bill({ status: 'paid' }), 1000, true).code).toBe('passes');
    expect(verdict(bill({ status: 'void' }), 1000, true).code).toBe('INVOICE_ALREADY_VOIDED');
    expect(verdict(bill({}, { open: 'p1' }), 1000, true).code).toBe('PAYMENT_ALREADY_OPEN');
  });
});

describe('an invoice of which money was given back here', () => {
  const back = (minor: number) => ({ sumMinor: 1000 - minor, unseenMinor: -minor });
  const PAID = copy({ status: 'paid', dueMinor: 0 });

  it('has that much due again at once, although its copy says paid', () => {
    const bill = billOf(PAID, back(400), NOBODY);
    expect(bill).toMatchObject({ status: 'open', leftMinor: 400 });
    expect([code(bill, 400), code(bill, 401)]).toEqual(['passes', 'AMOUNT_EXCEEDS_DUE']);
  });

  it('has no more due than its copy says once that contains it, and than others left', () => {
    expect(code(billOf(PAID, { sumMinor: 600, unseenMinor: 0 }, NOBODY), 1)).toBe('INVOICE_ALREADY_PAID');
    const byOthers = billOf(PAID, back(400), { ...NOBODY, paidMinor: 300, paidBy: 'p1' });
    expect(byOthers.leftMinor).toBe(100);
  });

  it('counts as due nothing where a paid copy names no amounts but what went back', () => {
    const silent = copy({ status: 'paid', dueMinor: null, totalMinor: null });
    expect(billOf(silent, back(400), NOBODY).leftMinor).toBe(400);
  });
});

describe('what is taken for a sale without an amount', () => {
  const due = (bill: Bill | null, currency: 'EUR' | null = null) => {
    try {
      return dueOf(bill, currency);
    } catch (error) {
      return error instanceof Error && 'code' in error ? error.code : error;
    }
  };
  it.each([
    ['what is due', billOf(copy({ dueMinor: 700 }), NOTHING, NOBODY), { minor: 700, currency: 'EUR' }],
    [
      'nothing, where nothing is',
      billOf(copy({ dueMinor: -1 }), NOTHING, NOBODY),
      { minor: 0, currency: 'EUR' },
    ],
    [
      'not guessed',
      billOf(copy({ dueMinor: null, totalMinor: null }), NOTHING, NOBODY),
      'AMOUNT_DUE_UNKNOWN',
    ],
    ['not guessed without a copy', null, 'AMOUNT_DUE_UNKNOWN'],
    ['nothing of an invoice that does not exist', billOf('missing', NOTHING, NOBODY), 'INVOICE_UNKNOWN'],
    ['not without its currency', billOf(copy({ currency: null }), NOTHING, NOBODY), 'FIELD_MISSING'],
  ])('is %s', (_, bill, expected) => {
    expect(due(bill)).toEqual(expected);
  });
});
