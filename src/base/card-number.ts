import { endOfIban } from './iban.ts';

/** A truncated card number. It cannot hold a full one: the constructor replaces all but the first six and the last four digits by `*`. */
export class TruncatedCardNumber {
  readonly #text: string;

  private constructor(text: string) {
    this.#text = text;
  }

  /**
   * Takes what a terminal printed or sent (`559883EEEEEE8074`, `************4771`, spaces allowed) and keeps
   * at most six leading and four trailing digits.
   */
  static of(text: string): TruncatedCardNumber | undefined {
    const symbols = text
      .replace(/[\s-]/g, '')
      .replace(/F+$/i, '')
      .replace(/[^0-9]/g, '*');
    if (symbols.length < 4 || symbols.length > 24 || !/\d/.test(symbols)) return undefined;
    return new TruncatedCardNumber(truncate(symbols));
  }

  toString(): string {
    return this.#text;
  }

  toJSON(): string {
    return this.#text;
  }
}

function truncate(symbols: string): string {
  if (symbols.length <= 10) return symbols.replace(/^.*(?=.{4})/, (head) => '*'.repeat(head.length));
  return symbols.slice(0, 6) + '*'.repeat(symbols.length - 10) + symbols.slice(-4);
}

/**
 * What may stand between two digits of a number: up to three characters that are no letter or digit; a line break of a JSON text is one. Three
 * asterisks or more are the mask of a number.
 */
const GAP = String.raw`(?!\*\*\*)(?:\\[nrt]|[^\p{L}\p{N}]){0,3}`;
/** 13 digits or more: it may contain a card number. */
const RUN = new RegExp(String.raw`(?<!\d)\d(?:${GAP}\d){12,}`, 'gu');
/** What stays unchanged, whatever its digits look like: a UUID; where an account number (IBAN) may begin. */
const UUID_OR_IBAN = /(?<![0-9a-f])[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![0-9a-f])|\b[A-Z]{2}\d\d/gi;
/** A telephone number in its international form: at most 15 digits (ITU-T E.164); the longest is as long as a card number of Amex. */
const PHONE = /^\+\d[\d ()/.-]*$/;
const MOST_OF_A_PHONE = 14;
/** Dates and times of day and nothing else. */
const DATE = String.raw`(?:(?:19|20)\d\d[-/.]?(?:0[1-9]|1[0-2])[-/.]?(?:0[1-9]|[12]\d|3[01])|(?:0[1-9]|[12]\d|3[01])[-/.](?:0[1-9]|1[0-2])[-/.](?:19|20)\d\d)`;
const TIME = String.raw`(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:[.,]\d{1,9})?)?`;
const MOMENTS = new RegExp(`^${DATE}(?:${GAP}(?:${DATE}|${TIME}))*$`, 'u');
/** Least and most digits of a card number. */
const [LEAST, MOST] = [13, 19];
/** Leading and trailing digits that may be shown. */
const [FIRST, LAST] = [6, 4];
/** More blanks than may stand between the digits of one number. */
const APART = '    ';
/** Leading digits of the schemes: Visa, Mastercard, Amex, Diners, Discover, JCB, Maestro, UnionPay, girocard, Dankort. */
const ISSUER = /^(?:4|5[0-8]|2[2-7]|3[0689]|34|37|35|6|9792|1800|2131)/;

/**
 * Masks what looks like a card number in free text: 13–19 digits of any script that start like a scheme's and pass Luhn, with up to three other
 * characters between two of them, and with any digits beside them. Masking is idempotent. A text in which nothing is masked is returned unchanged.
 * Typed fields (ids, times, RRNs, amounts) are checked by their type and are not passed to this function.
 */
export function maskCardNumbers(text: string): string {
  const plain = withPlainDigits(text);
  // Most texts hold no run of digits, and the rest takes several times longer.
  if (plain.search(RUN) === -1) return text;
  let masked = '';
  let from = 0;
  for (const [start, end] of innocentParts(plain)) {
    masked += maskedIn(plain.slice(from, start)) + plain.slice(start, end);
    from = end;
  }
  masked += maskedIn(plain.slice(from));
  return masked === plain ? text : masked;
}

/** NFKC, and the digits of every script as those of ASCII: full-width, Arabic, superscript, … */
function withPlainDigits(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII begins with the control characters, and a text of it alone is the common case
  if (/^[\x00-\x7f]*$/.test(text)) return text;
  return text.normalize('NFKC').replace(/(?![0-9])\p{Nd}/gu, (digit) => String(digitValue(digit)));
}

/** Unicode has the ten digits of a script side by side, from zero on. */
function digitValue(digit: string): number {
  const code = digit.codePointAt(0) ?? 0;
  let value = 0;
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value += 1;
  return value;
}

/** From where to where UUIDs and account numbers are, in order. */
function* innocentParts(text: string): Generator<readonly [start: number, end: number]> {
  let from = 0;
  for (const { 0: found, index } of text.matchAll(UUID_OR_IBAN)) {
    const end = found.length > 4 ? index + found.length : endOfIban(text, index);
    if (index < from || end === null) continue;
    yield [index, end];
    from = end;
  }
}

function maskedIn(text: string): string {
  return text.replace(RUN, (run, at: number) => (isInnocent(run, text[at - 1]) ? run : maskedRun(run)));
}

function isInnocent(run: string, before: string | undefined): boolean {
  if (MOMENTS.test(run)) return true;
  return before === '+' && PHONE.test(`+${run}`) && run.replace(/\D/g, '').length <= MOST_OF_A_PHONE;
}

/**
 * Shows the first six and the last four digits of every card number in a run, and no digit that is the middle of another card number.
 * Blanks separate the masked number from the digits beside it: together they could be read as a number of their own.
 */
function maskedRun(run: string): string {
  const parts = run.split(/(\D+)/);
  const digits = [...run.replace(/\D/g, '')];
  const gaps = new Map<number, string>();
  const cards: (readonly [from: number, to: number])[] = [];
  for (let part = 0, from = 0; part < parts.length; from += parts[part]?.length ?? 0, part += 2) {
    gaps.set(from, parts[part - 1] ?? '');
    for (const length of cardsFrom(parts, part)) cards.push([from, from + length]);
  }
  for (const [from, to] of cards) {
    gaps.set(from, APART);
    gaps.set(to, APART);
    digits.fill('*', from + FIRST, to - LAST);
  }
  for (const [from, to] of cards) for (let at = from + 1; at < to; at += 1) gaps.delete(at);
  gaps.delete(0);
  return cards.length === 0 ? run : digits.map((digit, at) => (gaps.get(at) ?? '') + digit).join('');
}

/** Lengths of the card numbers that begin with the group at `first`; groups stand at even indexes, separators between them. */
function cardsFrom(parts: readonly string[], first: number): readonly number[] {
  const found: number[] = [];
  let digits = '';
  for (let at = first; at < parts.length && digits.length <= MOST; at += 2) {
    digits += parts[at];
    const fits = digits.length >= LEAST && digits.length <= MOST;
    if (fits && ISSUER.test(digits) && passesLuhn(digits)) found.push(digits.length);
  }
  return found;
}

/** The check digit rule of ISO/IEC 7812. */
export function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let index = 0; index < digits.length; index += 1) {
    const digit = Number(digits[digits.length - 1 - index]);
    const doubled = index % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}
