import { describe, expect, it } from 'vitest';
import { isStale, timesAfter } from '../../../src/integration/schedule/timetable.ts';
import { type TimetableOptions, timetableOf } from '../../../src/runtime/timetable.ts';

const PLAIN: TimetableOptions = {
  intervalS: 900,
  jitterS: undefined,
  cron: undefined,
  quietHours: undefined,
  timeZone: 'Europe/Berlin',
};
const at = (text: string) => Date.parse(text);

function times(options: Partial<TimetableOptions>, from: string, count: number): readonly string[] {
  return timesAfter(timetableOf({ ...PLAIN, ...options }), at(from), count).map((ms) =>
    new Date(ms).toISOString(),
  );
}

describe('the times of a cron expression', () => {
  it('are those of its zone', () => {
    expect(times({ cron: '0 6 * * 1-5' }, '2026-01-02T12:00:00Z', 2)).toEqual([
      '2026-01-05T05:00:00.000Z',
      '2026-01-06T05:00:00.000Z',
    ]);
    expect(times({ cron: '0 6 * * 1-5', timeZone: 'America/New_York' }, '2026-01-02T12:00:00Z', 1)).toEqual([
      '2026-01-05T11:00:00.000Z',
    ]);
    expect(times({ cron: '30 5 * * *', timeZone: 'Asia/Kathmandu' }, '2026-01-02T12:00:00Z', 1)).toEqual([
      '2026-01-02T23:45:00.000Z',
    ]);
  });

  it('begin after the instant itself, and know the last day and the first Monday', () => {
    expect(times({ cron: '0 6 * * *' }, '2026-01-05T05:00:00Z', 1)).toEqual(['2026-01-06T05:00:00.000Z']);
    expect(times({ cron: '0 0 L * *' }, '2026-02-01T12:00:00Z', 1)).toEqual(['2026-02-27T23:00:00.000Z']);
    expect(times({ cron: '0 9 * * 1#1' }, '2026-02-03T12:00:00Z', 1)).toEqual(['2026-03-02T08:00:00.000Z']);
    expect(times({ cron: '@monthly' }, '2026-02-03T12:00:00Z', 1)).toEqual(['2026-02-28T23:00:00.000Z']);
  });

  it('of the hour that spring skips come that hour later, on the same day', () => {
    expect(times({ cron: '30 2 * * *' }, '2026-03-28T12:00:00Z', 2)).toEqual([
      '2026-03-29T01:30:00.000Z',
      '2026-03-30T00:30:00.000Z',
    ]);
  });

  it('of the hour that comes twice in autumn come once', () => {
    expect(times({ cron: '30 2 * * *' }, '2026-10-24T12:00:00Z', 2)).toEqual([
      '2026-10-25T00:30:00.000Z',
      '2026-10-26T01:30:00.000Z',
    ]);
  });

  it('of every hour come in both of these hours, and never leave one out', () => {
    const autumn = times({ cron: '*/30 * * * *' }, '2026-10-24T23:45:00Z', 6);
    expect(autumn.map((time) => time.slice(11, 16))).toEqual([
      '00:00',
      '00:30',
      '01:00',
      '01:30',
      '02:00',
      '02:30',
    ]);
    const spring = times({ cron: '*/30 * * * *' }, '2026-03-29T00:15:00Z', 3);
    expect(spring.map((time) => time.slice(11, 16))).toEqual(['00:30', '01:00', '01:30']);
  });

  it.each(['America/Havana', 'Australia/Lord_Howe', 'Atlantic/Azores', 'Africa/Casablanca', 'UTC'])(
    'ascend for a year in %s, each after the one before, none further than an hour and a minute',
    (timeZone) => {
      const table = timetableOf({ ...PLAIN, timeZone, cron: '0 * * * *' });
      const all = timesAfter(table, at('2026-01-01T00:00:00Z'), 24 * 365);
      const gaps = all.slice(1).map((time, index) => time - (all[index] ?? 0));
      expect(Math.min(...gaps)).toBeGreaterThan(0);
      expect(Math.max(...gaps)).toBeLessThanOrEqual(90 * 60_000);
    },
  );

  it('far apart are found', () => {
    expect(times({ cron: '0 0 1 1 *', timeZone: 'UTC' }, '2026-01-01T12:00:00Z', 1)).toEqual([
      '2027-01-01T00:00:00.000Z',
    ]);
  });
});

