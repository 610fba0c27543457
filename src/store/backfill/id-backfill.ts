import { z } from 'zod';
import type { Database } from '../database.ts';
import type { Readable } from '../read-only-database.ts';
import { canonicalColumn, ID_BACKFILL_FACT } from './id-columns.ts';

const FIND = `SELECT value FROM facts WHERE name = '${ID_BACKFILL_FACT}'`;
const NOTE = `UPDATE facts SET value = ? WHERE name = '${ID_BACKFILL_FACT}'`;
const END = `DELETE FROM facts WHERE name = '${ID_BACKFILL_FACT}'`;
const ROWS = 'seq > CAST(? AS INTEGER) AND seq <= CAST(? AS INTEGER)';
/** Each statement takes the rows of `attempts` after the first value, up to the second. */
const CANONICAL = [
  canonicalColumn('attempts', 'invoice_id', ROWS),
  canonicalColumn('attempts', 'device_id', ROWS),
  canonicalColumn('attempts', 'caller', `${ROWS} AND origin = 'service'`),
  canonicalColumn('aliases', 'service_id', `attempt_id IN (SELECT id FROM attempts WHERE ${ROWS})`),
  `UPDATE attempts SET reference = trim(reference) WHERE ${ROWS} AND reference IS NOT NULL AND reference <> trim(reference)`,
];

const Fact = z.object({ value: z.string() });
const Note = z.object({ next: z.int(), total: z.int() });

/** How many payments of an older release were checked, of how many. */
export interface BackfillProgress {
  readonly done: number;
  readonly total: number;
}

/**
 * Converts the ids of payments of an older release to the form of `canonicalId`, from the newest payment to the oldest.
 * Why: a shop with millions of payments does not wait for it. Until it is finished `OlderIdForms` finds the remaining forms.
 *
 * INVARIANTS:
 * - a step is one transaction that stores its progress, so a killed process continues after its last step;
 * - a row that is canonical already is not written;
 * - journal, events and bodies of reports are not touched.
 */
export class IdBackfill {
  readonly #database: Database;
  #note: z.infer<typeof Note> | null;

  constructor(database: Database) {
    this.#database = database;
    this.#note = noteIn(database);
  }

  /** null: every payment was checked, or there was none. */
  get progress(): BackfillProgress | null {
    return this.#note && { done: this.#note.total - this.#note.next, total: this.#note.total };
  }

  /** @throws STORAGE_FULL, STORAGE_FAILED, STORAGE_DAMAGED when the step is not on disk; nothing of it is then */
  step(rows: number): void {
    const note = this.#note;
    if (!note) return;
    const next = Math.max(0, note.next - rows);
    this.#database.transaction(() => {
      for (const sql of CANONICAL) this.#database.run(sql, next, note.next);
      if (next === 0) this.#database.run(END);
      else this.#database.run(NOTE, JSON.stringify({ ...note, next }));
    });
    this.#note = next === 0 ? null : { ...note, next };
  }
}

/** Whether payments of an older release may still hold ids in another form. */
export function isIdBackfillPending(database: Readable): boolean {
  return database.get(FIND) !== undefined;
}

function noteIn(database: Readable): z.infer<typeof Note> | null {
  const row = database.get(FIND);
  return row === undefined ? null : Note.parse(JSON.parse(Fact.parse(row).value));
}
