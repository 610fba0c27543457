import { invariant } from '../base/invariant.ts';

/** Characters of a ticket. */
const LENGTH = 6;
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';
/** The first character is a letter: a terminal that fills up with zeros, or cuts them, cannot spoil it. */
const FIRST_LETTER = 10;
const LETTERS = 26;
const MOST = LETTERS * DIGITS.length ** (LENGTH - 1);
/** 2025-01-01T00:00:00Z, epoch ms. */
const BEGINNING = 1_735_689_600_000;

/**
 * The name under which a payment goes to its terminal, for terminals that carry a short one back: six characters of base 36 in
 * capitals, the first a letter. Tickets only grow and are never used again: one more than every ticket that is known, and at least
 * the seconds since 2025, so that a memory that was lost or restored does not begin to count anew. They end in 2074.
 * @param known tickets of our own and whatever a terminal showed as its last reference; what is no ticket is passed over
 * @param now epoch ms
 */
export function nextTicket(known: readonly (string | null | undefined)[], now: number): string {
  const last = Math.max(-1, ...known.map((one) => (one ? numberOf(one) : -1)));
  const next = Math.max(last + 1, Math.floor((now - BEGINNING) / 1000), 0);
  invariant(next < MOST, 'there is a ticket left', { next });
  return textOf(next);
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
