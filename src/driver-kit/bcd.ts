import { invariant } from '../base/invariant.ts';
import { toHex } from './hex.ts';

/**
 * Packs a number right-justified, two digits a byte: `bcdOf(1234, 6)` is `00 00 00 00 12 34`.
 * @throws INVARIANT_BROKEN when it is negative, no safe integer, or has more than `2 * length` digits.
 */
export function bcdOf(value: number, length: number): Uint8Array {
  invariant(Number.isSafeInteger(value) && value >= 0, 'only a whole number can be packed as BCD', { value });
  return bcdOfDigits(String(value), length);
}

/**
 * Packs decimal digits right-justified.
 * @throws INVARIANT_BROKEN when there are others than digits, or more than `2 * length`.
 */
export function bcdOfDigits(digits: string, length: number): Uint8Array {
  invariant(/^\d+$/.test(digits) && digits.length <= length * 2, 'the digits do not fit', { length });
  const padded = digits.padStart(length * 2, '0');
  return Uint8Array.from({ length }, (_, index) =>
    Number.parseInt(padded.slice(index * 2, index * 2 + 2), 16),
  );
}

/** The number in packed BCD; `undefined` when a half byte is no digit or the number is no safe integer. */
export function numberOfBcd(bytes: Uint8Array): number | undefined {
  const digits = toHex(bytes);
  if (!/^\d+$/.test(digits)) return undefined;
  const value = Number(digits);
  return Number.isSafeInteger(value) ? value : undefined;
}
