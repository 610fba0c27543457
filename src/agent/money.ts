import { existsSync } from 'node:fs';
import type { Clock } from '../base/clock.ts';
import { AppError, hasCode, messageOf } from '../base/errors.ts';
import type { Ids } from '../base/ids.ts';
import type { Log } from '../base/log.ts';
import { ElapsedTime } from '../payment/attempt/elapsed-time.ts';
import type { CopyReason } from '../payment/recovery/database-identity.ts';
import type { DatabaseAge } from '../payment/recovery/restored-database.ts';
import type { Lifecycle } from '../runtime/lifecycle.ts';
import type { StateFolder } from '../runtime/state-folder.ts';
import { ArchivePlace } from '../store/archive/archive-place.ts';
import { ArchivedTimelines } from '../store/archive/archived-timelines.ts';
import { noteAuditCut } from '../store/audit/audit-trail.ts';
import { newestMissed } from '../store/damage/newest-found.ts';
import { examineFirst, UnscannedPages } from '../store/damage/unscanned-pages.ts';
import { Database } from '../store/database.ts';
import { noteBoot } from '../store/epoch/boot-note.ts';
import {
  checkEpoch,
  type Epoch,
  epochKind,
  epochNotes,
  epochOf,
  lostAudit,
  noteEpoch,
  overruled,
} from '../store/epoch/epoch.ts';
import { type FoundNote, readEpochNote } from '../store/epoch/epoch-note.ts';
import { type IdentityFacts, identityFacts } from '../store/epoch/identity-facts.ts';
import { epochElapsed, keptTimeIn } from '../store/epoch/kept-time.ts';
import { beginProcessRun } from '../store/epoch/process-runs.ts';
import { SqliteAnswerStore } from '../store/idempotency/sqlite-answer-store.ts';
import { type Anchor, JournalAnchors } from '../store/journal/journal-anchors.ts';
import { type ChainCheck, chainEnd, isOfJournal } from '../store/journal/journal-chain.ts';
import { JournalWatch } from '../store/journal/journal-watch.ts';
import { SqliteKeyStore } from '../store/keys/sqlite-key-store.ts';
import { SqliteOutboxStore } from '../store/outbox/sqlite-outbox-store.ts';
import { SqlitePaymentStore } from '../store/payments/sqlite-payment-store.ts';
import { SqlitePeopleStore } from '../store/people/sqlite-people-store.ts';
import { SqliteSessionStore } from '../store/people/sqlite-session-store.ts';
import { SqliteSignInStore } from '../store/people/sqlite-sign-in-store.ts';
import { finishRestore } from '../store/restore/finish-restore.ts';
import { MONEY_MIGRATIONS } from '../store/schema/migrations.ts';
import { refuseNewer } from '../store/schema/newer-schema.ts';
import { SqliteIdentityStore } from '../store/terminals/sqlite-identity-store.ts';
import { SqliteWebhookStore } from '../store/webhooks/sqlite-webhook-store.ts';
import { mendPlace } from '../webhooks/feed.ts';
import { askAboutDamage, finishSwap, setAside, wasDamaged } from './damaged-database.ts';
import { beginAsCopy, findIdentity, type StateWitnesses, takeIdentity } from './state-identity.ts';

const NOT_REQUESTED = 'that every page is to be read could not be noted';
const NOT_KEPT = 'how much time has passed could not be noted';
const NOT_NOTED = 'how far the journal has come could not be noted beside the database';

/** The stores of the money database. */
interface MoneyStores {
  readonly payments: SqlitePaymentStore;
  readonly outbox: SqliteOutboxStore;
  readonly identities: SqliteIdentityStore;
  readonly keys: SqliteKeyStore;
  readonly answers: SqliteAnswerStore;
  readonly sessions: SqliteSessionStore;
  readonly people: SqlitePeopleStore;
  readonly signIn: SqliteSignInStore;
  readonly webhooks: SqliteWebhookStore;
}