describe('quiet hours', () => {
  const night = { from: '22:00', to: '06:00' };

  it.each([
    ['2026-01-05T20:59:59Z', null],
    ['2026-01-05T21:00:00Z', '2026-01-06T05:00:00.000Z'],
    ['2026-01-05T23:30:00Z', '2026-01-06T05:00:00.000Z'],
    ['2026-01-06T04:59:59Z', '2026-01-06T05:00:00.000Z'],
    ['2026-01-06T05:00:00Z', null],
    ['2026-03-28T23:00:00Z', '2026-03-29T04:00:00.000Z'],
    ['2026-10-24T23:00:00Z', '2026-10-25T05:00:00.000Z'],
  ])('over midnight: at %s until %s', (instant, until) => {
    const found = timetableOf({ ...PLAIN, quietHours: night }).quietUntil(at(instant));
    expect(found === null ? null : new Date(found).toISOString()).toBe(until);
  });

  it('within a day', () => {
    const lunch = timetableOf({ ...PLAIN, quietHours: { from: '12:00', to: '13:30' } });
    expect(lunch.quietUntil(at('2026-01-05T10:59:00Z'))).toBeNull();
    expect(lunch.quietUntil(at('2026-01-05T11:00:00Z'))).toBe(at('2026-01-05T12:30:00Z'));
    expect(lunch.quietUntil(at('2026-01-05T12:30:00Z'))).toBeNull();
  });

  it('that end in the hour which comes twice end for good', () => {
    const odd = timetableOf({ ...PLAIN, quietHours: { from: '22:00', to: '02:30' } });
    for (let ms = at('2026-10-24T20:00:00Z'); ms < at('2026-10-25T03:00:00Z'); ms += 60_000) {
      const until = odd.quietUntil(ms);
      expect(until === null || until > ms).toBe(true);
    }
  });

  it('gather the times that fall into them at their end', () => {
    expect(times({ quietHours: night, cron: '0 */4 * * *' }, '2026-01-05T18:00:00Z', 4)).toEqual([
      '2026-01-05T19:00:00.000Z',
      '2026-01-06T05:00:00.000Z',
      '2026-01-06T07:00:00.000Z',
      '2026-01-06T11:00:00.000Z',
    ]);
    expect(times({ quietHours: night }, '2026-01-05T20:50:00Z', 2)).toEqual([
      '2026-01-06T05:00:00.000Z',
      '2026-01-06T05:15:00.000Z',
    ]);
  });
});

describe('a stream is stale', () => {
  it('after three times that it missed, not after three intervals of a night', () => {
    const nights = timetableOf({ ...PLAIN, quietHours: { from: '22:00', to: '06:00' } });
    const fresh = at('2026-01-05T20:50:00Z');
    expect(isStale(nights, fresh, 0, at('2026-01-06T05:29:00Z'))).toBe(false);
    expect(isStale(nights, fresh, 0, at('2026-01-06T05:31:00Z'))).toBe(true);
    const weekdays = timetableOf({ ...PLAIN, cron: '0 6 * * 1-5' });
    const friday = at('2026-01-02T05:00:00Z');
    expect(isStale(weekdays, friday, 0, at('2026-01-07T04:59:00Z'))).toBe(false);
    expect(isStale(weekdays, friday, 0, at('2026-01-07T05:01:00Z'))).toBe(true);
  });
});

describe('quiet hours on the days when the clocks change', () => {
  const MINUTE = 60_000;
  const noon = (day: string) => Date.parse(`${day}T12:00:00Z`);

  it.each([
    ['Europe/Berlin', '2026-03-28', { from: '22:00', to: '02:30' }],
    ['Europe/Berlin', '2026-03-28', { from: '02:15', to: '06:00' }],
    ['Europe/Berlin', '2026-03-28', { from: '22:00', to: '06:00' }],
    ['Europe/Berlin', '2026-10-24', { from: '22:00', to: '02:30' }],
    ['Europe/Berlin', '2026-10-24', { from: '02:15', to: '02:45' }],
    ['America/Santiago', '2026-09-05', { from: '22:00', to: '00:30' }],
  ])('end when they say so: %s %s %j', (timeZone, day, quietHours) => {
    const { quietUntil } = timetableOf({
      intervalS: 900,
      jitterS: undefined,
      cron: undefined,
      quietHours,
      timeZone,
    });
    let end = noon(day) + 24 * 60 * MINUTE;
    for (let at = end; at >= noon(day); at -= 5 * MINUTE) {
      const until = quietUntil(at);
      if (until === null) end = at;
      expect([new Date(at), until]).toEqual([new Date(at), until === null ? null : end]);
    }
  });
});
