import { basename } from 'node:path';
import Sqlite from 'better-sqlite3';
import { AppError, messageOf } from '../base/errors.ts';
import { DeferredFsync } from './disk/deferred-fsync.ts';
import { takeStep } from './schema/migration-step.ts';
import type { Migration } from './schema/migrations.ts';
import { refuseNewer } from './schema/newer-schema.ts';
import { laterRelease } from './schema/release.ts';
import { type StorageFault, storageError } from './storage-error.ts';

/** Older releases of SQLite can lose a commit when the WAL is reset while a connection reads. */
const OLDEST_SQLITE = [3, 51, 3] as const;
/** A commit may have to wait for a reader's checkpoint; far below the shortest time limit of a terminal (T3, 5 s). */
const BUSY_TIMEOUT_MS = 2000;
/** `full`: a commit is on disk when it returns. `normal`: a power cut may lose the last commits; for data that can be read again elsewhere. */
export type Durability = 'full' | 'normal';
/**
 * After so many pages SQLite checkpoints the log by itself. For payments tilld checkpoints while no payment runs, and this is only the fallback (16
 * MiB); the log of data that can be read again has no other checkpoint, and stays below 8 MiB.
 */
const CHECKPOINT_PAGES: Readonly<Record<Durability, number>> = { full: 4000, normal: 1250 };
/** Page cache per connection; the system's cache has the rest. better-sqlite3 would take 16 MB for each file. */
const CACHE_KIB = 2_048;

/** The values of `PRAGMA synchronous`. */
const SYNCHRONOUS: Readonly<Record<Durability, number>> = { normal: 1, full: 2 };

/**
 * An open SQLite file whose commits survive a power cut, or with `normal` durability at least are never half lost.
 *
 * INVARIANTS:
 * - WAL and the requested durability are set, read back and asserted at every open;
 * - one writer connection per file;
 * - `transaction` returns when its work is on disk, except for what {@link Database.deferSync} defers;
 * - a deferred commit is announced only once it is on disk, by `flush` or `onDurable`;
 * - once the disk has failed, or a page was found damaged, nothing is read or written any more: what is in memory may be on no disk.
 */