/** The money database and its stores. */
export interface Money extends MoneyStores {
  readonly database: Database;
  /** The archive of old payments' timelines. */
  readonly archive: ArchivePlace;
  /** What the check of the journal's chain has found so far; a long journal is checked to its end while no payment runs. */
  readonly journal: ChainCheck;
  readonly journalWatch: JournalWatch;
  /** Whether this is the database of the last process run. */
  readonly epoch: Epoch;
  /** Whether its pages still need an integrity scan after an unclean shutdown. */
  readonly unreadPages: UnscannedPages;
  /** The clock of guards and limits. */
  readonly elapsed: ElapsedTime;
  /** The id of this process run: it tells rows of this run from those of an earlier one. */
  readonly processRun: string;
  /** The identity of machine and folder; null: no witness was read. */
  readonly identity: IdentityFacts | null;
  /** Begins an epoch, because the running database was found to be a copy. */
  beginAsCopy(reason: CopyReason): void;
  /** Writes the current end of the journal outside the database. */
  anchorJournal(): void;
}

export interface MoneyDeps {
  readonly folder: StateFolder;
  readonly version: string;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly lifecycle: Lifecycle;
  /** The data that a copy of the folder does not carry; absent: only the files of the folder are compared. */
  readonly witnesses?: StateWitnesses | null;
  /** After an unclean shutdown a database up to this size is scanned before anything else; default 32 MiB. */
  readonly atOnceBytes?: number;
  /** Called once, when the file is not trusted any more: the process must end. */
  readonly onFailure?: (error: AppError) => void;
}

/**
 * Opens the money database of a state folder. A damaged one is set aside, and what could be salvaged takes its place as a database that is not that
 * of the last run.
 * @throws STORAGE_FULL, STORAGE_FAILED, STORAGE_TOO_NEW, RESTORE_PLAN_UNREADABLE
 */
export function openMoney(deps: MoneyDeps): Money {
  const { folder, clock, ids, log, lifecycle } = deps;
  const unreadPages = new UnscannedPages(folder.unreadPages);
  const { database, journalWatch, anchors, ...opened } = openBooks(deps, unreadPages);
  let { epoch } = opened;
  database.onFailure((error) => {
    attempt(() => unreadPages.request('first'), log, NOT_REQUESTED);
    deps.onFailure?.(error);
  });
  const archive = new ArchivePlace(folder.archiveDatabase, deps.version);
  const elapsed = new ElapsedTime(clock, keptTimeIn(database));
  const notes = epochPlaces(database, folder);
  const noteAll = () => {
    for (const { path, whose } of notes) attempt(() => noteEpoch(database, path, whose), log, NOT_NOTED);
  };
  lifecycle.started('money database', () => {
    attempt(() => elapsed.keep(), log, NOT_KEPT);
    noteAll();
    database.close();
    archive.close();
  });
  const noteCommits = notes.map(({ path, whose }) => epochNotes(database, path, whose));
  noteAfterCommits(database, noteCommits, log);
  const stores = storesOf(database, archive, clock);
  askAboutDamage(database, stores.payments, ids, clock.now());
  const processRun = ids.uuid();
  beginProcessRun(database, processRun);
  if (epoch.kind !== 'same') mendPlace(stores.webhooks);
  return {
    ...stores,
    database,
    archive,
    elapsed,
    processRun,
    get journal() {
      return journalWatch.found;
    },
    journalWatch,
    get epoch() {
      return epoch;
    },
    get identity() {
      return identityFacts(database);
    },
    beginAsCopy: (reason) => {
      epoch = beginAsCopy(database, reason, { ids, now: clock.now() });
      noteAll();
    },
    unreadPages,
    anchorJournal: () => {
      anchors.add(chainEnd(database), today(clock));
      noteAll();
    },
  };
}

