import { randomFillSync } from 'node:crypto';
import { closeSync, fsyncSync, openSync, statSync, writeSync } from 'node:fs';
import { removeQuietly } from './disk-error.ts';

/** Enough for a start, an epoch's note, a socket and the shared index of the log on an otherwise full disk. */
export const RESERVE_BYTES = 2 * 1_048_576;
const CHUNK_BYTES = 65_536;

/**
 * The reserve file: real bytes that are deleted to free space when the disk is full, for what must be written then. The bytes are random, because a
 * file system that compresses would reserve nothing for zeros.
 */
export class ReserveFile {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  /** Bytes that are missing. */
  get missing(): number {
    const size = statSync(this.#path, { throwIfNoEntry: false })?.size ?? 0;
    return Math.max(0, RESERVE_BYTES - size);
  }

  /** Writes the missing bytes and waits until they are on disk. @throws the system's error; no file is left behind then */
  fill(): void {
    const { missing } = this;
    if (missing === 0) return;
    try {
      const file = openSync(this.#path, 'a', 0o600);
      try {
        writeRealBytes(file, missing, null);
        fsyncSync(file);
      } finally {
        closeSync(file);
      }
    } catch (error) {
      this.release();
      throw error;
    }
  }

  /** Deletes the file to free its space. */
  release(): void {
    removeQuietly(this.#path);
  }
}

/** Writes so many random bytes. @param position where, in bytes; null: at the end */
export function writeRealBytes(file: number, bytes: number, position: number | null): void {
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  for (let done = 0; done < bytes; ) {
    randomFillSync(chunk);
    const at = position === null ? null : position + done;
    done += writeSync(file, chunk, 0, Math.min(CHUNK_BYTES, bytes - done), at);
  }
}
