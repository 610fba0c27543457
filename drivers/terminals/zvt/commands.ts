import { bcdOf, bcdOfDigits, invariant } from '../../../src/driver-kit/terminal.ts';
import { encodeApdu } from './apdu.ts';
import { encodeBitmap } from './bitmaps.ts';

/** The terminal's password, six decimal digits. */
export type Password = string;

/** One encoded bitmap of a command; bitmaps are sent in the order of the arguments. */
export type Field = Uint8Array;

/** The positive answer to every command. */
export const ACCEPTED = encodeApdu('8000');

/** The answer to an unknown command. */
export const UNKNOWN_COMMAND = encodeApdu('8483');

/** Registration. `06 00 06 12 34 56 BE 09 78`; see `registration-tlv.ts` for what follows. */
export function registration(
  password: Password,
  configByte: number,
  currencyCode: number,
  ...more: readonly Field[]
): Uint8Array {
  return encodeApdu('0600', pin(password), Uint8Array.of(configByte), bcdOf(currencyCode, 2), ...more);
}

/** Authorisation of an amount. `06 01 0A 04 00 00 00 00 12 34 49 09 78` */
export function sale(amountMinor: number, currencyCode: number, ...more: readonly Field[]): Uint8Array {
  return authorisation(amount(amountMinor), currency(currencyCode), ...more);
}

/** Authorisation with any fields. `06 01 07 04 00 00 00 00 10 00` */
export function authorisation(...fields: readonly Field[]): Uint8Array {
  return encodeApdu('0601', ...fields);
}

/** Refund. `06 31 0D 12 34 56 04 00 00 00 00 12 34 49 09 78` */
export function refund(
  password: Password,
  amountMinor: number,
  currencyCode: number,
  ...more: readonly Field[]
): Uint8Array {
  return encodeApdu('0631', pin(password), amount(amountMinor), currency(currencyCode), ...more);
}

/** Reversal of one receipt. `06 30 06 12 34 56 87 00 42`; `amountMinor` names the original a second time. */
export function reversal(password: Password, receiptNumber: number, amountMinor?: number): Uint8Array {
  const original = amountMinor === undefined ? [] : [amount(amountMinor)];
  return encodeApdu('0630', pin(password), receipt(receiptNumber), ...original);
}

/** End-of-Day. `06 50 03 12 34 56` */
export function endOfDay(password: Password): Uint8Array {
  return encodeApdu('0650', pin(password));
}

/** Send turnover totals of the open batch. `06 10 03 12 34 56` */
export function turnoverTotals(password: Password): Uint8Array {
  return encodeApdu('0610', pin(password));
}

/** Repeat Receipt. Service byte: bit 0 sends the Status-Information, bit 1 does not print. `06 20 05 12 34 56 03 03` */
export function repeatReceipt(password: Password, service: number): Uint8Array {
  return encodeApdu('0620', pin(password), serviceByte(service));
}

/** Status-Enquiry. Service byte: bit 2 sends device data as TLV. `05 01 05 12 34 56 03 04` */
export function statusEnquiry(password: Password, service?: number): Uint8Array {
  return encodeApdu('0501', pin(password), ...(service === undefined ? [] : [serviceByte(service)]));
}

/** Initialisation. `06 93 03 12 34 56` */
export function initialisation(password: Password): Uint8Array {
  return encodeApdu('0693', pin(password));
}

/** Diagnosis. `06 70 00`; tag 1B selects another kind than the terminal's default. */
export function diagnosis(...fields: readonly Field[]): Uint8Array {
  return encodeApdu('0670', ...fields);
}

/**
 * Sets the terminal's clock: `date` YYMMDD, `time` HHMMSS, in the terminal's own time zone.
 * `06 91 0B 12 34 56 AA 26 11 22 0C 01 30 00`
 */
export function setClock(password: Password, date: string, time: string): Uint8Array {
  return encodeApdu('0691', pin(password), clock(date, time));
}

/** Abort. `06 B0 00` */
export function abort(...fields: readonly Field[]): Uint8Array {
  return encodeApdu('06B0', ...fields);
}

/** Bitmap 04, more than zero. */
export function amount(minor: number): Field {
  invariant(minor > 0, 'an amount is more than nothing', { minor });
  return encodeBitmap('04', bcdOf(minor, 6));
}

/** Bitmap 49, ISO 4217 numeric. */
export function currency(code: number): Field {
  return encodeBitmap('49', bcdOf(code, 2));
}

/** Bitmap 19 of a payment; upper half 4: the terminal decides how. */
export function paymentType(value: number): Field {
  return encodeBitmap('19', Uint8Array.of(value));
}

/** A password as the first field of a command. */
export function pin(password: Password): Uint8Array {
  invariant(/^\d{6}$/.test(password), 'the password has six digits');
  return bcdOfDigits(password, 3);
}

/** Bitmaps AA (YYMMDD) and 0C (HHMMSS). */
function clock(date: string, time: string): Field {
  invariant(/^\d{6}$/.test(date) && /^\d{6}$/.test(time), 'a date and a time have six digits each');
  return Uint8Array.from([
    ...encodeBitmap('AA', bcdOfDigits(date, 3)),
    ...encodeBitmap('0C', bcdOfDigits(time, 3)),
  ]);
}

function receipt(number: number): Field {
  return encodeBitmap('87', bcdOf(number, 2));
}

function serviceByte(value: number): Field {
  return encodeBitmap('03', Uint8Array.of(value));
}