function storesOf(database: Database, archive: ArchivePlace, clock: Clock): MoneyStores {
  return {
    payments: new SqlitePaymentStore(database, new ArchivedTimelines(database, archive)),
    outbox: new SqliteOutboxStore(database, clock),
    identities: new SqliteIdentityStore(database),
    keys: new SqliteKeyStore(database),
    answers: new SqliteAnswerStore(database),
    sessions: new SqliteSessionStore(database),
    people: new SqlitePeopleStore(database),
    signIn: new SqliteSignInStore(database),
    webhooks: new SqliteWebhookStore(database),
  };
}

/** The notes of how far the journal has come: beside the database, and outside the state folder. */
function epochPlaces(database: Database, { epoch }: StateFolder) {
  const facts = identityFacts(database);
  const beside = { path: epoch, whose: {} };
  if (!facts || facts.outside === null || facts.lack !== null) return [beside];
  return [beside, { path: facts.outside, whose: { instance: facts.instance } }];
}

/** Entries of the audit trail that a note knows and the database does not have: that is noted for good, before the notes are made anew. */
function noteLostAudit(
  database: Database,
  folder: StateFolder,
  { log, now }: { readonly log: Log; readonly now: number },
): void {
  for (const { path } of epochPlaces(database, folder)) {
    const lost = lostAudit(database, foundNote(path));
    if (lost === null) continue;
    noteAuditCut(database, lost, now);
    log.error({ entries: lost.count }, 'entries of the audit trail of people and keys were removed');
    return;
  }
}

/** A note that cannot be read proves nothing. */
function foundNote(path: string): FoundNote {
  try {
    return readEpochNote(path);
  } catch {
    return { kind: 'missing' };
  }
}

interface Books extends Pick<Money, 'database' | 'epoch' | 'journalWatch'> {
  readonly anchors: JournalAnchors;
}

/** Scans every page of a small database after an unclean shutdown; else the pages that the start reads anyway must be enough. */
function openBooks(deps: MoneyDeps, unread: UnscannedPages): Books {
  const { folder, clock, version, log, atOnceBytes } = deps;
  const path = folder.moneyDatabase;
  finishRestoreIn(folder, log);
  finishSwap(path, log);
  finishSwap(folder.archiveDatabase, log);
  const isLater = refuseNewer(path, MONEY_MIGRATIONS.length, version);
  const aside = (what: string) => {
    if (isLater) throw damagedLater(path, what);
    setAside(path, what, { on: today(clock), version, log });
    unread.settle();
  };
  const endedBadly = folder.cutShort === true || existsSync(`${path}-wal`);
  const flaw = examineFirst(path, { endedBadly, unread, ...(atOnceBytes !== undefined && { atOnceBytes }) });
  if (flaw !== null) aside(flaw);
  try {
    return readBooks(deps, !isLater && unread.pending === 'later');
  } catch (error) {
    if (isFailing(error)) attempt(() => unread.request('first'), log, NOT_REQUESTED);
    if (!hasCode(error, 'STORAGE_DAMAGED') && !hasCode(error, 'JOURNAL_UNREADABLE')) throw error;
    aside(error.message);
    return readBooks(deps);
  }
}

/** A restore that was interrupted behind its plan is finished before anything is read. */
function finishRestoreIn({ moneyDatabase: database, epoch, unreadPages }: StateFolder, log: Log): void {
  const plan = finishRestore({ database, epoch, unreadPages });
  if (plan !== null)
    log.error(
      { files: plan.swaps.map(({ target }) => target) },
      'a restore that was interrupted was finished',
    );
}

/** Whether the disk failed; a file that is busy, or not accessible, is no disk failure. */
function isFailing(error: unknown): boolean {
  return error instanceof AppError && String(error.context['sqlite']).startsWith('SQLITE_IOERR');
}

/** A release that does not know all tables would save only those that it knows. */
function damagedLater(path: string, what: string): AppError {
  return new AppError(
    'STORAGE_TOO_NEW',
    `${path} is damaged (${what}), and a later release wrote it: install that one, which saves all that can be saved. Nothing in it was changed.`,
  );
}

