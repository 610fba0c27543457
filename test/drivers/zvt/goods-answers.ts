import { encodeApdu } from '../../../drivers/terminals/zvt/apdu.ts';
import { amount } from '../../../drivers/terminals/zvt/commands.ts';

/**
 * Answers to a result (`04 0F`) of a till that dispenses goods. The driver sends none of them: its answer means that
 * the result is on disk; it does not know whether goods were dispensed. See the README.
 * @see PA00P015 2.2.9
 */

/** "Not yet: repeat the result in two seconds." `84 9C 00` */
export const GOODS_NOT_YET = encodeApdu('849C');

/** "Not printed": the terminal reverses an approval. `84 CC 00` */
export const CANNOT_PRINT = encodeApdu('84CC');

/** "Part of the goods was dispensed, charge this amount." `84 9D 07 04 00 00 00 00 10 00` */
export function goodsInPart(amountMinor: number): Uint8Array {
  return encodeApdu('849D', amount(amountMinor));
}

/** "No goods": the terminal reverses its approval. `84 66 00` */
export function goodsNotIssued(code: string): Uint8Array {
  return encodeApdu(`84${code}`);
}
