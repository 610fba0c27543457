import { asciiBytes } from '../../../src/driver-kit/terminal.ts';

/** `0100`: poll; tests that the terminal is in integrated mode. Answered with 06 only. */
export const POLL = asciiBytes('0100');
/** `0260|1|`: list all sales since the last end of day; no paper. With 0 the terminal prints them. */
export const LIST = asciiBytes('0260|1|');
/** `0500||`: end of day. */
export const CLOSE = asciiBytes('0500||');
/** `0800`: load keys from the host. */
export const LOAD_KEYS = asciiBytes('0800');

/**
 * `0200|13990|A1B2C3|||1|`: a sale of 13,990 pesos under our ticket. The two empty fields are unused and "send the voucher"; the last
 * one asks for 0900 frames on the way.
 */
export function sale(amountMinor: number, ticket: string): Uint8Array {
  return asciiBytes(`0200|${amountMinor}|${ticket}|||1|`);
}

/** `1200|000123|`: voids the sale with this operation number. */
export function voidOf(operation: string): Uint8Array {
  return asciiBytes(`1200|${operation}|`);
}
