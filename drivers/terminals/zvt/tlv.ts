import { type BerTlvNode, type BerTlvRules, readBerTlv } from '../../../src/driver-kit/terminal.ts';

export {
  berLength as tlvLength,
  encodeBerTlv as encodeTlv,
  findBerTlv as findTlv,
  readBerLength as readTlvLength,
} from '../../../src/driver-kit/terminal.ts';

/**
 * One element of the TLV container (bitmap 06).
 * @see PA00P015 9
 */
export type TlvNode = BerTlvNode;

/**
 * Real containers have two levels; a text block of the longest length with one element per printed row has about 7,000 elements.
 * The tags 1F80–1F83 are two bytes long although their second byte announces a third (PA00P015 9.4).
 */
const RULES: BerTlvRules = {
  maxDepth: 8,
  maxElements: 8192,
  endsTag: ([first, second = 0, ...more]) =>
    more.length === 0 && first === 0x1f && second >= 0x80 && second <= 0x83,
};

/**
 * Reads elements to the end of `bytes`.
 * @throws DECODE_MALFORMED with `context.offset` counted from `base`.
 */
export function parseTlv(bytes: Uint8Array, base = 0): readonly TlvNode[] {
  return readBerTlv(bytes, RULES, base);
}
