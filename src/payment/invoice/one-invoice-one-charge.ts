import { AppError } from '../../base/errors.ts';
import { type Currency, formatMoney, isCurrency, type Money } from '../../base/money.ts';
import type { Bill } from './bill.ts';

/** The requested sale of an invoice. */
export interface InvoiceSale {
  readonly invoiceId: string;
  readonly amount: Money;
  /** A person has seen what was paid here and asks for a second payment. */
  readonly isPassed: boolean;
  /** The newest sale of the invoice that stands here. */
  readonly paidHere: string | null;
}

/**
 * One invoice, one charge: refuses an invoice that is void, a draft, being paid or paid, here or elsewhere, in another currency, and an amount
 * above what is due.
 * @throws INVOICE_ALREADY_VOIDED, INVOICE_NOT_FINALIZED, CURRENCY_NOT_ACCEPTED, PAYMENT_ALREADY_OPEN, INVOICE_ALREADY_PAID,
 * AMOUNT_EXCEEDS_DUE
 */
export function guardInvoice(sale: InvoiceSale, bill: Bill): void {
  const { invoiceId, amount } = sale;
  const { status, elsewhere, currency } = bill;
  if (status === 'void') throw refused('INVOICE_ALREADY_VOIDED', VOIDED, { invoice_id: invoiceId });
  if (status === 'draft') throw refused('INVOICE_NOT_FINALIZED', DRAFT, { invoice_id: invoiceId });
  if (currency !== null && currency !== amount.currency) throw inCurrency(currency);
  if (elsewhere.open !== null)
    throw refused('PAYMENT_ALREADY_OPEN', OPEN_ELSEWHERE, {
      invoice_id: invoiceId,
      service_payment_id: elsewhere.open,
      what_to_do: 'wait for this payment, or cancel it at the service',
    });
  if (sale.isPassed) return;
  const left = bill.leftMinor;
  const isPaidUnknown = left === null && elsewhere.paidBy !== null && elsewhere.paidMinor > 0;
  if (status === 'paid' || (left !== null && left <= 0) || isPaidUnknown) throw paid(sale, bill);
  if (left !== null && amount.minor > left) throw tooMuch(amount, left);
}

/**
 * What is due of an invoice, for a sale that names no amount. Nothing left is zero: the guard says why.
 * @param currency what the caller named; null: nothing
 * @throws INVOICE_UNKNOWN, AMOUNT_DUE_UNKNOWN, FIELD_MISSING
 */
export function dueOf(bill: Bill | null, currency: Currency | null): Money {
  if (bill?.status === 'missing') throw unknownInvoice();
  if (!bill || bill.leftMinor === null) throw new AppError('AMOUNT_DUE_UNKNOWN', DUE_UNKNOWN);
  const known = currency ?? bill.currency;
  if (known === null || !isCurrency(known))
    throw new AppError('FIELD_MISSING', CURRENCY_UNKNOWN, { context: { param: 'currency' } });
  return { minor: Math.max(0, bill.leftMinor), currency: known };
}

/** The refusal of an invoice that the service does not have. */
export function unknownInvoice(): AppError {
  return new AppError('INVOICE_UNKNOWN', UNKNOWN, { context: { param: 'invoice_id' } });
}

const UNKNOWN =
  'The billing service has no invoice of this id. Nothing was charged. Look for the invoice again; without one, leave invoice_id out.';
const DUE_UNKNOWN =
  'What is due on this invoice is not known here: it is not mirrored, and the billing service did not say. Nothing was charged. Send amount_minor and currency.';
const CURRENCY_UNKNOWN = "The invoice's currency is not known here. Nothing was charged. Send currency.";
const VOIDED =
  'This invoice was voided. Nothing was charged. Do not take money for it: ask the office for a new invoice.';
const DRAFT =
  'This invoice is a draft. Nothing was charged. Finalize it at the billing service, then take the payment.';
const OPEN_ELSEWHERE =
  'This invoice is being paid at another till right now. Nothing was charged here. Wait for that payment, then look at the invoice again.';
const PAID =
  'This invoice is paid. Nothing was charged now. Do not charge it again: look at the payment that paid it.';

/** A person who has seen a payment that was made here may override it with `after`. */
function paid({ invoiceId, paidHere }: InvoiceSale, { elsewhere }: Bill): AppError {
  return refused('INVOICE_ALREADY_PAID', PAID, {
    invoice_id: invoiceId,
    amount_due_minor: 0,
    ...(paidHere === null ? {} : { payment_id: paidHere }),
    ...(elsewhere.paidBy === null ? {} : { service_payment_id: elsewhere.paidBy }),
    what_to_do: 'look at the payment that paid it',
  });
}

function inCurrency(currency: string): AppError {
  const words = `This invoice is in ${currency}. Nothing was charged. Take the payment in ${currency}, at a terminal that accepts it.`;
  return new AppError('CURRENCY_NOT_ACCEPTED', words, { context: { details: { currency } } });
}

function tooMuch(amount: Money, left: number): AppError {
  const due = formatMoney({ ...amount, minor: left });
  const words = `Only ${due} of this invoice is due. Nothing was charged. Take ${due} or less.`;
  return new AppError('AMOUNT_EXCEEDS_DUE', words, {
    context: { param: 'amount_minor', details: { amount_due_minor: left } },
  });
}

function refused(code: string, message: string, details: Readonly<Record<string, unknown>>): AppError {
  return new AppError(code, message, { context: { details } });
}
