import { closeSync, fdatasyncSync, openSync } from 'node:fs';
import type Sqlite from 'better-sqlite3';

/**
 * Commits that are in the write-ahead log and that the disk was not made to keep yet.
 * Why: what nobody was told of yet, or what can be asked for again, may wait for the sync of the next commit, which covers everything before
 * it in the log. A process that is killed loses nothing of it, only a power cut does.
 */
export class OwedSync {
  readonly #sqlite: Sqlite.Database;
  readonly #log: string;
  readonly #changes: Sqlite.Statement;
  #isOwed = false;

  constructor(sqlite: Sqlite.Database, path: string) {
    this.#sqlite = sqlite;
    this.#log = `${path}-wal`;
    this.#changes = sqlite.prepare('SELECT total_changes()').pluck();
  }

  get isOwed(): boolean {
    return this.#isOwed;
  }

  /** A commit whose sync may come later. */
  later<T>(commit: () => T): T {
    const result = this.unsynced(commit);
    this.#isOwed = true;
    return result;
  }

  /** A commit without a sync of its own. `exec`, since `pragma()` makes a statement of it, which takes nine times as long. */
  unsynced<T>(commit: () => T): T {
    this.#sqlite.exec('PRAGMA synchronous = normal');
    try {
      return commit();
    } finally {
      this.#sqlite.exec('PRAGMA synchronous = full');
    }
  }

  /** A commit with its sync, which covers what was owed, unless it wrote nothing. */
  now<T>(commit: () => T): T {
    if (!this.#isOwed) return commit();
    const before = this.#changes.get();
    const result = commit();
    if (this.#changes.get() === before) this.pay();
    this.#isOwed = false;
    return result;
  }

  /** Makes the disk keep what is owed. @throws the system's error: then nobody knows what is on it */
  pay(): void {
    if (!this.#isOwed) return;
    const file = openSync(this.#log, 'r+');
    try {
      fdatasyncSync(file);
    } finally {
      closeSync(file);
    }
    this.#isOwed = false;
  }
}
