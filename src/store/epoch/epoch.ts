import { closeSync, openSync, writeSync } from 'node:fs';
import { z } from 'zod';
import { auditEnd, isAuditCut } from '../audit/audit-trail.ts';
import type { Database } from '../database.ts';
import { type ChainEnd, chainEnd, isOfJournal } from '../journal/journal-chain.ts';
import type { Readable } from '../read-only-database.ts';
import {
  type EpochNote,
  epochNoteText,
  type FoundNote,
  NEWEST_AT,
  readEpochNote,
  writeEpochNote,
} from './epoch-note.ts';

const FIND = 'SELECT name, value FROM facts WHERE name IN (?, ?)';
const SET = 'INSERT OR REPLACE INTO facts (name, value) VALUES (?, ?)';
const ANY_ATTEMPT = 'SELECT 1 FROM attempts LIMIT 1';
/** The forgotten process run may have sent the pending reports, and those that a person lets go again: each is looked up before it is sent. */
const DISTRUST = `UPDATE outbox SET unanswered = 1, first_used_at = COALESCE(first_used_at, 0)
  WHERE seq IN (SELECT seq FROM outbox WHERE state = 'pending' UNION ALL SELECT seq FROM outbox WHERE state = 'parked')`;

/** The attempts that existed when this epoch began: they are older than it. */
const NOTE_ATTEMPTS =
  "INSERT OR REPLACE INTO facts (name, value) SELECT 'epoch_attempts', CAST(COALESCE(max(seq), 0) AS TEXT) FROM attempts";
const NOTE_TASKS =
  "INSERT OR REPLACE INTO facts (name, value) SELECT 'epoch_tasks', CAST(COALESCE(max(seq), 0) AS TEXT) FROM tasks";

/**
 * Whether this is the database of the last run. `new`: there was none before; `fresh`: the database is gone; `older`: a backup was restored;
 * `foreign`: it is another database; `copied`: the folder is consistent, and the data that a copy does not carry says that it is in use in another
 * place now.
 */
export type EpochKind = 'new' | 'same' | 'fresh' | 'older' | 'foreign' | 'copied';

export interface Epoch {
  readonly kind: EpochKind;
  readonly id: string;
  /** Epoch ms when this epoch began; 0 when there was no database before it. */
  readonly since: number;
}

const Fact = z.object({ name: z.string(), value: z.string() });

/**
 * Compares the database with the note beside it, which knows how far its journal had come. When they do not match, a new epoch begins in both.
 * @param fresh a new id, used only then
 * @param hadJournal another witness knows a journal here: without database and note it is then not `new`
 * @param outside what the witnesses outside the folder say; it counts when the folder is consistent
 */
export function checkEpoch(
  database: Database,
  path: string,
  fresh: string,
  now: number,
  hadJournal = false,
  outside: EpochKind = 'same',
): Epoch {
  const facts = epochFacts(database);
  const stored = facts.get('epoch') ?? null;
  const kind = overruled(epochKind(database, readEpochNote(path)), hadJournal, outside);
  if (kind === 'same' && stored !== null) {
    noteEpoch(database, path);
    return { kind, id: stored, since: Number(facts.get('epoch_since') ?? 0) };
  }
  // A clock that lost the time may say 0, which means that there was no database before.
  const since = kind === 'new' ? 0 : Math.max(1, now);
  beginEpoch(database, fresh, since);
  noteEpoch(database, path);
  return { kind, id: fresh, since };
}

/** The folder's own finding, corrected by the other witnesses. */
export function overruled(found: EpochKind, hadJournal: boolean, outside: EpochKind): EpochKind {
  if (found === 'new') return hadJournal ? 'fresh' : found;
  return found === 'same' ? outside : found;
}

