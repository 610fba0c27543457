import {
  concatBytes,
  encodeTextTlv,
  invariant,
  malformed,
  readTextTlv,
  type TextTlvElement,
  type TextTlvRules,
  zeroFilled,
} from '../../../src/driver-kit/terminal.ts';

/** A ticket (ZT) holds elements without further nesting; a message has some dozen tags. */
export const TLV_RULES: TextTlvRules = { maxDepth: 2, maxElements: 200 };
/** A message with every tag at its longest is shorter. */
export const LONGEST_MESSAGE = 16_384;
/** Characters of our reference in tag CF; terminals return the first 32. */
const REFERENCE_LENGTH = 32;
const LINE_END = Uint8Array.of(0x0d, 0x0a);

/** The common fields of a till's requests. */
export interface V3Till {
  readonly version: string;
  readonly identifier: string;
  readonly checkout: string;
}

/** `0` debit, `1` credit. */
export type MoneyAction = '0' | '1';

/**
 * A request for money: `CZ CJ CA CE BA 0 CD CB CF CK`. BA 0: the answer comes at the end; with BA 1 a result would never come. BF (partial
 * payment) is never sent: newer terminals refuse the whole message then.
 *
 * @throws INVARIANT_BROKEN for an amount over twelve digits
 */
export function v3Money(
  till: V3Till,
  action: MoneyAction,
  amountMinor: number,
  currencyCode: number,
  attemptId: string,
  receipt: '000' | '100',
): Uint8Array {
  return encodeTextTlv([
    ...common(till),
    ['CE', zeroFilled(currencyCode, 3)],
    ['BA', '0'],
    ['CD', action],
    ['CB', amountOf(amountMinor)],
    ['CF', v3Reference(attemptId)],
    ['CK', receipt],
  ]);
}

/** `CD I`: identification. No amount, no currency. */
export function v3Identification(till: V3Till): Uint8Array {
  return encodeTextTlv([...common(till), ['CD', 'I']]);
}

/** `CD T` or `CD 3`: the state of the payment with this reference. Its shape is not published (?). */
export function v3Status(till: V3Till, action: 'T' | '3', attemptId: string): Uint8Array {
  return encodeTextTlv([...common(till), ['CD', action], ['CF', v3Reference(attemptId)], ['CK', '000']]);
}

/** `CD B`: telecollection (batch close). */
export function v3Telecollection(till: V3Till): Uint8Array {
  return encodeTextTlv([...common(till), ['CD', 'B']]);
}

/** A request with CR LF, as some terminals require it. */
export function withLineEnd(request: Uint8Array): Uint8Array {
  return concatBytes(request, LINE_END);
}

/** Our reference for a payment in tag CF: the UUID without its hyphens, 32 characters. */
export function v3Reference(attemptId: string): string {
  return attemptId.replaceAll('-', '').slice(0, REFERENCE_LENGTH);
}

/** A message: its elements, and the value of each tag. */
export interface V3Message {
  readonly elements: readonly TextTlvElement[];
  get(tag: string): string | undefined;
}

/**
 * Reads one message. CZ stands first, the others in any order, each once; unknown tags are kept.
 * @throws DECODE_MALFORMED, DECODE_INCOMPLETE; offsets are counted from `base`
 */
export function readV3(bytes: Uint8Array, base = 0): V3Message {
  const elements = readTextTlv(bytes, TLV_RULES, base);
  const [first] = elements;
  if (first?.tag !== 'CZ') throw malformed(base, 'a message begins with its version (CZ)');
  if (!/^\d{4}$/.test(first.value)) throw malformed(base + 5, 'a version is four digits');
  return { elements, get: (tag) => elements.find((element) => element.tag === tag)?.value };
}

/** Minor units of tag CB: 2 to 12 digits, leading zeros do not count; undefined for anything else. */
export function amountIn(value: string | undefined): number | undefined {
  return value !== undefined && /^\d{1,12}$/.test(value) ? Number(value) : undefined;
}

function common({ version, identifier, checkout }: V3Till): [string, string][] {
  return [
    ['CZ', version],
    ['CJ', identifier],
    ['CA', checkout],
  ];
}

/** At least two digits: 5 is `05`. */
function amountOf(minor: number): string {
  const digits = String(minor).padStart(2, '0');
  invariant(Number.isSafeInteger(minor) && minor > 0 && digits.length <= 12, 'the amount does not fit', {
    digits: digits.length,
  });
  return digits;
}
