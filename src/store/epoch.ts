import { closeSync, existsSync, openSync, readFileSync, writeSync } from 'node:fs';
import { z } from 'zod';
import type { Database } from './database.ts';
import { writeFileDurably } from './durable-file.ts';
import { type ChainEnd, chainEnd, hashAt } from './journal-chain.ts';

const FIND = 'SELECT name, value FROM facts WHERE name IN (?, ?)';
const SET = 'INSERT OR REPLACE INTO facts (name, value) VALUES (?, ?)';
/** What was owed may have been sent by the life that was forgotten: each row is looked up before it is sent. */
const DISTRUST =
  "UPDATE outbox SET unanswered = 1, first_used_at = COALESCE(first_used_at, 0) WHERE state = 'pending'";

/** What was there when this memory began: older than it, and not to be taken for its own. */
const NOTE_ATTEMPTS =
  "INSERT OR REPLACE INTO facts (name, value) SELECT 'epoch_attempts', CAST(COALESCE(max(seq), 0) AS TEXT) FROM attempts";
const NOTE_TASKS =
  "INSERT OR REPLACE INTO facts (name, value) SELECT 'epoch_tasks', CAST(COALESCE(max(seq), 0) AS TEXT) FROM tasks";

/**
 * Whether this is the memory that was here last time. `new`: nothing was here before; `fresh`: the database is gone;
 * `older`: a backup was restored; `foreign`: it is another one.
 */
export type EpochKind = 'new' | 'same' | 'fresh' | 'older' | 'foreign';

export interface Epoch {
  readonly kind: EpochKind;
  readonly id: string;
  /** Epoch ms when this memory began; 0 where nothing was here before it. */
  readonly since: number;
}

const Beside = z.object({ epoch: z.string(), count: z.int().min(0), hash: z.string() });
type Beside = z.infer<typeof Beside>;
const NOTE_LENGTH = 200;
const Fact = z.object({ name: z.string(), value: z.string() });

/**
 * Compares the database with the note beside it, which knows how far its journal had come. Where they do not belong together a new
 * epoch begins, in both.
 * @param fresh a new id, used only then
 * @param hadJournal another witness remembers a journal here: without database and note nothing is new
 */
export function checkEpoch(
  database: Database,
  path: string,
  fresh: string,
  now: number,
  hadJournal = false,
): Epoch {
  const facts = new Map(
    database.all(FIND, 'epoch', 'epoch_since').map((row) => {
      const { name, value } = Fact.parse(row);
      return [name, value] as const;
    }),
  );
  const stored = facts.get('epoch') ?? null;
  const end = chainEnd(database);
  const found = kindOf(database, stored, end, readBeside(path, stored));
  const kind = found === 'new' && hadJournal ? 'fresh' : found;
  if (kind === 'same' && stored !== null) {
    noteEpoch(database, path);
    return { kind, id: stored, since: Number(facts.get('epoch_since') ?? 0) };
  }
  // A clock that has lost the time may say 0, which means that nothing was here before.
  const since = kind === 'new' ? 0 : Math.max(1, now);
  database.transaction(() => {
    database.run(SET, 'epoch', fresh);
    database.run(SET, 'epoch_since', String(since));
    if (kind === 'new') return;
    database.run(NOTE_ATTEMPTS);
    database.run(NOTE_TASKS);
    database.run(DISTRUST);
  });
  noteEpoch(database, path);
  return { kind, id: fresh, since };
}

/** Notes beside the database how far its journal has come; what is restored later must not have come less far. */
export function noteEpoch(database: Database, path: string): void {
  const { count, hash } = chainEnd(database);
  writeFileDurably(path, noteText(database, count, hash));
}

/**
 * The same in place and without waiting for the disk, after every commit that the journal grew by: a backup of a minute ago is found out
 * too when the process was killed meanwhile. A power cut may leave the older note, or half of one, which belongs to no database.
 */
export function epochNotes(database: Database, path: string): () => void {
  let noted = -1;
  return () => {
    const { count, hash } = chainEnd(database);
    if (count === noted) return;
    noted = count;
    const file = openSync(path, 'r+');
    try {
      writeSync(file, noteText(database, count, hash), 0);
    } finally {
      closeSync(file);
    }
  };
}

/** Always of one length, so that a shorter one leaves nothing of a longer one behind. */
function noteText(database: Database, count: number, hash: string): string {
  const row = database.all(FIND, 'epoch', 'epoch_since').map((raw) => Fact.parse(raw));
  const epoch = row.find(({ name }) => name === 'epoch')?.value ?? '';
  return `${JSON.stringify({ epoch, count, hash } satisfies Beside).padEnd(NOTE_LENGTH)}\n`;
}

function kindOf(database: Database, stored: string | null, end: ChainEnd, beside: Beside | null): EpochKind {
  if (stored === null) return beside === null && end.count === 0 ? 'new' : 'fresh';
  if (beside === null || beside.epoch !== stored) return 'foreign';
  if (end.count < beside.count) return 'older';
  return beside.count === 0 || hashAt(database, beside.count) === beside.hash ? 'same' : 'foreign';
}

/** A note of an older release is the bare id; it knows of no journal. */
function readBeside(path: string, stored: string | null): Beside | null {
  if (!existsSync(path)) return null;
  const text = readFileSync(path, 'utf8').trim();
  if (text === stored) return { epoch: text, count: 0, hash: '' };
  try {
    return Beside.parse(JSON.parse(text));
  } catch {
    return { epoch: text, count: 0, hash: '' };
  }
}