/** @param isUnread its pages are scanned later: what guards rely on is checked now */
function readBooks(deps: MoneyDeps, isUnread = false): Books {
  const { folder, version, clock, ids, log, witnesses } = deps;
  const database = Database.open(folder.moneyDatabase, MONEY_MIGRATIONS, version);
  try {
    const missed = isUnread ? newestMissed(database) : null;
    if (missed !== null) throw new AppError('STORAGE_DAMAGED', missed);
    const anchors = new JournalAnchors(folder.journalAnchors);
    const identity = witnesses ? findIdentity(database, witnesses) : null;
    const outside = identity?.outside ?? 'same';
    const hadJournal =
      anchors.read().some(({ count, restored }) => count > 0 || restored) ||
      wasDamaged(database) ||
      (identity?.hadJournal ?? false);
    const kind = overruled(epochKind(database, readEpochNote(folder.epoch)), hadJournal, outside);
    // The anchors come first: once the new epoch is noted, it no longer shows that they belong to another journal.
    if (kind !== 'same' && kind !== 'new') {
      const isOfIt = (anchor: Anchor) => isOfJournal(database, anchor);
      anchors.restored(chainEnd(database), today(clock), isOfIt);
    }
    if (kind === 'same') noteLostAudit(database, folder, { log, now: clock.now() });
    const fresh = ids.uuid();
    const begin = () => checkEpoch(database, folder.epoch, fresh, clock.now(), hadJournal, outside);
    const next = { epoch: (kind === 'same' ? epochOf(database) : null) ?? fresh, begin };
    const epoch =
      identity && witnesses ? takeIdentity(database, identity, next, { witnesses, ids, log }) : begin();
    noteBoot(database, witnesses?.boot ?? null);
    if (epoch.kind !== 'same' && epoch.kind !== 'new') {
      log.error(
        { file: folder.epoch, kind: epoch.kind },
        'this is not the memory that was here before: compare the last payments',
      );
    }
    const journalWatch = new JournalWatch(database, anchors.read());
    if (database.failure) throw database.failure;
    logBreak(journalWatch.found, log);
    return { database, epoch, journalWatch, anchors };
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Logs which row of the journal does not fit. */
export function logBreak(journal: ChainCheck, log: Log): void {
  if (journal.kind !== 'broken') return;
  const { seq: row, attemptId: attempt, what } = journal;
  log.error({ row, attempt, what }, 'journal was tampered with');
}

function today(clock: Clock): string {
  return new Date(clock.now()).toISOString().slice(0, 10);
}

/**
 * Notes how far the journal has come once a commit is on disk, never before: after a power cut the note would report a lost journal. The note is a
 * witness, and no reason to fail a payment.
 */
function noteAfterCommits(database: Database, notes: readonly (() => void)[], log: Log): void {
  database.onCommitted(() => {
    for (const one of notes) attempt(one, log, NOT_NOTED);
  });
}

function attempt(note: () => void, log: Log, otherwise: string): void {
  try {
    note();
  } catch (error) {
    log.warn({ error: messageOf(error) }, otherwise);
  }
}

/**
 * What the payment core must know of the database's identity. A restored database stays one through restarts, and a running database may be found to
 * be a copy.
 */
export function databaseAgeIn(
  money: Pick<Money, 'database' | 'epoch' | 'identity' | 'elapsed' | 'beginAsCopy'>,
): DatabaseAge {
  const databaseAgeNow = () => {
    const { since, id } = money.epoch;
    const lost = since > 0;
    if (lost) epochElapsed(money.database, id, money.elapsed.now());
    return { since, lost, id };
  };
  let age = databaseAgeNow();
  let copied = money.identity?.copied ?? null;
  return {
    get since() {
      return age.since;
    },
    get lost() {
      return age.lost;
    },
    get sinceElapsed() {
      return age.lost ? epochElapsed(money.database, age.id, money.elapsed.now()) : 0;
    },
    get copied() {
      return copied;
    },
    begin: (reason) => {
      money.beginAsCopy(reason);
      age = databaseAgeNow();
      copied = reason;
    },
  };
}
