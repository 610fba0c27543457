import type { Clock } from '../base/clock.ts';
import type { Ids } from '../base/ids.ts';
import type { Log } from '../base/log.ts';
import type { Lifecycle } from '../runtime/lifecycle.ts';
import type { StateFolder } from '../runtime/state-folder.ts';
import { Database } from '../store/database.ts';
import { checkEpoch } from '../store/epoch.ts';
import { JournalAnchors } from '../store/journal-anchors.ts';
import { type ChainCheck, chainEnd, checkChain } from '../store/journal-chain.ts';
import { MONEY_MIGRATIONS } from '../store/migrations.ts';
import { SqliteIdentityStore } from '../store/sqlite-identity-store.ts';
import { SqliteKeyStore } from '../store/sqlite-key-store.ts';
import { SqliteOutboxStore } from '../store/sqlite-outbox-store.ts';
import { SqlitePaymentStore } from '../store/sqlite-payment-store.ts';

/** The money database and the stores that live in it. */
export interface Money {
  readonly database: Database;
  readonly payments: SqlitePaymentStore;
  readonly outbox: SqliteOutboxStore;
  readonly identities: SqliteIdentityStore;
  readonly keys: SqliteKeyStore;
  /** What the check of the journal's chain found at the start. */
  readonly journal: ChainCheck;
  /** Notes outside the database where the journal ends today; at most one note a day. */
  anchorJournal(): void;
}

export interface MoneyPorts {
  readonly folder: StateFolder;
  readonly version: string;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly lifecycle: Lifecycle;
}

/**
 * Opens the money database of a state folder.
 * @throws STORAGE_FAILED, STORAGE_TOO_NEW
 */
export function openMoney({ folder, version, clock, ids, log, lifecycle }: MoneyPorts): Money {
  const database = Database.open(folder.moneyDatabase, MONEY_MIGRATIONS, version);
  lifecycle.started('money database', () => database.close());
  if (checkEpoch(database, folder.epoch, ids.uuid()) === 'other') {
    log.error(
      { file: folder.epoch },
      'this is not the database that was here before: compare the last payments',
    );
  }
  const anchors = new JournalAnchors(folder.journalAnchors);
  const journal = checkChain(database, anchors.read());
  if (journal.kind === 'broken') {
    log.error(
      { row: journal.seq, attempt: journal.attemptId, what: journal.what },
      'journal was tampered with',
    );
  }
  return {
    database,
    payments: new SqlitePaymentStore(database),
    outbox: new SqliteOutboxStore(database, clock),
    identities: new SqliteIdentityStore(database),
    keys: new SqliteKeyStore(database),
    journal,
    anchorJournal: () => anchors.add(chainEnd(database), new Date(clock.now()).toISOString().slice(0, 10)),
  };
}
