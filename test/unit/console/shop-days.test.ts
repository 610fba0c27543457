import { describe, expect, it } from 'vitest';
import { dayRows, ShopDays } from '../../../src/console/till/shop-days.js';

describe('the days of the shop', () => {
  it('begin at its own midnight, also where the screen is elsewhere, and when the clocks change', () => {
    const days = new ShopDays('Europe/Berlin');
    expect(days.dayOf('2026-11-25T22:59:59Z')).toBe('2026-11-25');
    expect(days.dayOf('2026-11-25T23:00:00Z')).toBe('2026-11-26');
    expect(days.dayOf('2026-07-25T22:00:00Z')).toBe('2026-07-26');
    expect(new ShopDays('Asia/Kathmandu').dayOf('2026-11-25T18:15:00Z')).toBe('2026-11-26');
  });
});

describe('the rows of the history', () => {
  it('have a heading above each day, also when older and newer payments come', () => {
    const day: Record<string, string> = { a: '03', b: '03', c: '02', d: '02', e: '01', n: '04' };
    const rows = dayRows((id) => day[id]);
    const first = ['a', 'b', 'c'];
    expect(rows(first)).toEqual(['day:03', 'a', 'b', 'day:02', 'c']);
    expect(rows(first)).toBe(rows(first));
    expect(rows([...first, 'd', 'e'])).toEqual(['day:03', 'a', 'b', 'day:02', 'c', 'd', 'day:01', 'e']);
    expect(rows(['n', ...first])).toEqual(['day:04', 'n', 'day:03', 'a', 'b', 'day:02', 'c']);
    expect(rows([])).toEqual([]);
  });
});
