import { messageOf } from '../../base/errors.ts';
import { epochOf } from '../epoch.ts';
import type { FoundNote } from '../epoch-note.ts';
import type { Readable, Reading } from '../reading.ts';
import { firstOddCell } from './journal-cells.ts';
import {
  type ChainBreak,
  type ChainCheck,
  type ChainEnd,
  chainEnd,
  chainStart,
  checkRows,
  hashAt,
  JOURNAL_ROWS,
  journalRowsAfter,
} from './journal-chain.ts';

/** What stands beside a database and remembers how far its journal had come; to be read before it. */
export interface Beside {
  readonly note: FoundNote;
  readonly anchors: readonly ChainEnd[];
}

/** The note of a database that nobody remembers. */
export const NOTHING_BESIDE: Beside = { note: { kind: 'missing' }, anchors: [] };

/**
 * Examines the journal as a whole: every row against its neighbours, against what stands beside the database, and as bytes in its page.
 * Never throws: what cannot be read is a break.
 */
export function checkJournal(database: Reading, beside: Beside): ChainCheck {
  return uncut(database, () => checkOnce(database, beside));
}

function checkOnce(database: Reading, beside: Beside): ChainCheck {
  const chain = checkRowsOf(database, witnessesOf(database, beside));
  const odd = oddRow(database);
  if (odd === null || (chain.kind === 'broken' && chain.seq <= odd)) return chain;
  return {
    kind: 'broken',
    seq: odd,
    attemptId: attemptAt(database, odd),
    what: 'the row is damaged where no statement reads it',
  };
}

/** While it was looked at, a daemon may have archived what it began with. */
function uncut<T extends ChainCheck>(database: Reading, check: () => T): T {
  const before = startOf(database);
  const found = check();
  return found.kind === 'broken' && startOf(database) !== before ? check() : found;
}

function startOf(database: Readable): number | null {
  try {
    return chainStart(database).count;
  } catch {
    return null;
  }
}

/** What was looked at: all of it, or what came after an anchor. */
export type Looked = ChainCheck & { readonly since: ChainEnd | null };

/**
 * The same for what came after the newest anchor, where the journal before it is longer than `mostRows`: each anchor is of a day on which
 * all before it was walked, and its row must still have its hash.
 */
export function checkJournalSince(database: Reading, beside: Beside, mostRows: number): Looked {
  const witnesses = witnessesOf(database, beside);
  const newest = beside.anchors.findLast(({ count }) => count > 0 && count <= lengthOf(database));
  if (!newest || newest.count <= mostRows || !isOf(database, newest))
    return { ...checkJournal(database, beside), since: null };
  const later = witnesses.filter(({ count }) => count > newest.count);
  return { ...uncut(database, () => checkRowsBehind(database, newest, later)), since: newest };
}

function checkRowsBehind(database: Reading, from: ChainEnd, witnesses: readonly ChainEnd[]): ChainCheck {
  try {
    return checkRows(database, database.each(journalRowsAfter(from.count)), witnesses, from);
  } catch (error) {
    return {
      kind: 'broken',
      seq: from.count + 1,
      attemptId: null,
      what: `the journal cannot be read: ${messageOf(error)}`,
    };
  }
}

function lengthOf(database: Readable): number {
  try {
    return chainEnd(database).count;
  } catch {
    return 0;
  }
}

function checkRowsOf(database: Reading, witnesses: readonly ChainEnd[]): ChainCheck {
  try {
    return checkRows(database, database.each(JOURNAL_ROWS), witnesses);
  } catch (error) {
    return {
      kind: 'broken',
      seq: 1,
      attemptId: null,
      what: `the journal cannot be read: ${messageOf(error)}`,
    } satisfies ChainBreak;
  }
}

/** Pages that cannot be walked are found by who reads the rows, or by who checks the pages. */
function oddRow(database: Reading): number | null {
  try {
    const place = firstOddCell(database);
    return place === null ? null : chainStart(database).count + place;
  } catch {
    return null;
  }
}

function attemptAt(database: Readable, seq: number): string | null {
  const row = database.get('SELECT attempt_id FROM journal WHERE seq = ?', seq);
  return typeof row === 'object' && row !== null && 'attempt_id' in row ? String(row.attempt_id) : null;
}

/** Those of what stands beside that speak of this database; after a restore, or beside another shop's, none does. */
function witnessesOf(database: Readable, { note, anchors }: Beside): readonly ChainEnd[] {
  const known = note.kind === 'note' || note.kind === 'bare' ? note.note : null;
  if (known?.restored) return [];
  if (known && known.epoch === storedEpoch(database))
    return known.count === 0 ? anchors : [...anchors, known];
  return anchors.some((anchor) => isOf(database, anchor)) ? anchors : [];
}

function storedEpoch(database: Readable): string | null {
  try {
    return epochOf(database);
  } catch {
    return null;
  }
}

function isOf(database: Readable, { count, hash }: ChainEnd): boolean {
  try {
    return count > 0 && hashAt(database, count) === hash;
  } catch {
    return false;
  }
}
