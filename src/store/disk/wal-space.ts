import { closeSync, fsyncSync, ftruncateSync, openSync, statSync } from 'node:fs';
import { z } from 'zod';
import type { Database } from '../database.ts';
import { writeRealBytes } from './reserve-file.ts';

/** Sizes in the log's file; see "The WAL File Format" at https://sqlite.org/fileformat2.html. */
const HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;

/** `log`: frames in the log; -1 when there is none yet. */
const Position = z.object({ busy: z.int(), log: z.int(), checkpointed: z.int() });
const PageSize = z.object({ page_size: z.int() });

/**
 * The free part of the write-ahead log: bytes of its file that are on disk already and hold no frame. Commits go there in place, so they need no
 * block of the file system, and no other program can take it, whatever fills the disk.
 *
 * ```
 * money.db-wal   header | frame … frame | free ……………………… |
 *                         committed       of real bytes
 * ```
 *
 * SQLite stops reading a log at the first frame without the salt of its header, so the bytes after it are never taken for a frame. On a copy-on-write
 * file system (btrfs, zfs) the bytes prove nothing; there only the reserve file helps.
 */
export class WalSpace {
  readonly #database: Database;
  readonly #frameBytes: number;

  constructor(database: Database) {
    this.#database = database;
    this.#frameBytes = PageSize.parse(database.get('PRAGMA page_size')).page_size + FRAME_HEADER_BYTES;
  }

  /** The length of the log's file. */
  get fileBytes(): number {
    return statSync(this.#path, { throwIfNoEntry: false })?.size ?? 0;
  }

  /** How much can be committed into bytes that are on disk already. */
  get bytes(): number {
    const { log } = Position.parse(this.#database.get('PRAGMA wal_checkpoint(NOOP)'));
    return Math.max(0, this.fileBytes - HEADER_BYTES - Math.max(0, log) * this.#frameBytes);
  }

  /**
   * Moves the content of the log into the database, so that the log begins again, unless a connection reads in it.
   * @throws STORAGE_FULL, STORAGE_FAILED
   */
  restart(): void {
    const { busy, log, checkpointed } = this.#database.withoutBusyTimeout(() =>
      Position.parse(this.#database.get('PRAGMA wal_checkpoint(RESTART)')),
    );
    if (busy === 0 && log > 0 && log === checkpointed) this.#database.touch();
  }

  /**
   * Appends so many real bytes to the file and waits until they are on disk.
   * @throws the system's error; the file has its earlier length then
   */
  grow(bytes: number): void {
    const file = openSync(this.#path, 'r+');
    try {
      const size = this.fileBytes;
      try {
        writeRealBytes(file, bytes, size);
        fsyncSync(file);
      } catch (error) {
        ftruncateSync(file, size);
        throw error;
      }
    } finally {
      closeSync(file);
    }
  }

  get #path(): string {
    return `${this.#database.path}-wal`;
  }
}
