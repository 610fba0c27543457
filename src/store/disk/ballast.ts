import { randomFillSync } from 'node:crypto';
import { closeSync, fsyncSync, openSync, statSync, writeSync } from 'node:fs';
import { removeQuietly } from './disk-error.ts';

/** What a start, an epoch's note, a socket and the shared index of the log need on a disk that is full otherwise. */
export const BALLAST_BYTES = 2 * 1_048_576;
const CHUNK_BYTES = 65_536;

/**
 * A file of real bytes that is thrown overboard when the disk is full, so that what must be written then finds room.
 * Random bytes, because a file system that compresses would keep nothing free for zeros.
 */
export class Ballast {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  /** Bytes that are missing. */
  get missing(): number {
    const size = statSync(this.#path, { throwIfNoEntry: false })?.size ?? 0;
    return Math.max(0, BALLAST_BYTES - size);
  }

  /** Writes what is missing and waits until it is on disk. @throws the system's error; nothing is left behind then */
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

  /** Gives its room free. */
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
