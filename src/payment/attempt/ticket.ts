import { invariant } from '../../base/invariant.ts';

/** Characters of a ticket. */
const LENGTH = 6;
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';
/** The first character is a letter: a terminal that pads with zeros, or cuts them, cannot change it. */
const FIRST_LETTER = 10;
const LETTERS = 26;
const MOST = LETTERS * DIGITS.length ** (LENGTH - 1);
/** 2025-01-01T00:00:00Z, epoch ms. */
const BEGINNING = 1_735_689_600_000;

/** Tickets that are tried before the search ends; so many consecutive tickets are never taken, with one a second. */
const LONGEST_SEARCH = 100_000;

/** What a new ticket must differ from. */
export interface KnownTickets {
  /** The ticket of the newest dispatch in the database; null: there is none. */
  readonly last: string | null;
  /** It is in the database, or in the open batch of the terminal, also by another till. */
  readonly isTaken: (ticket: string) => boolean;
}

/**
 * The reference under which a payment goes to its terminal, for terminals that return a short one: six characters of base 36 in capitals, the
 * first a letter. A ticket is never used again: it is one more than the last, and at least the seconds since 2025, so that a lost or restored
 * database does not start to count again.
 *
 * After the greatest ticket (by the seconds: in 2074) the tickets start again at the least, and each taken one is skipped.
 * The ticket of another till is skipped only where it is equal: it never moves our counter.
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
