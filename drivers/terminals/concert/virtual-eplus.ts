import type { ConcertVirtualOptions } from './virtual-options.ts';
import { CHEQUE_LINE, type Paid, type RequestedPayment } from './virtual-payment.ts';

const KINDS: Readonly<Record<string, RequestedPayment['kind']>> = { '0': 'sale', '1': 'refund' };
/** A test card that no issuer has issued; a terminal that does not mask reports such a number. */
const WHOLE_CARD = '4111111111111111';
const REPORT_LENGTH = 55;

interface EplusRequest {
  /** Undefined for a type that this terminal does not have: it answers that it is not done. */
  readonly request: RequestedPayment | undefined;
  readonly isFull: boolean;
  /** A011: the answer comes before the payment. */
  readonly isImmediate: boolean;
}

/** A till's request, read from 34 characters; undefined when it is something else. */
export function eplusRequest(text: string): EplusRequest | undefined {
  const found = /^\d\d(\d{8})([01])([0-9A-Z])(\d)(\d{3})(.{10})A01([01])B01[01]$/.exec(text);
  if (!found) return undefined;
  const [, amount, flag, mode, type = '', currency, reference = '', delay] = found;
  const kind = KINDS[type];
  const by = mode === 'C' ? 'cheque' : 'card';
  const asked = { by, amountMinor: Number(amount), currencyCode: Number(currency), reference } as const;
  return { request: kind && { kind, ...asked }, isFull: flag === '1', isImmediate: delay === '1' };
}

/** The result of a payment: 25 characters, or 80 with the report. */
export function eplusAnswer(
  request: string,
  paid: Paid,
  isFull: boolean,
  options: ConcertVirtualOptions,
): string {
  const report = isFull && options.answer === 'as_asked' ? reportOf(paid, options) : '';
  return answerTo(request, digitOf(paid, options), paid.amountMinor, report, options);
}

/** The answer before a payment (A011): accepted, without a report. */
export function eplusAccepted(request: string, options: ConcertVirtualOptions): string {
  return answerTo(request, '0', Number(request.slice(2, 10)), '', options);
}

export function eplusNotDone(request: string, options: ConcertVirtualOptions): string {
  return answerTo(request, '7', Number(request.slice(2, 10)), '', options);
}

/** The payment mode of the answer is that of the request. */
function answerTo(
  request: string,
  digit: string,
  amountMinor: number,
  report: string,
  options: ConcertVirtualOptions,
): string {
  const amount = String(amountMinor).padStart(8, '0');
  return `${request.slice(0, 2)}${digit}${amount}${request[11]}${report}${request.slice(13, 16)}${privateOf(request, options)}`;
}

function digitOf({ result }: Paid, { tellsWhy }: ConcertVirtualOptions): string {
  if (result === 'approved') return '0';
  if (!tellsWhy) return '7';
  return result === 'stopped' || result === 'timeout' ? '5' : '3';
}

function reportOf({ request, card }: Paid, { report }: ConcertVirtualOptions): string {
  if (report === 'zeros') return '0'.repeat(REPORT_LENGTH);
  if (request.by === 'cheque') return CHEQUE_LINE.padEnd(REPORT_LENGTH);
  const number = report === 'whole_card' ? WHOLE_CARD : (card?.maskedPan.replaceAll('E', '*') ?? '');
  return number.padEnd(REPORT_LENGTH);
}

function privateOf(request: string, options: ConcertVirtualOptions): string {
  if (options.private === 'given_back') return request.slice(16, 26);
  return (options.private === 'zeros' ? '0' : ' ').repeat(10);
}
