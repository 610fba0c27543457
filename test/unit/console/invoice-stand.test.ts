import { describe, expect, it } from 'vitest';
import type { Invoice } from '../../../src/api/contract/invoice.ts';
import { chosenOf, misfitOf, standOf } from '../../../src/console/till/invoice-stand.js';

const OPEN: Invoice = {
  id: '0199c0de-0001-7000-8000-000000000001',
  number: 'INV-1',
  status: 'open',
  currency: 'EUR',
  total_minor: 1200,
  amount_due_minor: 1200,
  open_payment_id: null,
  paid_here_minor: 0,
};
const PAID: Invoice = { ...OPEN, status: 'paid', amount_due_minor: 0 };

describe('whether an invoice can be paid now', () => {
  it.each<[string, Partial<Invoice>, string, number | null]>([
    ['an open one', {}, 'due', 1200],
    ['a finalized one', { status: 'finalized' }, 'due', 1200],
    ['one of an unknown status', { status: 'overdue' }, 'due', 1200],
    ['one without a status', { status: undefined }, 'due', 1200],
    ['one that was paid in part elsewhere', { amount_due_minor: 700 }, 'due', 700],
    ['one that was paid in part here', { paid_here_minor: 500 }, 'due', 700],
    ['one that was paid here', { paid_here_minor: 1200 }, 'paid_here', 0],
    ['one that was paid twice here', { paid_here_minor: 2400 }, 'paid_here', 0],
    ['one with a payment that runs', { open_payment_id: 'p' }, 'running', 1200],
    ['an open one of which nothing is due', { amount_due_minor: 0 }, 'paid', 0],
    ['a void one', { status: 'void' }, 'void', 1200],
    ['a voided one', { status: 'Voided' }, 'void', 1200],
    ['a draft', { status: 'draft' }, 'draft', 1200],
    ['one in another currency', { currency: 'USD' }, 'currency', 1200],
    ['one of which nothing is known', { amount_due_minor: undefined, total_minor: undefined }, 'due', null],
  ])('%s', (_, change, kind, restMinor) => {
    const invoice = Object.fromEntries(
      Object.entries({ ...OPEN, ...change }).filter(([, value]) => value !== undefined),
    ) as Invoice;
    expect(standOf(invoice, 'EUR')).toEqual({ kind, restMinor });
  });

  it.each<[string, Partial<Invoice>, string, number]>([
    ['paid, with nothing done here', {}, 'paid', 0],
    ['paid here and elsewhere', { paid_here_minor: 1200 }, 'paid_here', 0],
    ['given back here as a whole', { paid_here_minor: -1200 }, 'due', 1200],
    ['given back here in part', { paid_here_minor: -300 }, 'due', 300],
    ['never due with more than it is of', { paid_here_minor: -2400 }, 'due', 1200],
    [
      'given back, and paid again right now',
      { paid_here_minor: -1200, open_payment_id: 'p' },
      'running',
      1200,
    ],
  ])('one that the mirror calls paid: %s', (_, change, kind, restMinor) => {
    expect(standOf({ ...PAID, ...change }, 'EUR')).toEqual({ kind, restMinor });
  });

  it('a part that was given back here is due besides what was due', () => {
    expect(standOf({ ...OPEN, amount_due_minor: 200, paid_here_minor: -300 }, 'EUR')).toEqual({
      kind: 'due',
      restMinor: 500,
    });
  });
});

describe('the amount beside a picked invoice', () => {
  const chosen = chosenOf({ ...OPEN, paid_here_minor: 200 }, 'EUR');

  it.each([
    [1, null],
    [1000, null],
    [1001, 'over'],
    [null, null],
  ] as const)('of %s minor units', (minor, misfit) => {
    expect(misfitOf(chosen, minor, 'EUR')).toBe(misfit);
  });

  it('does not fit a terminal of another currency', () => {
    expect(misfitOf(chosen, 1, 'CHF')).toBe('currency');
  });

  it('is any where what is due is not known', () => {
    expect(misfitOf({ ...chosen, dueMinor: null }, 99_999, 'EUR')).toBeNull();
  });
});
