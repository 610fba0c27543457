import { describe, expect, it } from 'vitest';
import { nextTicket } from '../../../src/payment/ticket.ts';

const NOON = Date.parse('2026-11-22T12:00:00Z');
const BEGINNING = Date.parse('2025-01-01T00:00:00Z');

describe('a ticket', () => {
  it('is six characters of base 36, the first a letter, from the first second to the last', () => {
    expect(nextTicket([], BEGINNING)).toBe('A00000');
    expect(nextTicket([], BEGINNING + 35_000)).toBe('A0000Z');
    expect(nextTicket([], BEGINNING + 36_000)).toBe('A00010');
    expect(nextTicket([], BEGINNING + 36 ** 5 * 1000)).toBe('B00000');
    expect(nextTicket(['ZZZZZY'], NOON)).toBe('ZZZZZZ');
    expect(() => nextTicket(['ZZZZZZ'], NOON)).toThrow();
  });

  it('is one more than every ticket that is known, whoever knows it', () => {
    const now = nextTicket([], NOON);
    expect(nextTicket([now], NOON) > now).toBe(true);
    expect(nextTicket(['A00009', 'P00000', 'B00000'], NOON)).toBe('P00001');
    expect(nextTicket(['A0000Z'], BEGINNING)).toBe('A00010');
  });

  it('grows as a text as it grows as a number', () => {
    const texts: string[] = [];
    let last: string | null = 'A000ZX';
    for (let index = 0; index < 200; index += 1) {
      last = nextTicket([last], BEGINNING);
      texts.push(last);
    }
    expect([...texts].sort()).toEqual(texts);
    expect(new Set(texts).size).toBe(texts.length);
  });

  it('goes by time where nothing is known, so that a memory that was lost does not begin anew', () => {
    const before = nextTicket([], NOON);
    expect(nextTicket([null], NOON + 1000) > before).toBe(true);
  });

  it('takes no notice of what is no ticket, and of a clock before its beginning', () => {
    expect(nextTicket(['00ABCD', 'abcdef', '', undefined, null], 0)).toBe('A00000');
    expect(nextTicket(['A00007'], 0)).toBe('A00008');
  });
});
