import { z } from 'zod';
import type { JournalEntry } from '../../payment/ports.ts';
import type { ArchivedTimelines } from '../archive/archived-timelines.ts';
import type { Database } from '../database.ts';
import { chainEnd, hashOf } from '../journal/journal-chain.ts';
import { APPEND_JOURNAL, JOURNAL_OF } from './payment-statements.ts';

const JournalRow = z.object({
  attemptId: z.string(),
  at: z.int(),
  event: z.string(),
  from: z.string(),
  to: z.string(),
  details: z.string(),
});
const Details = z.record(z.string(), z.unknown());

/** Appends to the journal, whose rows are chained by their hashes, and reads the timeline of an attempt from it and from the archive. */
export class JournalStore {
  readonly #database: Database;
  readonly #archive: ArchivedTimelines | null;

  /** @param archive the rows that the journal does not have any more */
  constructor(database: Database, archive: ArchivedTimelines | null) {
    this.#database = database;
    this.#archive = archive;
  }

  append(entry: JournalEntry): void {
    const { attemptId, at, event, from, to } = entry;
    const details = JSON.stringify(entry.details);
    const end = chainEnd(this.#database);
    const seq = end.count + 1;
    const row = { attempt_id: attemptId, at, event, from_state: from, to_state: to, details };
    const hash = hashOf(end.hash, seq, row);
    this.#database.run(APPEND_JOURNAL, seq, attemptId, at, event, from, to, details, hash);
  }

  rowsOf(attemptId: string): readonly JournalEntry[] {
    const rows = this.#database.all(JOURNAL_OF, attemptId).map((raw) => JournalRow.parse(raw));
    const older = this.#archive && !isWhole(rows) ? this.#archive.rowsOf(attemptId) : [];
    return [...older, ...rows].map((row) => ({ ...row, details: Details.parse(JSON.parse(row.details)) }));
  }

  /** What is missing of a timeline, in words; null: nothing. */
  gapIn(entries: readonly JournalEntry[]): string | null {
    return isWhole(entries) || !this.#archive ? null : this.#archive.gap();
  }
}

/** Whether the rows of one attempt begin with its creation; without rows it is incomplete. */
function isWhole(rows: readonly { readonly event: string }[]): boolean {
  return rows[0]?.event === 'create';
}
