import type { ConcertVirtualOptions } from './virtual-options.ts';
import type { Paid, RequestedPayment } from './virtual-payment.ts';

const KINDS: Readonly<Record<string, RequestedPayment['kind']>> = { '0': 'sale', '1': 'refund' };
/** A test card that no issuer has issued; a terminal that does not mask reports such a number. */
const WHOLE_CARD = '4111111111111111';
const REPORT_LENGTH = 55;

/** A till's request, read from 34 characters; undefined when it is something else. */
export function eplusRequest(
  text: string,
): { readonly request: RequestedPayment; readonly isFull: boolean } | undefined {
  const found = /^\d\d(\d{8})([01])[0-9A-Z]([012])(\d{3})(.{10})A01[01]B01[01]$/.exec(text);
  if (!found) return undefined;
  const [, amount, flag, type = '', currency, reference = ''] = found;
  const kind = KINDS[type];
  if (!kind) return undefined;
  return {
    request: { kind, amountMinor: Number(amount), currencyCode: Number(currency), reference },
    isFull: flag === '1',
  };
}

/** Its answer: 25 characters, or 80 with the report. */
export function eplusAnswer(
  request: string,
  paid: Paid,
  isFull: boolean,
  options: ConcertVirtualOptions,
): string {
  const report = isFull && options.answer === 'as_asked' ? reportOf(paid, options) : '';
  const amount = String(paid.amountMinor).padStart(8, '0');
  return `${request.slice(0, 2)}${digitOf(paid, options)}${amount}1${report}${request.slice(13, 16)}${privateOf(request, options)}`;
}

function digitOf({ result }: Paid, { tellsWhy }: ConcertVirtualOptions): string {
  if (result === 'approved') return '0';
  if (!tellsWhy) return '7';
  return result === 'stopped' || result === 'timeout' ? '5' : '3';
}

function reportOf({ card }: Paid, { report }: ConcertVirtualOptions): string {
  if (report === 'zeros') return '0'.repeat(REPORT_LENGTH);
  const number = report === 'whole_card' ? WHOLE_CARD : (card?.maskedPan.replaceAll('E', '*') ?? '');
  return number.padEnd(REPORT_LENGTH);
}

function privateOf(request: string, options: ConcertVirtualOptions): string {
  if (options.private === 'given_back') return request.slice(16, 26);
  return (options.private === 'zeros' ? '0' : ' ').repeat(10);
}
