import { closeSync, openSync, readFileSync, statSync, writeSync } from 'node:fs';
import Sqlite from 'better-sqlite3';

const PAGE_BYTES = 4096;
const LOG_HEADER_BYTES = 32;
const FRAME_BYTES = 24 + PAGE_BYTES;

/** Leaf pages of a table or an index, by number; of a database at rest. */
export function leavesOf(path: string, name: string): readonly number[] {
  const sqlite = new Sqlite(path, { readonly: true });
  try {
    const leaves = "SELECT pageno FROM dbstat WHERE name = ? AND pagetype = 'leaf' ORDER BY pageno";
    return sqlite.prepare<[string], number>(leaves).pluck().all(name);
  } finally {
    sqlite.close();
  }
}

/** A page comes back from the disk as something else. */
export function damagePage(path: string, page: number): void {
  overwrite(path, (page - 1) * PAGE_BYTES, Buffer.alloc(PAGE_BYTES, 0xd5));
}

export function overwrite(path: string, at: number, bytes: Uint8Array): void {
  const file = openSync(path, 'r+');
  writeSync(file, bytes, 0, bytes.length, at);
  closeSync(file);
}

/** Where the frames of a log begin that belong to it, in bytes; what stands behind carries another salt, or none. */
export function framesOf(log: string): readonly number[] {
  const bytes = readFileSync(log);
  const salt = bytes.subarray(16, 24);
  const frames: number[] = [];
  for (let at = LOG_HEADER_BYTES; at + FRAME_BYTES <= statSync(log).size; at += FRAME_BYTES) {
    if (!bytes.subarray(at + 8, at + 16).equals(salt)) break;
    frames.push(at);
  }
  return frames;
}
