import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { DayReport } from '../../../src/api/contract/day-report.ts';
import { exponentOf } from '../../../src/base/money.ts';
import { takingsCsv } from '../../../src/sentences/takings-csv.js';

const sums = (net: number) => ({
  sales: { count: 2, amount_minor: 1250 },
  refunds: { count: 1, amount_minor: 1250 - net },
  voids: { count: 0, amount_minor: 0 },
  tips_minor: null,
  net_minor: net,
});

function reportOf(name: string, scheme: string | null, currency: 'EUR' | 'JPY' | 'KWD' = 'EUR'): DayReport {
  const day = {
    day: '2026-06-10',
    from: '2026-06-09T22:00:00.000Z',
    to: '2026-06-10T22:00:00.000Z',
    open: 0,
  };
  return {
    object: 'day_report',
    ...day,
    time_zone: 'Europe/Berlin',
    week_before: { ...day, day: '2026-06-03' },
    currencies: [
      {
        currency,
        total: { ...sums(-5), tips_minor: 30 },
        week_before: sums(0),
        terminals: [{ device_id: '0199c0de-0000-7000-8000-0000000000d1', name, ...sums(-5) }],
        schemes: [{ scheme, ...sums(-5) }],
        hours: [{ at: '2026-06-09T22:00:00.000Z', ...sums(-5), week_before_net_minor: null }],
      },
    ],
  };
}

it('is RFC 4180 with decimals of the currency; a negative amount stays a number', () => {
  const text = takingsCsv(reportOf('Counter, "left"', 'Visa'), exponentOf);
  expect(text.split('\r\n').slice(0, 4)).toEqual([
    'day,time_zone,currency,group,name,sales,sales_amount,refunds,refunds_amount,voids,voids_amount,tips_amount,net_amount',
    '2026-06-10,Europe/Berlin,EUR,total,,2,12.50,1,12.55,0,0.00,0.30,-0.05',
    '2026-06-10,Europe/Berlin,EUR,week_before,2026-06-03,2,12.50,1,12.50,0,0.00,,0.00',
    '2026-06-10,Europe/Berlin,EUR,terminal,"Counter, ""left""",2,12.50,1,12.55,0,0.00,,-0.05',
  ]);
  expect(text.endsWith('\r\n')).toBe(true);
  expect(takingsCsv(reportOf('a', null, 'JPY'), exponentOf)).toContain(',total,,2,1250,1,1255,0,0,30,-5\r\n');
  expect(takingsCsv(reportOf('a', null, 'KWD'), exponentOf)).toContain(',total,,2,1.250,');
});

it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', ' =1', '=cmd|"/c calc"!A1', '＝1'])(
  'a name like %j is no formula to a spreadsheet',
  (name) => {
    const [, , , terminal] = parse(takingsCsv(reportOf(name, name), exponentOf)) as string[][];
    expect(terminal?.[4]).toBe(`'${name}`);
  },
);

it('is read back by another reader, whatever terminals and schemes are called', () => {
  fc.assert(
    fc.property(fc.string(), fc.option(fc.string(), { nil: null }), (name, scheme) => {
      const rows = parse(takingsCsv(reportOf(name, scheme), exponentOf), {
        record_delimiter: '\r\n',
      }) as string[][];
      expect(rows).toHaveLength(6);
      const names = rows.slice(3, 5).map(([, , , , cell = '']) => cell.replace(/^'/, ''));
      expect(names).toEqual([name, scheme ?? ''].map((text) => text.replace(/^'/, '')));
    }),
  );
});
