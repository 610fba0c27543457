import { describe, expect, it } from 'vitest';
import { formatBound, readTime, type TimeFormat } from '../../../../drivers/providers/rest/time-format.ts';

const at = (text: string) => Date.parse(text);
/** Long after all of them: nothing lies in the future. */
const LATER = { zone: 'Europe/Berlin', nowMs: at('2030-01-01T00:00:00Z') };

describe('times of a source', () => {
  it.each<[value: unknown, format: TimeFormat, instant: string]>([
    ['2026-03-29T01:30:00Z', 'iso', '2026-03-29T01:30:00Z'],
    ['2026-03-29T03:30:00+02:00', 'iso', '2026-03-29T01:30:00Z'],
    ['2026-03-29 03:30:00+0200', 'iso', '2026-03-29T01:30:00Z'],
    ['2026-07-01T12:00:00.123456Z', 'iso', '2026-07-01T12:00:00.123Z'],
    ['2026-07-01T12:00:00', 'iso', '2026-07-01T10:00:00Z'],
    ['2026-01-01 12:00:00', 'iso_local', '2026-01-01T11:00:00Z'],
    [1_772_359_200, 'unix_s', '2026-03-01T10:00:00Z'],
    ['1772359200', 'unix_s', '2026-03-01T10:00:00Z'],
    [1_772_359_200_123, 'unix_ms', '2026-03-01T10:00:00.123Z'],
    ['2026-07-01', 'date', '2026-06-30T22:00:00Z'],
  ])('%j as %s is %s', (value, format, instant) => {
    expect(readTime(value, format, LATER)).toEqual({ ms: at(instant) });
  });

  it.each<[value: unknown, format: TimeFormat]>([
    ['yesterday', 'iso'],
    ['2026-13-01T00:00:00Z', 'iso'],
    ['2026-02-30T00:00:00', 'iso_local'],
    ['2026-07-01', 'iso'],
    [1_772_359_200, 'iso'],
    ['12:00', 'iso_local'],
    [Number.NaN, 'unix_s'],
    ['1e9', 'unix_s'],
    [-1, 'unix_s'],
    [1e18, 'unix_ms'],
    [{}, 'unix_ms'],
    ['1/2/2026', 'date'],
  ])('%j as %s is no time, in words', (value, format) => {
    expect(readTime(value, format, LATER)).toHaveProperty('problem');
  });

  it('a time without a zone is refused where nobody says which zone it is in', () => {
    expect(readTime('2026-07-01T12:00:00', 'iso', { ...LATER, zone: null })).toHaveProperty('problem');
  });

  it('a time in the hour that was left out is moved on by that hour', () => {
    expect(readTime('2026-03-29T02:30:00', 'iso', LATER)).toEqual({ ms: at('2026-03-29T01:30:00Z') });
  });

  it('a time in the hour that came twice is the later one, unless that has not come yet', () => {
    const twice = '2026-10-25T02:30:00';
    expect(readTime(twice, 'iso', LATER)).toEqual({ ms: at('2026-10-25T01:30:00Z') });
    const inTheFirst = { ...LATER, nowMs: at('2026-10-25T00:40:00Z') };
    expect(readTime(twice, 'iso', inTheFirst)).toEqual({ ms: at('2026-10-25T00:30:00Z') });
  });
});

/** 2026-10-25: at 01:00 UTC the clocks of Berlin go back from 03:00 to 02:00. */
describe('the bounds of a window', () => {
  const bound = (side: 'from' | 'until', from: string, to: string, format: TimeFormat, exclusive = false) =>
    formatBound(side, { from: at(from), to: at(to) }, format, exclusive, 'Europe/Berlin');

  it('are rounded outwards, and moved by one unit where the source leaves the instant itself out', () => {
    const window = ['2026-03-01T10:00:00.500Z', '2026-03-01T11:00:00.500Z'] as const;
    expect(bound('from', ...window, 'iso')).toBe('2026-03-01T10:00:00Z');
    expect(bound('until', ...window, 'iso')).toBe('2026-03-01T11:00:01Z');
    expect(bound('from', ...window, 'iso', true)).toBe('2026-03-01T09:59:59Z');
    expect(bound('from', ...window, 'iso_ms')).toBe('2026-03-01T10:00:00.500Z');
    expect(bound('until', ...window, 'unix_s', true)).toBe('1772362802');
    expect(bound('from', ...window, 'unix_ms')).toBe('1772359200500');
    expect(bound('from', ...window, 'iso_local')).toBe('2026-03-01T11:00:00');
    expect(bound('from', ...window, 'date', true)).toBe('2026-02-28');
    expect(bound('until', ...window, 'date')).toBe('2026-03-01');
  });

  it('a window that the clocks were put back in begins at the hour that came twice', () => {
    expect(bound('from', '2026-10-25T00:50:00Z', '2026-10-25T01:20:00Z', 'iso_local')).toBe(
      '2026-10-25T02:00:00',
    );
    expect(bound('until', '2026-10-25T00:50:00Z', '2026-10-25T01:20:00Z', 'iso_local')).toBe(
      '2026-10-25T03:00:00',
    );
  });

  it('every record of a window lies between its bounds on the wall clock, at every minute around both changes', () => {
    for (const day of ['2026-03-29T00:00:00Z', '2026-10-25T00:00:00Z']) {
      for (let minute = -30; minute < 150; minute += 1) {
        const instant = at(day) + minute * 60_000;
        const window = { from: instant - 1_200_000, to: instant + 1_200_000 };
        const wall = formatBound('from', { from: instant, to: instant }, 'iso_local', false, 'Europe/Berlin');
        expect(formatBound('from', window, 'iso_local', false, 'Europe/Berlin') <= wall).toBe(true);
        expect(formatBound('until', window, 'iso_local', false, 'Europe/Berlin') >= wall).toBe(true);
      }
    }
  });
});
