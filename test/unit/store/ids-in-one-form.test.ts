import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Database } from '../../../src/store/database.ts';
import { SqlitePaymentStore } from '../../../src/store/payments/sqlite-payment-store.ts';
import { MONEY_MIGRATIONS } from '../../../src/store/schema/migrations.ts';
import { SqliteIdentityStore } from '../../../src/store/terminals/sqlite-identity-store.ts';
import { anAttempt, DEVICE_ID } from '../../support/attempts.ts';
import { aFolder, aMoneyDatabase } from '../../support/money-database.ts';
import { insertIntoOlder } from '../../support/older-books.ts';

const STEP = MONEY_MIGRATIONS.findIndex(({ name }) => name === 'ids-in-one-form');
const INVOICE = '0199c0de-0001-7000-8000-00000000000b';
const SERVICE_ID = '0199c0de-0002-7000-8000-00000000000c';
const WORDS = 'INVOICE-ABCD-1';
const idOf = (no: number) => `0199c0de-0000-7000-8000-${String(no).padStart(12, '0')}`;
const BY_INVOICE = { reference: null, referenceSince: 0, deviceId: '', amountMinor: 0, amountSince: 0 };

/** Books of the release before: a sale of an invoice whose id the service wrote in capitals, on a device of the same kind. */
function olderBooks(): string {
  const path = join(aFolder(), 'money.db');
  const database = Database.open(path, MONEY_MIGRATIONS.slice(0, STEP), '0.1.0');
  const store = new SqlitePaymentStore(database);
  const ended = { state: { name: 'succeeded' }, completedAt: 2_000_000 } as const;
  const deviceId = DEVICE_ID.toUpperCase();
  const origin = { kind: 'service', serviceId: SERVICE_ID.toUpperCase() } as const;
  const invoiceId = INVOICE.toUpperCase();
  insertIntoOlder(database, anAttempt({ id: idOf(1), invoiceId, deviceId, origin, ...ended }));
  insertIntoOlder(database, anAttempt({ id: idOf(2), invoiceId: WORDS, reference: ' R ', ...ended }));
  store.bindServiceId(SERVICE_ID.toUpperCase(), idOf(1));
  const identity = { serial: '17F00001', grade: 'serial', model: 'M', firmware: '1' } as const;
  new SqliteIdentityStore(database).rememberIdentity(deviceId, identity, 1);
  database.close();
  return path;
}

describe('books of a release that kept ids as they came', () => {
  it('show what stands of an invoice under its id in any letters, and the payment under its id at the service', () => {
    const store = new SqlitePaymentStore(aMoneyDatabase(olderBooks()));
    expect(store.possibleDuplicates({ ...BY_INVOICE, invoiceId: INVOICE }).map(({ id }) => id)).toEqual([
      idOf(1),
    ]);
    expect(store.attemptOfServiceId(SERVICE_ID)).toMatchObject({
      id: idOf(1),
      deviceId: DEVICE_ID,
      invoiceId: INVOICE,
      origin: { kind: 'service', serviceId: SERVICE_ID },
    });
  });

  it('leave an id that is no UUID in its letters, and take blanks from a reference', () => {
    const store = new SqlitePaymentStore(aMoneyDatabase(olderBooks()));
    expect(store.findAttempt(idOf(2))).toMatchObject({ invoiceId: WORDS, reference: 'R' });
  });

  it('go on knowing which terminal serves a device', () => {
    const identities = new SqliteIdentityStore(aMoneyDatabase(olderBooks()));
    expect(identities.identityOf(DEVICE_ID)).toMatchObject({ serial: '17F00001' });
  });
});
