import { encodeApdu } from './apdu.ts';
import { amount } from './commands.ts';

/**
 * Answers to a result (`04 0F`) of a till that hands out goods by itself. The driver sends none of them: what it answers is that
 * the result is on disk, and whether goods were handed out is not its business. See the README.
 * @see PA00P015 2.2.9
 */

/** "Not yet: ask again in two seconds." `84 9C 00` */
export const GOODS_NOT_YET = encodeApdu('849C');

/** "Not printed": the terminal takes an approval back. `84 CC 00` */
export const CANNOT_PRINT = encodeApdu('84CC');

/** "A part was handed out, charge this much." `84 9D 07 04 00 00 00 00 10 00` */
export function goodsInPart(amountMinor: number): Uint8Array {
  return encodeApdu('849D', amount(amountMinor));
}

/** "No goods": the terminal takes its approval back. `84 66 00` */
export function goodsNotIssued(code: string): Uint8Array {
  return encodeApdu(`84${code}`);
}