export class Database {
  readonly path: string;
  readonly #listeners: {
    readonly failure: ((error: AppError) => void)[];
    readonly fault: ((fault: StorageFault) => void)[];
    readonly committed: (() => void)[];
  } = { failure: [], fault: [], committed: [] };
  readonly #sqlite: Sqlite.Database;
  readonly #statements = new Map<string, Sqlite.Statement<unknown[], unknown>>();
  readonly #inTransaction: Sqlite.Transaction<(work: () => unknown) => unknown>;
  readonly #deferredFsync: DeferredFsync;
  readonly #isDurable: boolean;
  #isDeferring = false;
  #onDurable: (() => void)[] = [];
  #writeCounter = 0;
  #failure: AppError | null = null;

  private constructor(sqlite: Sqlite.Database, path: string, durability: Durability) {
    this.#sqlite = sqlite;
    this.path = path;
    this.#isDurable = durability === 'full';
    this.#deferredFsync = new DeferredFsync(sqlite, path);
    this.#inTransaction = sqlite.transaction((work) => work());
  }

  /**
   * Opens or creates the file and migrates it to the newest schema.
   * @throws STORAGE_TOO_NEW when a later release wrote it; STORAGE_DAMAGED when its pages are not what was written; STORAGE_FULL; STORAGE_FAILED when
   * it cannot be opened or does not promise durability.
   */
  static open(
    path: string,
    migrations: readonly Migration[],
    appVersion: string,
    durability: Durability = 'full',
  ): Database {
    let sqlite: Sqlite.Database | undefined;
    try {
      refuseNewer(path, migrations.length, appVersion);
      sqlite = new Sqlite(path, { timeout: BUSY_TIMEOUT_MS });
      assertVersion(sqlite);
      makeDurable(sqlite, durability);
      migrate(sqlite, migrations);
      return new Database(sqlite, path, durability);
    } catch (error) {
      sqlite?.close();
      throw openingError(error, path);
    }
  }

  /** The write counter: it rises with every write, every rollback and the close. While it stays the same, earlier reads are still valid. */
  get writeCounter(): number {
    return this.#writeCounter;
  }

  /** The error after which the file is not trusted any more; null: there was none. */
  get failure(): AppError | null {
    return this.#failure;
  }

  /** Calls `listener` once, when the file is not trusted any more: the process must end, and the next start reads what is really on disk. */
  onFailure(listener: (error: AppError) => void): void {
    this.#listeners.failure.push(listener);
  }

  /** Calls `listener` each time the disk rejects a commit, before the caller gets the error. Not for a failed read or checkpoint. */
  onFault(listener: (fault: StorageFault) => void): void {
    this.#listeners.fault.push(listener);
  }

  /** Calls `listener` after each transaction, once every commit is on disk. It must not throw. */
  onCommitted(listener: () => void): void {
    this.#listeners.committed.push(listener);
  }

  /** @throws STORAGE_FULL, STORAGE_FAILED, STORAGE_DAMAGED when the work is not on disk; nothing of it is then. */
  transaction<T>(work: () => T): T {
    const result = this.#committing(() => {
      try {
        return this.#synced(() => this.#inTransaction.immediate(work) as T);
      } catch (error) {
        this.#writeCounter += 1;
        throw error;
      }
    });
    this.#notifyDurable();
    this.#notifyCommitted();
    return result;
  }

  /** Commits in `work` may reach the disk later: with the next commit, or with `flush`. */
  deferSync<T>(work: () => T): T {
    const before = this.#isDeferring;
    this.#isDeferring = this.#isDurable;
    try {
      return work();
    } finally {
      this.#isDeferring = before;
    }
  }

  /** Whether every commit is on disk. */
  get isDurable(): boolean {
    return !this.#deferredFsync.isPending;
  }

  /** Waits until every commit is on disk. @throws STORAGE_FAILED: then nothing is read or written any more */
  flush(): void {
    if (this.isDurable) return;
    try {
      this.#deferredFsync.sync();
    } catch (cause) {
      this.fail(new AppError('STORAGE_FAILED', `the disk failed: ${messageOf(cause)}`, { cause }));
    }
    if (this.#failure) throw this.#failure;
    this.#notifyDurable();
    this.#notifyCommitted();
  }

  /** Calls `heard` once every commit is on disk: at once, or later. It must not throw. */
  onDurable(heard: () => void): void {
    this.#onDurable.push(heard);
    this.#notifyDurable();
  }

  run(sql: string, ...values: readonly unknown[]): number {
    this.#writeCounter += 1;
    const changes = this.#committing(() => this.#synced(() => this.#prepare(sql).run(...values).changes));
    this.#notifyDurable();
    return changes;
  }

  get(sql: string, ...values: readonly unknown[]): unknown {
    return this.#guarded(() => this.#prepare(sql).get(...values));
  }

  all(sql: string, ...values: readonly unknown[]): readonly unknown[] {
    return this.#guarded(() => this.#prepare(sql).all(...values));
  }

  /** Moves the content of the WAL into the file; call it while no payment runs. @throws STORAGE_FULL, STORAGE_FAILED */
  checkpoint(): void {
    this.get('PRAGMA wal_checkpoint(PASSIVE)');
  }

  /**
   * A write that changes nothing, after which an emptied log begins again at its first frame. SQLite would not write a row with an unchanged value.
   */
  touch(): void {
    this.#writeCounter += 1;
    const write = () => {
      const version = Number(this.#sqlite.pragma('user_version', { simple: true }));
      this.#sqlite.exec(`PRAGMA user_version = ${version}`);
    };
    this.#committing(() => (this.#isDurable ? this.#deferredFsync.unsynced(write) : write()));
  }

  /** Runs work that does not wait for another connection. */
  withoutBusyTimeout<T>(work: () => T): T {
    this.#sqlite.pragma('busy_timeout = 0');
    try {
      return work();
    } finally {
      this.#sqlite.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
    }
  }

  /** Stops all use of this file: its disk failed in a way that SQLite did not see. */
  fail(error: AppError): void {
    if (this.#failure) return;
    this.#failure = error;
    for (const listener of this.#listeners.failure) listener(error);
  }

  close(): void {
    this.#writeCounter += 1;
    if (this.#sqlite.open) this.#sqlite.close();
  }

  /** Inside a transaction nothing is synced: its end decides. */
  #synced<T>(commit: () => T): T {
    if (this.#sqlite.inTransaction) return commit();
    return this.#isDeferring ? this.#deferredFsync.later(commit) : this.#deferredFsync.now(commit);
  }

  #notifyDurable(): void {
    if (this.#onDurable.length === 0 || this.#deferredFsync.isPending || this.#sqlite.inTransaction) return;
    const heard = this.#onDurable;
    this.#onDurable = [];
    for (const one of heard) one();
  }

  #notifyCommitted(): void {
    if (this.#deferredFsync.isPending || this.#sqlite.inTransaction) return;
    for (const listener of this.#listeners.committed) listener();
  }

  #committing<T>(work: () => T): T {
    return this.#guarded(work, (fault) => {
      for (const listener of this.#listeners.fault) listener(fault);
    });
  }

  #guarded<T>(work: () => T, onFault?: (fault: StorageFault) => void): T {
    if (this.#failure) throw this.#failure;
    try {
      return work();
    } catch (cause) {
      const { error, fault } = storageError(cause, this.path);
      if (fault !== null) onFault?.(fault);
      if (error instanceof AppError && isFatal(fault)) this.fail(error);
      throw error;
    }
  }

  #prepare(sql: string): Sqlite.Statement<unknown[], unknown> {
    const known = this.#statements.get(sql);
    if (known) return known;
    const statement = this.#sqlite.prepare<unknown[], unknown>(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
}

function assertVersion(sqlite: Sqlite.Database): void {
  const version = String(sqlite.prepare('SELECT sqlite_version()').pluck().get());
  const parts = version.split('.').map(Number);
  const difference =
    OLDEST_SQLITE.map((least, index) => (parts[index] ?? 0) - least).find((step) => step !== 0) ?? 0;
  if (difference < 0)
    throw new AppError(
      'STORAGE_FAILED',
      `SQLite ${version} is too old: ${OLDEST_SQLITE.join('.')} is needed`,
    );
}

/**
 * The library is compiled to fall back to synchronous=NORMAL with the first write, which loses acknowledged commits in a power cut; so the setting is
 * made explicitly, after WAL, and read back after a write transaction.
 */
function makeDurable(sqlite: Sqlite.Database, durability: Durability): void {
  sqlite.pragma('journal_mode = WAL');
  sqlite.pragma(`synchronous = ${durability}`);
  sqlite.pragma('foreign_keys = ON');
  sqlite.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES[durability]}`);
  sqlite.pragma(`cache_size = -${CACHE_KIB}`);
  sqlite
    .transaction(() =>
      sqlite.pragma(`user_version = ${Number(sqlite.pragma('user_version', { simple: true }))}`),
    )
    .immediate();
  const journal = sqlite.pragma('journal_mode', { simple: true });
  const synchronous = sqlite.pragma('synchronous', { simple: true });
  if (journal === 'wal' && synchronous === SYNCHRONOUS[durability]) return;
  throw new AppError('STORAGE_FAILED', `${sqlite.name} does not promise durability`, {
    context: { journal, synchronous },
  });
}

/** Migrates an older schema to the newest; a later one stays as it is: `refuseNewer` has checked that this release can write it. */
function migrate(sqlite: Sqlite.Database, migrations: readonly Migration[]): void {
  const version = Number(sqlite.pragma('user_version', { simple: true }));
  for (const [index, migration] of migrations.entries()) {
    if (index < version) continue;
    sqlite
      .transaction(() => {
        takeStep(sqlite, migration);
        sqlite
          .prepare("INSERT OR REPLACE INTO facts (name, value) VALUES ('min_writer', ?)")
          .run(laterRelease(migration.minWriter, minWriterOf(sqlite)));
        sqlite.pragma(`user_version = ${index + 1}`);
      })
      .immediate();
  }
}

/** The requirement of an earlier step still holds after a later one. */
function minWriterOf(sqlite: Sqlite.Database): string {
  return String(sqlite.prepare("SELECT value FROM facts WHERE name = 'min_writer'").pluck().get() ?? '');
}

/** After these faults it is unknown what is on disk. */
function isFatal(fault: StorageFault | null): boolean {
  return fault === 'failing' || fault === 'damaged';
}

function openingError(cause: unknown, path: string): AppError {
  const { error, fault } = storageError(cause, path);
  if (!(error instanceof AppError) || fault === 'refused')
    return new AppError('STORAGE_FAILED', `cannot open ${path}: ${messageOf(cause)}`, { cause });
  if (fault === null) return error;
  const { code, message, context } = error;
  const why = message.replace(`${basename(path)}: `, '');
  return new AppError(code, `cannot open ${path}: ${why}`, { context, cause });
}
