import { invariant } from '../../base/invariant.ts';

/** Characters of a ticket. */
const LENGTH = 6;
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';
/** The first character is a letter: a terminal that fills up with zeros, or cuts them, cannot spoil it. */
const FIRST_LETTER = 10;
const LETTERS = 26;
const MOST = LETTERS * DIGITS.length ** (LENGTH - 1);
/** 2025-01-01T00:00:00Z, epoch ms. */
const BEGINNING = 1_735_689_600_000;

/** So many tickets in a row are looked up before the search ends; a second apart, that many payments are never in a row. */
const LONGEST_SEARCH = 100_000;

/** What a new ticket must not be. */
export interface KnownTickets {
  /** The ticket of the newest dispatch in our books; null: there is none. */
  readonly last: string | null;
  /** It is in our books, or in the open batch of the terminal, also by another till. */
  readonly isTaken: (ticket: string) => boolean;
}

/**
 * The name under which a payment goes to its terminal, for terminals that carry a short one back: six characters of base 36 in
 * capitals, the first a letter. A ticket is never used again: it is one more than the last, and at least the seconds since 2025, so
 * that books that were lost or restored do not begin to count anew.
 *
 * Behind the greatest ticket (by the seconds: in 2074) the tickets begin again at the least, and each that is taken is passed over.
 * The ticket of another till is passed over only where it is equal: it never moves our counter.
 * @param now epoch ms
 */
export function nextTicket({ last, isTaken }: KnownTickets, now: number): string {
  const seconds = Math.max(0, Math.floor((now - BEGINNING) / 1000)) % MOST;
  const first = Math.max(last === null ? 0 : numberOf(last) + 1, seconds);
  for (let step = 0; step < LONGEST_SEARCH; step += 1) {
    const ticket = textOf((first + step) % MOST);
    if (!isTaken(ticket)) return ticket;
  }
  invariant(false, 'there is a ticket left', { first });
}

/** -1 where it is no ticket. */
function numberOf(ticket: string): number {
  if (!/^[A-Z][0-9A-Z]{5}$/.test(ticket)) return -1;
  return [...ticket].reduce(
    (value, digit, index) => value * DIGITS.length + DIGITS.indexOf(digit) - (index === 0 ? FIRST_LETTER : 0),
    0,
  );
}

function textOf(value: number): string {
  const rest = value.toString(DIGITS.length).toUpperCase().padStart(LENGTH, '0');
  const first = DIGITS[DIGITS.indexOf(rest.charAt(0)) + FIRST_LETTER] ?? '';
  return first + rest.slice(1);
}
