import { describe, expect, it } from 'vitest';
import type { Attempt } from '../../../src/payment/attempt/attempt.ts';
import type { DuplicateSearch } from '../../../src/payment/ports.ts';
import { SqlitePaymentStore } from '../../../src/store/payments/sqlite-payment-store.ts';
import { anAttempt } from '../../support/attempts.ts';
import { aMoneyDatabase } from '../../support/money-database.ts';

const NOW = 1_000_000;
const BY_AMOUNT: DuplicateSearch = {
  invoiceId: null,
  reference: null,
  referenceSince: NOW - 100,
  deviceId: 'd1',
  amountMinor: 500,
  amountSince: NOW - 10,
};
const STATES: readonly Attempt['state'][] = [
  { name: 'requested' },
  { name: 'accepted', lastVerdict: null },
  { name: 'in_doubt', hadApproval: false },
  { name: 'succeeded' },
  { name: 'declined' },
  { name: 'cancelled' },
  { name: 'error' },
];
const NOTHING_MOVED = ['declined', 'cancelled', 'error'];
/** Around every edge that a search has. */
const ENDS = [5, NOW - 101, NOW - 100, NOW - 11, NOW - 10, NOW + 60_000];

const all = everySale();

describe('the search for the same sale', () => {
  it.each([
    ['under an invoice', { ...BY_AMOUNT, invoiceId: 'i1' }],
    ['under a reference', { ...BY_AMOUNT, reference: 'r1' }],
    ['under both', { ...BY_AMOUNT, invoiceId: 'i1', reference: 'r1' }],
    ['under an invoice and the reference of others', { ...BY_AMOUNT, invoiceId: 'i2', reference: 'r1' }],
    ['under a name that nothing has', { ...BY_AMOUNT, invoiceId: 'i9', reference: 'r9' }],
    ['of the same amount', BY_AMOUNT],
    ['of an amount that nothing has', { ...BY_AMOUNT, amountMinor: 7 }],
  ])('finds what may have charged %s, each once, in its order', (_what, search) => {
    const store = aFullStore();
    const found = store.possibleDuplicates(search).map(({ id }) => id);
    expect(found).toEqual(all.filter((sale) => isDuplicate(sale, search)).map(({ id }) => id));
  });

  it('had something to find in each way', () => {
    const store = aFullStore();
    const of = (search: Partial<DuplicateSearch>) => store.possibleDuplicates({ ...BY_AMOUNT, ...search });
    const byReference = of({ reference: 'r1' });
    expect(of({ invoiceId: 'i1' }).some(({ completedAt }) => completedAt === null)).toBe(true);
    expect(of({ invoiceId: 'i1' }).some(({ completedAt }) => completedAt === 5)).toBe(true);
    expect(byReference.some(({ completedAt }) => completedAt === null)).toBe(true);
    expect(byReference.some(({ completedAt }) => completedAt === NOW - 100)).toBe(true);
    expect(byReference.some(({ completedAt }) => completedAt === 5)).toBe(false);
    expect(of({}).some(({ completedAt }) => completedAt === null)).toBe(true);
    expect(of({}).some(({ completedAt }) => completedAt === NOW - 10)).toBe(true);
  });
});

/** What the rules ask for, told by looking at every payment. */
function isDuplicate(sale: Attempt, search: DuplicateSearch): boolean {
  if (NOTHING_MOVED.includes(sale.state.name)) return false;
  const { invoiceId, reference, completedAt } = sale;
  if (search.invoiceId === null && search.reference === null) {
    const isSame = sale.deviceId === search.deviceId && sale.amount.minor === search.amountMinor;
    return isSame && (completedAt === null || completedAt >= search.amountSince);
  }
  if (search.invoiceId !== null && invoiceId === search.invoiceId) return true;
  if (search.reference === null || reference !== search.reference) return false;
  return completedAt === null || completedAt >= search.referenceSince;
}

function everySale(): readonly Attempt[] {
  const sales: Attempt[] = [];
  const names = [null, 'i1', 'i2'].flatMap((invoiceId) =>
    [null, 'r1', 'r2'].map((reference) => ({ invoiceId, reference })),
  );
  const places = [
    { deviceId: 'd1', minor: 500 },
    { deviceId: 'd1', minor: 600 },
    { deviceId: 'd2', minor: 500 },
  ];
  for (const name of names)
    for (const { deviceId, minor } of places)
      for (const { state, completedAt } of courses()) {
        const id = `0199c0de-0000-7000-8000-${String(sales.length).padStart(12, '0')}`;
        sales.push(
          anAttempt({ id, ...name, deviceId, amount: { minor, currency: 'EUR' }, state, completedAt }),
        );
      }
  return sales;
}

function courses(): readonly Pick<Attempt, 'state' | 'completedAt'>[] {
  const open = ['requested', 'accepted', 'in_doubt'];
  const endsOf = (name: string) => (open.includes(name) ? [null] : ENDS);
  return STATES.flatMap((state) => endsOf(state.name).map((completedAt) => ({ state, completedAt })));
}

function aFullStore(): SqlitePaymentStore {
  const database = aMoneyDatabase();
  const store = new SqlitePaymentStore(database);
  database.transaction(() => {
    for (const sale of all) store.insertAttempt(sale);
  });
  return store;
}
