import { bcdOf, bcdOfDigits, concatBytes, fromHex, invariant } from '../../../src/driver-kit/terminal.ts';
import { encodeApdu } from './apdu.ts';
import { encodeBitmap, encodeTlv, encodeTlvBitmap } from './bitmaps.ts';

/** Six decimal digits that the terminal asks for. */
export type Password = string;

/** Commands of the terminal that we take; what is not listed should not be sent (TLV 26). */
const PERMITTED_COMMANDS = ['040F', '060F', '061E', '04FF', '06D1', '06D3'] as const;

/** The positive answer to everything. */
export const ACCEPTED = encodeApdu('8000');

/** The answer to a command that we do not know. */
export const UNKNOWN_COMMAND = encodeApdu('8483');

/** Registration. `06 00 06 12 34 56 BE 09 78`; `permitted` appends TLV 26 with the commands that we take. */
export function registration(
  password: Password,
  configByte: number,
  currencyCode: number,
  options: { readonly permitted?: boolean } = {},
): Uint8Array {
  const list = PERMITTED_COMMANDS.map((command) => encodeTlv('0A', bytesOf(command)));
  const container = options.permitted ? encodeTlvBitmap(encodeTlv('26', ...list)) : new Uint8Array();
  return encodeApdu('0600', pin(password), Uint8Array.of(configByte), bcdOf(currencyCode, 2), container);
}

/** Authorisation. `06 01 0A 04 00 00 00 00 12 34 49 09 78` */
export function sale(amountMinor: number, currencyCode: number): Uint8Array {
  return encodeApdu('0601', amount(amountMinor), currency(currencyCode));
}

/** Refund. `06 31 0D 12 34 56 04 00 00 00 00 12 34 49 09 78` */
export function refund(password: Password, amountMinor: number, currencyCode: number): Uint8Array {
  return encodeApdu('0631', pin(password), amount(amountMinor), currency(currencyCode));
}

/** Reversal of one receipt. `06 30 06 12 34 56 87 00 42`; with `amountMinor` it names the original twice. */
export function reversal(password: Password, receiptNumber: number, amountMinor?: number): Uint8Array {
  const receipt = encodeBitmap('87', bcdOf(receiptNumber, 2));
  const original = amountMinor === undefined ? new Uint8Array() : amount(amountMinor);
  return encodeApdu('0630', pin(password), receipt, original);
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
export function repeatReceipt(password: Password, serviceByte: number): Uint8Array {
  return encodeApdu('0620', pin(password), encodeBitmap('03', Uint8Array.of(serviceByte)));
}

/** Status-Enquiry. Service byte: bit 2 sends device data as TLV. `05 01 05 12 34 56 03 04` */
export function statusEnquiry(password: Password, serviceByte?: number): Uint8Array {
  const service =
    serviceByte === undefined ? new Uint8Array() : encodeBitmap('03', Uint8Array.of(serviceByte));
  return encodeApdu('0501', pin(password), service);
}

/** Initialisation. `06 93 03 12 34 56` */
export function initialisation(password: Password): Uint8Array {
  return encodeApdu('0693', pin(password));
}

/** Abort. `06 B0 00` */
export function abort(): Uint8Array {
  return encodeApdu('06B0');
}

function amount(minor: number): Uint8Array {
  invariant(minor > 0, 'an amount is more than nothing', { minor });
  return encodeBitmap('04', bcdOf(minor, 6));
}

function currency(code: number): Uint8Array {
  return encodeBitmap('49', bcdOf(code, 2));
}

function pin(password: Password): Uint8Array {
  invariant(/^\d{6}$/.test(password), 'the password has six digits');
  return bcdOfDigits(password, 3);
}

function bytesOf(hex: string): Uint8Array {
  const bytes = fromHex(hex);
  invariant(bytes, 'this is no hex', { hex });
  return concatBytes(bytes);
}
