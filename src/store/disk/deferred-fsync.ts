import { closeSync, fdatasyncSync, openSync } from 'node:fs';
import type Sqlite from 'better-sqlite3';

/**
 * Commits that are in the write-ahead log without an fsync yet.
 * Why: a commit that was not announced yet, or that can be requested again, may wait for the sync of the next commit, which covers everything before
 * it in the log. A killed process loses nothing of it; only a power cut does.
 */
export class DeferredFsync {
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

  /** A commit without a sync of its own. `exec`, because `pragma()` prepares a statement, which takes nine times as long. */
  unsynced<T>(commit: () => T): T {
    this.#sqlite.exec('PRAGMA synchronous = normal');
    try {
      return commit();
    } finally {
      this.#sqlite.exec('PRAGMA synchronous = full');
    }
  }

  /** A commit with its sync, which covers the deferred commits, too, unless it wrote nothing. */
  now<T>(commit: () => T): T {
    if (!this.#isOwed) return commit();
    const before = this.#changes.get();
    const result = commit();
    if (this.#changes.get() === before) this.pay();
    this.#isOwed = false;
    return result;
  }

  /** Syncs the deferred commits. @throws the system's error: then it is unknown what is on disk */
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
