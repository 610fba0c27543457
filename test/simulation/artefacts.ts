import { passesLuhn } from '../../src/base/card-number.ts';

/** Written as one run, or in the groups of a card: 4-4-4-4(-3), 4-6-5, 4-6-4. A dump of hex pairs is none of these. */
const CANDIDATE =
  /(?<![0-9A-Fa-f*-])(?:\d{13,19}|\d{4}([ -])\d{4}\1\d{4}\1\d{4}(?:\1\d{1,3})?|\d{4}([ -])\d{6}\2\d{4,5})(?![0-9A-Fa-f-])/g;
/** Leading digits of the schemes, with the lengths they have. */
const SCHEMES: readonly RegExp[] = [
  /^4(?:\d{12}|\d{15}|\d{18})$/,
  /^(?:5[1-5]|2[2-7])\d{14}$/,
  /^3[47]\d{13}$/,
  /^3[0689]\d{12}$/,
  /^35\d{14}$/,
  /^6\d{15}(?:\d{3})?$/,
  /^(?:50|5[6-8])\d{14,17}$/,
];

/**
 * What looks like a full card number in the raw bytes of a file or in a line: digits of a scheme's length and beginning that pass
 * Luhn. Ids, RRNs (12 digits), instants and hex dumps do not.
 */
export function cardNumbersIn(raw: Uint8Array | string): readonly string[] {
  const text = typeof raw === 'string' ? raw : Buffer.from(raw).toString('latin1');
  const found: string[] = [];
  for (const [run] of text.matchAll(CANDIDATE)) {
    const digits = run.replace(/\D/g, '');
    if (SCHEMES.some((scheme) => scheme.test(digits)) && passesLuhn(digits)) found.push(digits);
  }
  return found;
}
