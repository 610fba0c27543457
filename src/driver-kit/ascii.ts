import { invariant } from '../base/invariant.ts';

/**
 * Printable ASCII as bytes.
 * @throws INVARIANT_BROKEN for any other character: the fields of a message with fixed places must not shift.
 */
export function asciiBytes(text: string): Uint8Array {
  invariant(/^[\x20-\x7e]*$/.test(text), 'only printable ASCII can be sent', { length: text.length });
  return Uint8Array.from(text, (sign) => sign.charCodeAt(0));
}

/**
 * Digits right-justified and filled with zeros: `zeroFilled(1250, 8)` is `00001250`. Never cuts a number.
 * @throws INVARIANT_BROKEN when it is negative, no safe integer, or has more than `width` digits.
 */
export function zeroFilled(value: number, width: number): string {
  const digits = String(value);
  invariant(Number.isSafeInteger(value) && value >= 0 && digits.length <= width, 'the number does not fit', {
    width,
  });
  return digits.padStart(width, '0');
}

/**
 * Text filled with blanks to `width`, on its right or on its left. Never cuts a text.
 * @throws INVARIANT_BROKEN when it is longer.
 */
export function blankFilled(text: string, width: number, side: 'left' | 'right' = 'right'): string {
  invariant(text.length <= width, 'the text does not fit', { width });
  return side === 'right' ? text.padEnd(width) : text.padStart(width);
}
