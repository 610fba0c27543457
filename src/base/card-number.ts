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

/** 13 digits or more, with single spaces or hyphens allowed between them: it may contain a card number. */
const RUN = /(?<!\d)\d(?:[ -]?\d){12,}/g;
/** A UUID, which stays unchanged; or a run of digits. */
const UUID_OR_RUN = new RegExp(`(?<uuid>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})|${RUN.source}`, 'gi');
/** Least and most digits of a card number. */
const [LEAST, MOST] = [13, 19];
/** Leading and trailing digits that may be shown. */
const [FIRST, LAST] = [6, 4];
/** Two blanks: more than may stand between the digits of one number. */
const APART = '  ';
/** Leading digits of the schemes: Visa, Mastercard, Amex, Diners, Discover, JCB, Maestro, UnionPay, girocard, Dankort. */
const ISSUER = /^(?:4|5[0-8]|2[2-7]|3[0689]|34|37|35|6|9792|1800|2131)/;

/**
 * Masks what looks like a card number in free text: 13–19 digits that start like a scheme's and pass Luhn, in groups or not, with any digits
 * beside them. Masking is idempotent.
 * Typed fields (ids, times, RRNs, amounts) are checked by their type and are not passed to this function.
 */
export function maskCardNumbers(text: string): string {
  // Most texts hold no run of digits, and a search for UUIDs as well takes several times longer.
  if (text.search(RUN) === -1) return text;
  if (!text.includes('-')) return text.replace(RUN, maskedRun);
  return text.replace(UUID_OR_RUN, (run, uuid?: string) => (uuid === undefined ? maskedRun(run) : run));
}

/**
 * Shows the first six and the last four digits of every card number in a run, and no digit that is the middle of another card number.
 * Two blanks separate the masked number from the digits beside it: together they could be read as a number of their own.
 */
function maskedRun(run: string): string {
  const parts = run.split(/([ -])/);
  const digits = [...run.replace(/[ -]/g, '')];
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
