import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { silentLog } from '../../../src/base/log.ts';
import { createBody, resultBody } from '../../../src/outbox/reports.ts';
import { ElapsedTime } from '../../../src/payment/attempt/elapsed-time.ts';
import { PaymentWriter } from '../../../src/payment/payment-writer.ts';
import { systemIds } from '../../../src/runtime/system-ids.ts';
import { ArchivePlace } from '../../../src/store/archive/archive-place.ts';
import { Archiver } from '../../../src/store/archive/archiver.ts';
import { Database } from '../../../src/store/database.ts';
import { keptTimeIn } from '../../../src/store/epoch/kept-time.ts';
import { SqlitePaymentStore } from '../../../src/store/payments/sqlite-payment-store.ts';
import { MONEY_MIGRATIONS } from '../../../src/store/schema/migrations.ts';
import { SqliteIdentityStore } from '../../../src/store/terminals/sqlite-identity-store.ts';
import { aNewAttempt, aReport } from '../../support/attempts.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';

/** Payments that are in the log alone when the database is copied beside it. */
const IN_LOG = 30;
const AT_ONCE = 50;
const APART_MS = 20_000;
/** A payment takes so many rows of the journal. */
const ROWS_OF_A_PAYMENT = 5;

/** The same books twice: at rest in one file, and with their last payments in a log beside it. */
export interface SampleDatabases {
  readonly atRest: string;
  readonly withLog: string;
  /** Before the archive took its rows: with everything that was deleted since. */
  readonly ever: string;
}

/**
 * Writes a database of paid sales with their keys, journal, events and reports. The journal of the oldest half was archived, so that the
 * file has free pages that hold deleted rows.
 */
export function writeSampleDatabases(folder: string, payments: number): SampleDatabases {
  const path = join(folder, 'money.db');
  const [atRest, withLog, ever] = ['at-rest.db', 'with-log.db', 'ever.db'].map((name) =>
    join(folder, name),
  ) as [string, string, string];
  const archive = new ArchivePlace(join(folder, 'archive.db'), '0.1.0');
  const money = Database.open(path, MONEY_MIGRATIONS, '0.1.0');
  const clock = new VirtualClock();
  const writer = writerOn(money, clock);
  let count = 0;
  const sell = (many: number) => {
    for (const end = count + many; count < end; )
      money.transaction(() => {
        for (const stop = Math.min(end, count + AT_ONCE); count < stop; count += 1) pay(writer, count);
      });
  };
  const older = Math.floor(payments * 0.8);
  sell(older);
  money.run("UPDATE outbox SET state = 'done', tries = 1, done_at = created_at");
  money.get('PRAGMA wal_checkpoint(TRUNCATE)');
  copyFileSync(path, ever);
  archiveOldest(money, archive, Math.floor(payments / 2) * ROWS_OF_A_PAYMENT);
  sell(payments - IN_LOG - older);
  money.get('PRAGMA wal_checkpoint(TRUNCATE)');
  copyFileSync(path, atRest);
  sell(IN_LOG);
  copyFileSync(path, withLog);
  copyFileSync(`${path}-wal`, `${withLog}-wal`);
  money.close();
  archive.close();
  return { atRest, withLog, ever };
}

function writerOn(money: Database, clock: VirtualClock): PaymentWriter {
  return new PaymentWriter({
    store: new SqlitePaymentStore(money),
    clock,
    elapsed: new ElapsedTime(clock, keptTimeIn(money)),
    ids: systemIds,
    log: silentLog,
    reports: {
      create: (attempt) => createBody(attempt, 'agent-1'),
      result: (attempt) => resultBody(attempt, 'agent-1'),
    },
    terminals: new SqliteIdentityStore(money),
    policyOf: () => ({ lateApproval: 'void', partialApproval: 'void', canVoid: false }),
  });
}

function pay(writer: PaymentWriter, number: number): void {
  const id = `0199c0de-0000-7000-8000-${String(number).padStart(12, '0')}`;
  const createdAt = 1_000_000 + number * APART_MS;
  const amount = { minor: 100 + ((number * 7919) % 20_000), currency: 'EUR' } as const;
  const body = JSON.stringify({ data: { id, amount, words: 'x'.repeat(900) } });
  const key = {
    key: id,
    caller: 'socket',
    fingerprint: `f${number}`,
    requestId: id,
    answer: () => ({ status: 201, body }),
  };
  writer.open(
    aNewAttempt({ id, amount, reference: `basket ${number}`, createdAt, expiresAt: createdAt + 60_000 }),
    { key },
  );
  writer.apply(id, { type: 'dispatch' }, {});
  writer.apply(id, { type: 'accepted' });
  const report = aReport({ number: String(number % 10_000).padStart(4, '0'), amountMinor: amount.minor });
  writer.apply(id, { type: 'reported', verdict: 'approved' }, { report });
  writer.apply(
    id,
    { type: 'ended', as: 'approved', amount: 'as_asked' },
    { report, evidence: { kind: 'dialogue', report } },
  );
}

function archiveOldest(money: Database, place: ArchivePlace, rows: number): void {
  const archiver = new Archiver({ money, archive: () => place.archive() });
  for (let moved = 0; moved < rows; ) {
    const turn = archiver.turn(Number.MAX_SAFE_INTEGER, 1);
    if (turn === 'nothing') throw new Error(`only ${moved} rows can be archived`);
    if (turn === 'moved') moved += 50;
  }
}
