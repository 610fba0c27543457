import { describe, expect, it } from 'vitest';
import { nextTicket } from '../../../src/payment/attempt/ticket.ts';

const NOON = Date.parse('2026-11-22T12:00:00Z');
const BEGINNING = Date.parse('2025-01-01T00:00:00Z');
const DAY_MS = 86_400_000;
/** Behind the last second that has a ticket of its own. */
const END = BEGINNING + 26 * 36 ** 5 * 1000;

/** Books that hold these tickets, the newest dispatch last, and a terminal whose open batch holds others. */
function books(tickets: readonly string[], inBatch: readonly string[] = []) {
  const taken = new Set([...tickets, ...inBatch]);
  return { last: tickets.at(-1) ?? null, isTaken: (ticket: string) => taken.has(ticket) };
}

describe('a ticket', () => {
  it('is six characters of base 36, the first a letter, from the first second to the last', () => {
    expect(nextTicket(books([]), BEGINNING)).toBe('A00000');
    expect(nextTicket(books([]), BEGINNING + 35_000)).toBe('A0000Z');
    expect(nextTicket(books([]), BEGINNING + 36_000)).toBe('A00010');
    expect(nextTicket(books([]), BEGINNING + 36 ** 5 * 1000)).toBe('B00000');
    expect(nextTicket(books([]), END - 1000)).toBe('ZZZZZZ');
    expect(new Date(END).getUTCFullYear()).toBe(2074);
  });

  it('is one more than the last, and at least the seconds of the time', () => {
    const now = nextTicket(books([]), NOON);
    expect(nextTicket(books([now]), NOON) > now).toBe(true);
    expect(nextTicket(books(['A00009', 'P00000']), NOON)).toBe('P00001');
    expect(nextTicket(books(['A0000Z']), BEGINNING)).toBe('A00010');
  });

  it('is not moved by the ticket of another till, and never equal to one in the open batch', () => {
    const mine = nextTicket(books([]), NOON);
    expect(nextTicket(books([], ['ZZZZZY', 'ZZZZZZ']), NOON)).toBe(mine);
    const other = nextTicket(books([], [mine]), NOON);
    expect(other > mine).toBe(true);
    expect(nextTicket(books([mine], [mine, other]), NOON) > other).toBe(true);
  });

  it('goes on behind the greatest one, passing over each that was used', () => {
    expect(nextTicket(books(['ZZZZZY']), NOON)).toBe('ZZZZZZ');
    expect(nextTicket(books(['ZZZZZZ']), NOON)).toBe('A00000');
    expect(nextTicket(books(['A00000', 'A00001', 'ZZZZZZ'], ['A00002']), NOON)).toBe('A00003');
  });

  it('goes by the time again once it has begun anew', () => {
    expect(nextTicket(books(['ZZZZZZ', 'A00000']), NOON)).toBe(nextTicket(books([]), NOON));
  });

  it('is never used twice by 1,000 payments a day across the end in 2074', () => {
    const used = new Set(['A00000', 'A0000Z']);
    let last: string | null = null;
    for (let payment = 0; payment < 4_000; payment += 1) {
      const now = END - 2 * DAY_MS + payment * 86_400;
      last = nextTicket({ last, isTaken: (ticket) => used.has(ticket) }, now);
      expect(used.has(last)).toBe(false);
      used.add(last);
    }
    expect(last?.slice(0, 2)).toBe('A0');
  });

  it('grows as a text as it grows as a number', () => {
    const texts: string[] = ['A000ZX'];
    for (let index = 0; index < 200; index += 1) texts.push(nextTicket(books(texts), BEGINNING));
    expect([...texts].sort()).toEqual(texts);
    expect(new Set(texts).size).toBe(texts.length);
  });

  it('goes by time where nothing is known, so that books that were lost do not begin anew', () => {
    const before = nextTicket(books([]), NOON);
    expect(nextTicket(books([]), NOON + 1000) > before).toBe(true);
  });

  it('takes no notice of what is no ticket, and of a clock before its beginning', () => {
    for (const text of ['00ABCD', 'abcdef', '']) expect(nextTicket(books([text]), 0)).toBe('A00000');
    expect(nextTicket(books(['A00007']), 0)).toBe('A00008');
  });

  it('is refused only where a hundred thousand in a row are taken, and says so', () => {
    expect(() => nextTicket({ last: null, isTaken: () => true }, NOON)).toThrow('there is a ticket left');
  });
});