/** Begins an epoch in the database; all its rows are from before. @param since 0: there was no database before */
export function beginEpoch(database: Database, id: string, since: number): void {
  database.transaction(() => {
    database.run(SET, 'epoch', id);
    database.run(SET, 'epoch_since', String(since));
    if (since === 0) return;
    database.run(NOTE_ATTEMPTS);
    database.run(NOTE_TASKS);
    database.run(DISTRUST);
  });
}

/** Notes beside the database how far its journal and its audit trail have come; a database that is restored later must not be behind it. */
export function noteEpoch(database: Database, path: string, whose: Whose = {}): void {
  writeEpochNote(path, { ...noteOf(database, lostAudit(database, readEpochNote(path))), ...whose });
}

/** Additional fields of a note outside the folder; `epoch`: one that is about to begin. */
type Whose = Pick<EpochNote, 'instance'> & Partial<Pick<EpochNote, 'epoch'>>;

/**
 * The same in place and without a sync, after every commit that extends the journal or the audit trail: it detects a backup of a minute ago even when the process was
 * killed meanwhile. A power cut may damage this note, and leaves the one of {@link noteEpoch}.
 */
export function epochNotes(database: Database, path: string, whose: Whose = {}): () => void {
  let [journal, seen] = [-1, auditEnd(database)];
  let audit = seen;
  return () => {
    const [{ count }, now] = [chainEnd(database), auditEnd(database)];
    if (count === journal && now?.hash === seen?.hash) return;
    [journal, seen] = [count, now];
    const note = noteOf(database, audit !== null && isAuditCut(database, audit) ? audit : null);
    audit = note.audit ?? null;
    const file = openSync(path, 'r+');
    try {
      writeSync(file, epochNoteText({ ...note, ...whose }), NEWEST_AT);
    } finally {
      closeSync(file);
    }
  };
}

/** @param lost an end of the audit trail that was cut off: the note goes on to know it */
function noteOf(database: Database, lost: ChainEnd | null): EpochNote {
  const audit = lost ?? auditEnd(database);
  return { epoch: epochOf(database) ?? '', ...chainEnd(database), ...(audit && { audit }) };
}

/** The end of the audit trail that this note knows and the database does not have any more; null: nothing was cut off, or the note is about another database. */
export function lostAudit(database: Readable, beside: FoundNote): ChainEnd | null {
  if (beside.kind !== 'note' || beside.note.restored || beside.note.epoch !== epochOf(database)) return null;
  const { audit } = beside.note;
  return audit && isAuditCut(database, audit) ? audit : null;
}

/**
 * What the next start will find: whether this is the database of the note beside it.
 * @throws JOURNAL_UNREADABLE
 */
export function epochKind(database: Readable, beside: FoundNote): EpochKind {
  const stored = epochOf(database);
  const end = chainEnd(database);
  if (beside.kind === 'missing' && hasJustBegun(database)) return 'new';
  if (stored === null) return 'fresh';
  if (beside.kind === 'missing' || beside.kind === 'unreadable') return 'foreign';
  return kindBeside(database, stored, end, beside.note);
}

/** The database is unused; its first start may have been interrupted between the two places in which it begins an epoch. */
function hasJustBegun(database: Readable): boolean {
  const wasLost = Number(epochFacts(database).get('epoch_since') ?? 0) > 0;
  return !wasLost && chainEnd(database).count === 0 && database.get(ANY_ATTEMPT) === undefined;
}

function kindBeside(database: Readable, stored: string, end: ChainEnd, note: EpochNote): EpochKind {
  if (note.epoch !== stored) return 'foreign';
  if (note.restored || end.count < note.count) return 'older';
  return note.count === 0 || isOfJournal(database, note) ? 'same' : 'foreign';
}

/** The epoch of the database; null before its first start. */
export function epochOf(database: Readable): string | null {
  return epochFacts(database).get('epoch') ?? null;
}

function epochFacts(database: Readable): ReadonlyMap<string, string> {
  return new Map(
    database.all(FIND, 'epoch', 'epoch_since').map((row) => {
      const { name, value } = Fact.parse(row);
      return [name, value] as const;
    }),
  );
}
