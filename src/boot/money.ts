import type { Clock } from '../base/clock.ts';
import { messageOf } from '../base/errors.ts';
import type { Ids } from '../base/ids.ts';
import type { Log } from '../base/log.ts';
import type { Memory } from '../payment/memory.ts';
import type { Lifecycle } from '../runtime/lifecycle.ts';
import type { StateFolder } from '../runtime/state-folder.ts';
import { Database } from '../store/database.ts';
import { checkEpoch, type Epoch, epochNotes, noteEpoch } from '../store/epoch.ts';
import { JournalAnchors } from '../store/journal-anchors.ts';
import { type ChainCheck, chainEnd, checkChain, hashAt } from '../store/journal-chain.ts';
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
  /** Whether this is the memory that was here last time. */
  readonly epoch: Epoch;
  /** Notes outside the database where the journal ends now. */
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
  lifecycle.started('money database', () => {
    noteEpoch(database, folder.epoch);
    database.close();
  });
  const anchors = new JournalAnchors(folder.journalAnchors);
  const hadJournal = anchors.read().some(({ count, restored }) => count > 0 || restored);
  const epoch = checkEpoch(database, folder.epoch, ids.uuid(), clock.now(), hadJournal);
  const today = () => new Date(clock.now()).toISOString().slice(0, 10);
  if (epoch.kind !== 'same' && epoch.kind !== 'new') {
    log.error(
      { file: folder.epoch, kind: epoch.kind },
      'this is not the memory that was here before: compare the last payments',
    );
    anchors.restored(chainEnd(database), today(), ({ count, hash }) => hashAt(database, count) === hash);
  }
  const journal = checkChain(database, anchors.read());
  if (journal.kind === 'broken') {
    log.error(
      { row: journal.seq, attempt: journal.attemptId, what: journal.what },
      'journal was tampered with',
    );
  }
  noteAfterCommits(database, epochNotes(database, folder.epoch), log);
  return {
    database,
    payments: new SqlitePaymentStore(database),
    outbox: new SqliteOutboxStore(database, clock),
    identities: new SqliteIdentityStore(database),
    keys: new SqliteKeyStore(database),
    journal,
    epoch,
    anchorJournal: () => {
      anchors.add(chainEnd(database), today());
      noteEpoch(database, folder.epoch);
    },
  };
}

/** Notes how far the journal has come once a commit is on disk; that note is a witness, and no reason to fail a payment. */
function noteAfterCommits(database: Database, note: () => void, log: Log): void {
  const transaction = database.transaction.bind(database);
  let depth = 0;
  database.transaction = (work) => {
    depth += 1;
    try {
      return transaction(work);
    } finally {
      depth -= 1;
      if (depth === 0) attempt(note, log);
    }
  };
}

function attempt(note: () => void, log: Log): void {
  try {
    note();
  } catch (error) {
    log.warn(
      { error: messageOf(error) },
      'how far the journal has come could not be noted beside the database',
    );
  }
}

/**
 * What the payment core must know of its memory; a lost one stays lost through restarts, until somebody has compared.
 * @param monotonic now
 */
export function memoryOf({ kind, since }: Epoch, monotonic: number): Memory {
  const beganNow = kind !== 'same' && kind !== 'new';
  return { since, lost: since > 0, ...(beganNow ? { began: monotonic } : {}) };
}
