import { existsSync, renameSync } from 'node:fs';
import { dirname } from 'node:path';
import { hasCode } from '../../base/errors.ts';
import { quarantineNames } from '../damage/quarantine.ts';
import type { Database } from '../database.ts';
import { syncFolder } from '../disk/sync-folder.ts';
import { openArchive } from './archive.ts';

const FILES_OF_A_DATABASE = ['-wal', '-shm', ''] as const;

/**
 * The file `archive.db`, which may not exist yet; it is opened on first use.
 * Why: a shop without old payments has none, and a start must not wait for it.
 */
export class ArchivePlace {
  readonly path: string;
  readonly #appVersion: string;
  #open: Database | null = null;
  #refusal: unknown = null;
  #damage: string | null = null;

  constructor(path: string, appVersion: string) {
    this.path = path;
    this.#appVersion = appVersion;
  }

  /** The archive; created when there is none. @throws STORAGE_TOO_NEW, STORAGE_DAMAGED, STORAGE_FULL, STORAGE_FAILED */
  archive(): Database {
    // A failure on one damaged page must not prevent that the others are read.
    if (this.#open?.failure) this.close();
    if (this.#open) return this.#open;
    try {
      this.#open = openArchive(this.path, this.#appVersion);
      return this.#open;
    } catch (error) {
      this.#refusal = error;
      throw error;
    }
  }

  /** What a reader found wrong with the archive; null: nothing since it was last opened or replaced. */
  get damage(): string | null {
    return this.#damage;
  }

  /** An error of a call that used the archive. @returns what it says of the file; null: nothing */
  damageIn(error: unknown): string | null {
    if (!hasCode(error, 'STORAGE_DAMAGED') && !hasCode(error, 'ARCHIVE_DAMAGED')) return null;
    this.#damage = error.message;
    return this.#damage;
  }

  /** Another file has taken the place of the damaged one. */
  replaced(): void {
    this.close();
    this.#damage = null;
  }

  get appVersion(): string {
    return this.#appVersion;
  }

  /** Whether an error means that the file could not even be opened, because it is no database. */
  isNoDatabase(error: unknown): boolean {
    return error === this.#refusal && hasCode(error, 'STORAGE_DAMAGED');
  }

  /** null when there is none. @throws like {@link archive} */
  existing(): Database | null {
    return this.#open || existsSync(this.path) ? this.archive() : null;
  }

  /**
   * Renames a damaged archive and keeps it; the next chunk creates a new one.
   * @param on date, `YYYY-MM-DD`
   * @returns its new name
   */
  setAside(on: string): string {
    this.replaced();
    const { damaged } = quarantineNames(this.path, on);
    for (const end of FILES_OF_A_DATABASE)
      if (existsSync(this.path + end)) renameSync(this.path + end, damaged + end);
    syncFolder(dirname(this.path));
    return damaged;
  }

  close(): void {
    this.#open?.close();
    this.#open = null;
  }
}
