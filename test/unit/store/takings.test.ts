import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Attempt } from '../../../src/payment/attempt/attempt.ts';
import { type DayTakings, type Sums, takingsOf } from '../../../src/payment/takings/takings.ts';
import { shopCalendar } from '../../../src/runtime/shop-calendar.ts';
import { SqlitePaymentStore } from '../../../src/store/payments/sqlite-payment-store.ts';
import { SqliteTakings } from '../../../src/store/statistics/sqlite-takings.ts';
import {
  type CountedPayment,
  hourLabel,
  type Recount,
  type Recounted,
  recount,
  zoneOf,
} from '../../judge/day-recount.ts';
import { anAttempt, aReport } from '../../support/attempts.ts';
import { aMoneyDatabase } from '../../support/money-database.ts';

const HOUR = 3_600_000;
const ZONE = 'Europe/Berlin';
const ZONE_HOURS = zoneOf(ZONE);
const calendar = shopCalendar(ZONE);
const idOf = (n: number) => `0199c0de-0000-7000-8000-${String(n + 1).padStart(12, '0')}`;
const DEVICES = [idOf(900_000), idOf(900_001)];
const soon = async () => undefined;

/** In the order of the list, which is the order of the rows. */
function databaseOf(payments: readonly CountedPayment[], database = aMoneyDatabase()) {
  const store = new SqlitePaymentStore(database);
  database.transaction(() => {
    for (const [index, payment] of payments.entries()) store.insertAttempt(attemptOf(payment, index));
  });
  return database;
}

function attemptOf(payment: CountedPayment, index: number): Attempt {
  const { kind, end, created, device, currency, asked, approved, tip, scheme, of } = payment;
  const state: Attempt['state'] =
    end === 'succeeded'
      ? { name: 'succeeded' }
      : end === 'open'
        ? { name: 'in_doubt', hadApproval: true }
        : { name: 'declined' };
  const { amountMinor: _, ...unpriced } = aReport();
  return anAttempt({
    id: idOf(index),
    type: kind,
    parentId: of === null ? null : idOf(of),
    deviceId: device,
    amount: { minor: asked, currency: currency as 'EUR' },
    createdAt: created,
    completedAt: end === 'open' ? null : created + 1000,
    state,
    report: {
      ...unpriced,
      kind,
      ...(approved === null ? {} : { amountMinor: approved }),
      ...(tip === null ? {} : { tipMinor: tip }),
      ...(scheme === null ? {} : { cardScheme: scheme }),
    },
  });
}

/** The report in the form of the recount. */
function flat({ open, currencies }: DayTakings): Recount {
  const sums = new Map<string, Recounted>();
  for (const { currency, total, terminals, schemes, hours } of currencies) {
    sums.set(currency, shortOf(total));
    for (const one of terminals) sums.set(`${currency} terminal ${one.deviceId}`, shortOf(one));
    for (const one of schemes)
      sums.set(`${currency} scheme ${(one.scheme ?? '').toLowerCase()}`, shortOf(one));
    for (const one of hours) {
      const short = shortOf(one);
      if (short.slice(0, 3).some((text) => text !== '0/0'))
        sums.set(`${currency} hour ${hourLabel(one.at, ZONE_HOURS)}`, short);
    }
  }
  return { open, sums };
}

function shortOf({ sales, refunds, voids, netMinor, tipsMinor }: Sums): Recounted {
  const short = ({ count, amountMinor }: Sums['sales']) => `${count}/${amountMinor}`;
  return [short(sales), short(refunds), short(voids), netMinor, tipsMinor];
}

const aPayment = (around: number) =>
  fc.record({
    created: fc.integer({ min: around - 40 * HOUR, max: around + 40 * HOUR }),
    device: fc.constantFrom(...DEVICES),
    kind: fc.constantFrom('sale', 'sale', 'refund', 'void'),
    end: fc.constantFrom('succeeded', 'succeeded', 'succeeded', 'declined', 'open'),
    currency: fc.constantFrom('EUR', 'EUR', 'CHF', 'JPY'),
    asked: fc.integer({ min: 1, max: 5_000_00 }),
    approved: fc.option(fc.integer({ min: 1, max: 6_000_00 }), { nil: null }),
    tip: fc.option(fc.integer({ min: 0, max: 50_00 }), { nil: null }),
    scheme: fc.constantFrom(null, 'Visa', 'VISA', 'Mastercard', '=cmd'),
  });

/** Payments in their order, but for a clock that was set; a refund or a void may belong to an earlier one. */
const aHistory = (around: number) =>
  fc
    .tuple(fc.array(aPayment(around), { maxLength: 60 }), fc.nat(), fc.nat({ max: 4 }))
    .map(([rows, seed, displaced]) => {
      const inOrder = rows.toSorted((one, other) => one.created - other.created);
      const moved = inOrder.splice(seed % (inOrder.length + 1), displaced);
      return [...moved, ...inOrder].map(
        (row, index): CountedPayment => ({
          ...row,
          of: row.kind === 'sale' || index === 0 ? null : (seed + index) % index,
        }),
      );
    });

describe('the takings of a day', () => {
  it.each([
    ['2026-06-10', 24],
    ['2026-03-29', 23],
    ['2026-10-25', 25],
  ])('are those of a naive recount on %s, which has %i hours', async (text, hours) => {
    const day = calendar.day(text, 0);
    expect(day.hours).toHaveLength(hours);
    const database = aMoneyDatabase();
    await fc.assert(
      fc.asyncProperty(aHistory(day.from + 12 * HOUR), async (payments) => {
        database.run('DELETE FROM attempts');
        const takings = await takingsOf(day, new SqliteTakings(databaseOf(payments, database)), soon);
        expect(flat(takings)).toEqual(recount(payments, text, ZONE_HOURS));
      }),
      { numRuns: 60 },
    );
  });

  it('are whole in a history of many pages, with three hundred payments under a clock of 1970 in it', async () => {
    const day = calendar.day('2026-06-10', 0);
    const payments = Array.from(
      { length: 1800 },
      (_, index): CountedPayment => ({
        created: index >= 700 && index < 1000 ? index : day.from - 24 * HOUR + index * 3 * 60_000,
        device: DEVICES[0] ?? '',
        kind: 'sale',
        end: 'succeeded',
        currency: 'EUR',
        asked: 100 + index,
        approved: null,
        tip: null,
        scheme: null,
        of: null,
      }),
    );
    const takings = await takingsOf(day, new SqliteTakings(databaseOf(payments)), soon);
    expect(flat(takings)).toEqual(recount(payments, day.day, ZONE_HOURS));
  });

  it('of an empty database, and of a day without payments, are nothing', async () => {
    const day = calendar.day('2026-06-10', 0);
    expect(await takingsOf(day, new SqliteTakings(aMoneyDatabase()), soon)).toEqual({
      day,
      open: 0,
      currencies: [],
    });
  });
});
