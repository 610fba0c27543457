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
  #isPending = false;

  constructor(sqlite: Sqlite.Database, path: string) {
    this.#sqlite = sqlite;
    this.#log = `${path}-wal`;
    this.#changes = sqlite.prepare('SELECT total_changes()').pluck();
  }

  get isPending(): boolean {
    return this.#isPending;
  }

  /** A commit whose sync may come later. */
  later<T>(commit: () => T): T {
    const result = this.unsynced(commit);
    this.#isPending = true;
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
    if (!this.#isPending) return commit();
    const before = this.#changes.get();
    const result = commit();
    if (this.#changes.get() === before) this.sync();
    this.#isPending = false;
    return result;
  }

  /** Syncs the deferred commits. @throws the system's error: then it is unknown what is on disk */
  sync(): void {
    if (!this.#isPending) return;
    const file = openSync(this.#log, 'r+');
    try {
      fdatasyncSync(file);
    } finally {
      closeSync(file);
    }
    this.#isPending = false;
  }
}
