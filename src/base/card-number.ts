/**
 * A card number that has lost its middle. It cannot hold a full one: everything but the first six and the last four
 * digits becomes `*` on the way in, whatever came.
 */
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

/** 13–19 digits, single spaces or hyphens allowed between them, not part of a longer run. */
const CANDIDATE = /(?<!\d)\d(?:[ -]?\d){12,18}(?!\d)/g;
/** A UUID, which stays whole; or a candidate. */
const UUID_OR_CANDIDATE = new RegExp(
  `(?<uuid>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})|${CANDIDATE.source}`,
  'gi',
);
/** Leading digits of the schemes: Visa, Mastercard, Amex, Diners, Discover, JCB, Maestro, UnionPay, girocard, Dankort. */
const ISSUER = /^(?:4|5[0-8]|2[2-7]|3[0689]|34|37|35|6|9792|1800|2131)/;

/**
 * Masks what looks like a card number in free text: a run of 13–19 digits that starts like a scheme's and passes Luhn.
 * Typed fields (ids, times, RRNs, amounts) are checked by their type and do not come through here.
 */
export function maskCardNumbers(text: string): string {
  // Most texts hold no candidate, and looking for UUIDs as well takes several times longer.
  if (text.search(CANDIDATE) === -1) return text;
  if (!text.includes('-')) return text.replace(CANDIDATE, maskedRun);
  return text.replace(UUID_OR_CANDIDATE, (run, uuid?: string) => (uuid === undefined ? maskedRun(run) : run));
}

function maskedRun(run: string): string {
  const digits = run.replace(/\D/g, '');
  return ISSUER.test(digits) && passesLuhn(digits) ? truncate(digits) : run;
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
