import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DayReport } from '../../../src/api/contract/day-report.ts';
import { SqlitePaymentStore } from '../../../src/store/payments/sqlite-payment-store.ts';
import { anAttempt, aReport } from '../../support/attempts.ts';
import { DEVICE_ID } from './memory-payments.ts';
import { ask, KEYS, startShop } from './shop.ts';

const GONE = '0198c5a0-aaaa-7000-8000-0000000000ff';
const EMPTY = { count: 0, amount_minor: 0 };

let started: Awaited<ReturnType<typeof startShop>>;
beforeAll(async () => {
  started = await startShop();
  const store = new SqlitePaymentStore(started.shop.books);
  const sale = (
    n: number,
    at: string,
    minor: number,
    more: { deviceId?: string; tip?: number; scheme?: string; state?: 'declined' | 'in_doubt' } = {},
  ) => {
    const createdAt = Date.parse(at);
    const isOpen = more.state === 'in_doubt';
    store.insertAttempt(
      anAttempt({
        id: `0199c0de-0000-7000-8000-${String(n).padStart(12, '0')}`,
        deviceId: more.deviceId ?? DEVICE_ID,
        createdAt,
        completedAt: isOpen ? null : createdAt + 4000,
        amount: { minor, currency: 'EUR' },
        state: isOpen
          ? { name: 'in_doubt', hadApproval: false }
          : { name: more.state === 'declined' ? 'declined' : 'succeeded' },
        report: aReport({
          amountMinor: minor + (more.tip ?? 0),
          ...(more.tip === undefined ? {} : { tipMinor: more.tip }),
          ...(more.scheme === undefined ? {} : { cardScheme: more.scheme }),
        }),
      }),
    );
  };
  sale(1, '2026-10-18T10:15:00Z', 700);
  sale(2, '2026-10-24T21:59:59Z', 999);
  sale(3, '2026-10-24T22:00:00Z', 1000, { scheme: 'Visa' });
  sale(4, '2026-10-25T00:30:00Z', 2000, { scheme: 'VISA', tip: 150 });
  sale(5, '2026-10-25T01:30:00Z', 4000, { deviceId: GONE });
  sale(6, '2026-10-25T01:31:00Z', 8000, { state: 'declined' });
  sale(7, '2026-10-25T01:32:00Z', 16_000, { state: 'in_doubt' });
  sale(8, '2026-10-25T23:00:00Z', 32_000);
});
afterAll(() => started.api.stop());

const read = (day: string, key: string = KEYS.full) =>
  ask(started.api.url, { path: `/v2/reports/day${day}`, key });

describe('the report of a day', () => {
  it("is the shop's day, of 25 hours where the clocks go back, and counts what succeeded alone", async () => {
    const { status, json } = await read('?day=2026-10-25', KEYS.reader);
    expect(status).toBe(200);
    const report = DayReport.parse(json.data);
    expect(report).toMatchObject({
      day: '2026-10-25',
      time_zone: 'Europe/Berlin',
      from: '2026-10-24T22:00:00.000Z',
      to: '2026-10-25T23:00:00.000Z',
      open: 1,
      week_before: { day: '2026-10-18', open: 0 },
      currencies: [
        {
          currency: 'EUR',
          total: {
            sales: { count: 3, amount_minor: 7150 },
            refunds: EMPTY,
            voids: EMPTY,
            tips_minor: 150,
            net_minor: 7150,
          },
          week_before: { sales: { count: 1, amount_minor: 700 }, tips_minor: null, net_minor: 700 },
          terminals: [
            { device_id: GONE, name: null, net_minor: 4000 },
            { device_id: DEVICE_ID, name: 'Counter 1', net_minor: 3150 },
          ],
          schemes: [
            { scheme: null, net_minor: 4000 },
            { scheme: 'Visa', sales: { count: 2, amount_minor: 3150 } },
          ],
        },
      ],
    });
    const { hours } = report.currencies[0] ?? { hours: [] };
    expect(hours).toHaveLength(25);
    expect(hours.slice(0, 4).map(({ net_minor: net }) => net)).toEqual([1000, 0, 2150, 4000]);
    expect(hours[12]).toMatchObject({ at: '2026-10-25T10:00:00.000Z', week_before_net_minor: 700 });
    expect(hours[24]?.week_before_net_minor).toBe(null);
  });

  it('is of today where no day is named, and empty where nothing was taken', async () => {
    const { json } = await read('');
    const today = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Berlin' }).format(Date.now());
    expect(json.data).toMatchObject({ day: today, currencies: [], open: 0 });
    expect((await read('?day=yesterday')).json.data.day < today).toBe(true);
  });

  it.each(['?day=2026-02-30', '?day=25.10.2026', '?day=', '?days=2026-10-25'])(
    'refuses %s',
    async (query) => {
      expect((await read(query)).status).toBe(400);
    },
  );
});
