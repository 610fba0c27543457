import { describe, expect, it } from 'vitest';
import { shopCalendar } from '../../../src/runtime/shop-calendar.ts';

const ZONE = 'Europe/Berlin';
const calendar = shopCalendar(ZONE);

describe('the calendar of a shop', () => {
  it.each([
    [ZONE, '2026-11-25', '2026-11-24T23:00:00Z', '2026-11-25T23:00:00Z', 24],
    [ZONE, '2026-10-25', '2026-10-24T22:00:00Z', '2026-10-25T23:00:00Z', 25],
    [ZONE, '2026-03-29', '2026-03-28T23:00:00Z', '2026-03-29T22:00:00Z', 23],
    // Its clocks skip midnight.
    ['America/Santiago', '2026-09-06', '2026-09-06T04:00:00Z', '2026-09-07T03:00:00Z', 23],
    ['UTC', '2026-12-31', '2026-12-31T00:00:00Z', '2027-01-01T00:00:00Z', 24],
  ])('in %s: %s lasts from %s to %s, %i hours', (zone, text, from, to, hours) => {
    const day = shopCalendar(zone).day(text, 0);
    expect(day).toMatchObject({ day: text, timeZone: zone, from: Date.parse(from), to: Date.parse(to) });
    expect(day.hours).toHaveLength(hours);
  });

  it('knows today and yesterday by its own midnight, and the weekday of the week before', () => {
    const now = Date.parse('2026-03-29T22:30:00Z');
    expect(calendar.day('today', now).day).toBe('2026-03-30');
    const yesterday = calendar.day('yesterday', now);
    expect(yesterday).toMatchObject({ day: '2026-03-29', timeZone: ZONE });
    expect(calendar.weekBefore(yesterday)).toMatchObject({
      day: '2026-03-22',
      from: Date.parse('2026-03-21T23:00:00Z'),
      to: Date.parse('2026-03-22T23:00:00Z'),
    });
  });
});
