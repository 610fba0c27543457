import type Sqlite from 'better-sqlite3';
import { openArchive, putChunk } from '../../src/store/archive/archive.ts';
import { digestOfText } from '../../src/store/archive/archive-chunk.ts';
import { MOST_ROWS } from '../../src/store/archive/archive-holds.ts';
import type { Database } from '../../src/store/database.ts';
import { CHAIN_START } from '../../src/store/journal/journal-chain.ts';

type Row = Readonly<Record<string, unknown>>;

/** What guards the journal against whoever is no archiver; made anew at the end, in the same words. */
const GUARDS = [
  'archived_chunks_follow_the_journal',
  'journal_is_not_deleted',
  'journal_is_not_written_where_it_was_cut',
];
const JOURNAL = ['seq', 'attempt_id', 'at', 'event', 'from_state', 'to_state', 'details', 'hash'];
const EVENT = ['seq', 'attempt_id', 'settlement_id', 'id', 'type', 'at', 'snapshot'];

/**
 * Writes the timelines of copied payments into the archive, in the form that the archiver gives them, without a detour through the books.
 * What was in the books before goes with the first of them.
 */
export class ArchiveWriter {
  readonly #sqlite: Sqlite.Database;
  readonly #archive: Database;
  readonly #guards: readonly string[];
  readonly #note: Sqlite.Statement;
  #journal: Row[];
  #events: Row[];
  #previous = CHAIN_START;
  #lastSeq = 0;
  #lastEvent = 0;
  #event: number;
  #hasBegun = false;
  #isOver = false;

  constructor(sqlite: Sqlite.Database, path: string) {
    this.#sqlite = sqlite;
    this.#archive = openArchive(path, '0.1.0');
    this.#archive.run('PRAGMA synchronous = OFF');
    const sqlOf = sqlite.prepare('SELECT sql FROM sqlite_schema WHERE name = ?').pluck();
    this.#guards = GUARDS.map((name) => String(sqlOf.get(name)));
    for (const name of GUARDS) sqlite.exec(`DROP TRIGGER ${name}`);
    this.#journal = sqlite.prepare('SELECT * FROM journal ORDER BY seq').all() as Row[];
    this.#events = sqlite.prepare('SELECT * FROM events ORDER BY seq').all() as Row[];
    this.#event = this.#events.length;
    this.#note = sqlite.prepare('INSERT INTO archived_chunks VALUES (?, ?, ?, ?, 1)');
  }

  /** Whether a row goes to the archive and not into the books; an event gets its number either way. */
  takes(table: string, row: Record<string, unknown>): boolean {
    if (table === 'events') {
      this.#event += 1;
      row['seq'] = this.#event;
    }
    if (table === 'outbox' && !this.#isOver && row['state'] === 'done') row['body'] = '{}';
    if (!this.#hasBegun) this.#begin();
    if (this.#isOver || (table !== 'journal' && table !== 'events')) return false;
    (table === 'journal' ? this.#journal : this.#events).push({ ...row });
    if (table === 'events' && this.#journal.length >= MOST_ROWS) this.#put();
    return true;
  }

  /** From here on timelines stay in the books. */
  end(): void {
    this.#put();
    this.#isOver = true;
  }

  close(): void {
    for (const sql of this.#guards) this.#sqlite.exec(sql);
    this.#archive.close();
  }

  /** What was in the books goes with the first of what is copied: who copies has read where the chain ends. */
  #begin(): void {
    this.#hasBegun = true;
    this.#sqlite.exec(
      "DELETE FROM journal; DELETE FROM events; UPDATE outbox SET body = '{}' WHERE state = 'done'",
    );
  }

  #put(): void {
    const last = this.#journal.at(-1);
    if (!last) return;
    const text = { timelines: linesOf('j', JOURNAL, this.#journal), rest: linesOf('e', EVENT, this.#events) };
    const [lastSeq, hash] = [Number(last['seq']), String(last['hash'])];
    const [firstEvent, lastEvent] = [
      this.#lastEvent + 1,
      Number(this.#events.at(-1)?.['seq'] ?? this.#lastEvent),
    ];
    const digest = digestOfText(text);
    const attemptIds = [...new Set(this.#journal.map((row) => String(row['attempt_id'])))];
    const range = { firstSeq: this.#lastSeq + 1, lastSeq, firstEvent, lastEvent };
    putChunk(this.#archive, { ...range, ...text, previous: this.#previous, hash, digest, attemptIds });
    this.#note.run(lastSeq, hash, lastEvent, digest);
    [this.#previous, this.#lastSeq, this.#lastEvent] = [hash, lastSeq, lastEvent];
    this.#journal = [];
    this.#events = [];
  }
}

function linesOf(kind: string, columns: readonly string[], rows: readonly Row[]): string {
  return rows.map((row) => JSON.stringify([kind, ...columns.map((name) => row[name] ?? null)])).join('\n');
}
