import { spawnSync } from 'node:child_process';
import { closeSync, copyFileSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import Sqlite from 'better-sqlite3';
import { freeBytes } from '../disk/free-disk-space.ts';
import type { Table } from './salvage-tables.ts';

/** SQLite's own program; its `.recover` parses pages and needs no intact tree above them. */
const PROGRAM = 'sqlite3';
/** Deleted rows stay readable on free pages. A user's start file must not change what the program does. */
const READ = ['-batch', '-init', '/dev/null', '-readonly'];
const RECOVER = '.recover --ignore-freelist';
const WRITE = ['-batch', '-init', '/dev/null'];
/** Its SQL, the file that is made of it, and the salvaged one are each about as large as the damaged one; a copy with another header may be needed. */
const FILES = 4;
const PAGE_BYTES = 4096;
const FIND_STRAYS = "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = 'lost_and_found'";
const STRAYS = 'SELECT * FROM lost_and_found WHERE nfield <= ? AND id IS NOT NULL ORDER BY id';

const FAILURES: Readonly<Record<RecoveryProgram, string | null>> = {
  works: null,
  missing: 'sqlite3 is not installed',
  unable: 'the sqlite3 of this system cannot recover pages',
};

type Row = Readonly<Record<string, unknown>>;

/** A database of what `.recover` found, or why there is none. */
export type Recovered =
  | { readonly database: Sqlite.Database; readonly failure: null }
  | { readonly database: null; readonly failure: string };

/**
 * Lets SQLite's own program recover a damaged database. The damaged file is only read.
 * @param draft name of the new file; the caller closes and removes it
 * @see https://sqlite.org/recovery.html
 */
export function recover(from: string, draft: string): Recovered {
  const failure = FAILURES[recoveryProgram()] ?? shortageOfSpace(from) ?? runRecover(from, draft);
  return failure === null
    ? { database: new Sqlite(draft, { readonly: true }), failure }
    : { database: null, failure };
}

/** Whether SQLite's own program can recover pages on this system. The one of Debian 12 lacks the table of pages that `.recover` reads. */
export type RecoveryProgram = 'works' | 'missing' | 'unable';

export function recoveryProgram(): RecoveryProgram {
  const { error, status } = spawnSync(PROGRAM, [...WRITE, ':memory:', 'SELECT count(*) FROM sqlite_dbpage']);
  if (error) return 'missing';
  return status === 0 ? 'works' : 'unable';
}

/**
 * Rows that belong to no tree any more, in the shape of one table: an interior page above them is gone. The caller checks that they are rows
 * of that table.
 */
export function* straysLike(recovered: Sqlite.Database, { columns, key }: Table): Iterable<Row> {
  if (recovered.prepare(FIND_STRAYS).pluck().get() === 0) return;
  for (const row of recovered.prepare<[number], Row>(STRAYS).iterate(columns.length))
    yield Object.fromEntries(
      columns.map((name, index) => [name, name === key ? row['id'] : row[`c${index}`]]),
    );
}

function shortageOfSpace(from: string): string | null {
  const sizeOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  const size = sizeOf(from) + sizeOf(`${from}-wal`);
  return freeBytes(dirname(from)) > size * FILES ? null : 'the disk has no space for it';
}

function runRecover(from: string, draft: string): string | null {
  const [script, blanked] = [`${draft}.sql`, `${draft}.blanked`];
  try {
    let { status, stderr } = find(from, script);
    if (status !== 0) {
      blankFirstPage(from, blanked);
      ({ status, stderr } = find(blanked, script));
    }
    if (status !== 0) return `sqlite3 recovered nothing: ${stderr.trim()}`;
    // It reports rows that break a rule of their table, and continues.
    run([...WRITE, draft], [openSync(script, 'r'), 'ignore']);
    return null;
  } finally {
    for (const path of [script, blanked]) rmSync(path, { force: true });
  }
}

function find(from: string, script: string) {
  return run([...READ, from, RECOVER], ['ignore', openSync(script, 'w')]);
}

/** The program opens no file whose header is noise, but one whose header is zero; then all rows are strays. */
function blankFirstPage(from: string, to: string): void {
  copyFileSync(from, to);
  const file = openSync(to, 'r+');
  writeSync(file, Buffer.alloc(PAGE_BYTES), 0, PAGE_BYTES, 0);
  closeSync(file);
}

function run(words: readonly string[], [input, output]: readonly ['ignore' | number, 'ignore' | number]) {
  try {
    return spawnSync(PROGRAM, words, { stdio: [input, output, 'pipe'], encoding: 'utf8' });
  } finally {
    for (const file of [input, output]) if (typeof file === 'number') closeSync(file);
  }
}
