import { Database } from '../../src/store/database.ts';
import { SqlitePaymentStore } from '../../src/store/payments/sqlite-payment-store.ts';
import { MONEY_MIGRATIONS } from '../../src/store/schema/migrations.ts';
import { anAttempt, DEVICE_ID } from './attempts.ts';
import { beginOlderEpoch, insertIntoOlder } from './older-books.ts';

const STEP = MONEY_MIGRATIONS.findIndex(({ name }) => name === 'ids-in-one-form');
const ENDED_AT = 2_000_000;
/** An id with letters in it, of payment, invoice and service (`kind`) number `no`. */
const idOf = (kind: string, no: number) => `0199c0de-${kind}-7abc-8def-${String(no).padStart(12, '0')}`;

export const paymentId = (no: number) => idOf('0000', no);
export const invoiceId = (no: number) => idOf('000a', no);
export const serviceId = (no: number) => idOf('000b', no);

/**
 * Writes the books of the release that kept ids as they came: so many sales that succeeded, every id in capitals.
 * @param note where the epoch is noted, for a daemon that is to find its own books
 */
export function writeOlderBooks(path: string, payments: number, note: string | null = null): void {
  const database = Database.open(path, MONEY_MIGRATIONS.slice(0, STEP), '0.1.0');
  if (note !== null) beginOlderEpoch(database, note, paymentId(0));
  const store = new SqlitePaymentStore(database);
  database.transaction(() => {
    for (let no = 1; no <= payments; no += 1) {
      const origin = { kind: 'service', serviceId: serviceId(no).toUpperCase() } as const;
      const asked = { id: paymentId(no), invoiceId: invoiceId(no).toUpperCase(), reference: ` R-${no}` };
      const ended = { state: { name: 'succeeded' }, dispatchedAt: ENDED_AT, completedAt: ENDED_AT } as const;
      insertIntoOlder(database, anAttempt({ ...asked, deviceId: DEVICE_ID.toUpperCase(), origin, ...ended }));
      store.bindServiceId(serviceId(no).toUpperCase(), paymentId(no));
    }
    database.run('UPDATE attempts SET batch = 1, day = 1');
  });
  database.close();
}
