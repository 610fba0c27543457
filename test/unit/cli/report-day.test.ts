import { afterEach, beforeEach, expect, it } from 'vitest';
import { DayReport } from '../../../src/api/contract/day-report.ts';
import { command, documentOf } from './command-line.ts';
import { FakeDaemon, one } from './fake-daemon.ts';

const NONE = { count: 0, amount_minor: 0 };
const SUMS = {
  sales: { count: 2, amount_minor: 2468 },
  refunds: { count: 1, amount_minor: 468 },
  voids: NONE,
  tips_minor: 100,
  net_minor: 2000,
};
const EMPTY = { sales: NONE, refunds: NONE, voids: NONE, tips_minor: null, net_minor: 0 };
const DAY = { day: '2026-06-10', from: '2026-06-09T22:00:00.000Z', to: '2026-06-10T22:00:00.000Z', open: 1 };
const REPORT = DayReport.parse({
  object: 'day_report',
  ...DAY,
  time_zone: 'Europe/Berlin',
  week_before: { ...DAY, day: '2026-06-03', open: 0 },
  currencies: [
    {
      currency: 'EUR',
      total: SUMS,
      week_before: EMPTY,
      terminals: [{ device_id: '0199c0de-0000-7000-8000-000000000001', name: 'Counter 1', ...SUMS }],
      schemes: [{ scheme: null, ...SUMS }],
      hours: [
        { at: '2026-06-10T07:00:00.000Z', ...SUMS, week_before_net_minor: 0 },
        { at: '2026-06-10T08:00:00.000Z', ...EMPTY, week_before_net_minor: 0 },
      ],
    },
  ],
});

let daemon: FakeDaemon;
let shown = REPORT;
beforeEach(async () => {
  shown = REPORT;
  daemon = await new FakeDaemon().on('GET /v2/reports/day', () => one(shown)).start();
});
afterEach(() => daemon.remove());

const report = (...words: string[]) => command(['--socket', daemon.socket, 'report', 'day', ...words]);

it('shows the day per terminal, scheme and hour of the shop, and what is still open', async () => {
  const { exit, out } = await report('yesterday');
  expect(exit).toBe(0);
  for (const line of [
    'Takings of 2026-06-10 (Europe/Berlin)',
    'total                2: 24.68 EUR  1: 4.68 EUR  -      1.00 EUR  20.00 EUR',
    'on 2026-06-03        -             -            -      -         0.00 EUR',
    'Counter 1',
    'scheme not reported',
    '09:00',
    'Of 1 payment the outcome is not known yet',
  ])
    expect(out).toContain(line);
  expect(out).not.toContain('10:00');
  expect(daemon.requests('GET /v2/reports/day')).toMatchObject([{ path: '/v2/reports/day?day=yesterday' }]);
});

it('is of today where no day is named, one document with --json, and CSV with --csv', async () => {
  expect(documentOf((await report('--json')).out)).toEqual({ data: REPORT });
  expect(daemon.requests('GET /v2/reports/day')).toMatchObject([{ path: '/v2/reports/day?day=today' }]);
  expect((await report('--csv')).out.split('\r\n')[1]).toBe(
    '2026-06-10,Europe/Berlin,EUR,total,,2,24.68,1,4.68,0,0.00,1.00,20.00',
  );
});

it('says that nothing was taken', async () => {
  shown = { ...REPORT, open: 0, currencies: [] };
  expect((await report()).out).toBe('Takings of 2026-06-10 (Europe/Berlin)\n\nNothing was taken.\n');
});
