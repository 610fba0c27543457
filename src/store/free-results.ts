import { z } from 'zod';
import type { Database } from './database.ts';

/** Results behind the last one that was looked at, that owe nothing older of their own attempt. */
const NEW = `SELECT seq FROM outbox AS row WHERE seq > ? AND seq <= ? AND kind = 'result' AND state <> 'done'
  AND NOT EXISTS (SELECT 1 FROM outbox AS older WHERE older.attempt_id = row.attempt_id AND older.seq < row.seq AND older.state <> 'done' AND older.dropped_at IS NULL)`;
const LAST = 'SELECT max(seq) AS seq FROM outbox';
const DROPPED = 'SELECT count(*) AS seq FROM outbox INDEXED BY outbox_dropped WHERE dropped_at IS NOT NULL';
const STILL_OWED =
  "SELECT seq FROM outbox WHERE seq IN (SELECT value FROM json_each(CAST(? AS TEXT))) AND state <> 'done'";
const BESIDE =
  "SELECT seq FROM outbox WHERE attempt_id = (SELECT attempt_id FROM outbox WHERE id = ?) AND kind = 'result' AND state <> 'done'";

const Seq = z.object({ seq: z.int() });
const Last = z.object({ seq: z.int().nullable() });

/**
 * Knows which results do not wait behind the create of their own attempt.
 * Why: where creates are switched off, every payment that was ever started here waits with its result, and a walk over all of them for
 * each question takes half a second with 100,000. Trades: the first question after a start, or after a report was dropped, walks once.
 *
 * INVARIANTS:
 * - what is not in it waits: a row of its own attempt before it is not done, and when that one is, {@link done} says so;
 * - what is in it may still wait, for the rows of its parent or because it is held back: whoever asks looks.
 */
export class FreeResults {
  readonly #database: Database;
  /** Everything up to here was looked at; null before the first question. */
  #lookedTo: number | null = null;
  #free: readonly number[] = [];
  #dropped = 0;

  constructor(database: Database) {
    this.#database = database;
  }

  /** The rows' `seq`, as JSON. */
  asJson(): string {
    this.#heedDrops();
    const from = this.#lookedTo ?? 0;
    const to = Last.parse(this.#database.get(LAST)).seq ?? from;
    const known = this.#seqs(STILL_OWED, JSON.stringify(this.#free));
    this.#free = [...known, ...this.#seqs(NEW, from, to)];
    this.#lookedTo = to;
    return JSON.stringify(this.#free);
  }

  /** This report is done: the result of its attempt may be free now. */
  done(reportId: string): void {
    if (this.#lookedTo === null) return;
    const passed = this.#lookedTo;
    const freed = this.#seqs(BESIDE, reportId).filter((seq) => seq <= passed);
    this.#free = [...new Set([...this.#free, ...freed])];
  }

  /** What waited behind a report that somebody dropped waits no more. */
  #heedDrops(): void {
    const dropped = Last.parse(this.#database.get(DROPPED)).seq ?? 0;
    if (dropped === this.#dropped) return;
    this.#dropped = dropped;
    this.#lookedTo = null;
    this.#free = [];
  }

  #seqs(sql: string, ...values: readonly unknown[]): readonly number[] {
    return this.#database.all(sql, ...values).map((row) => Seq.parse(row).seq);
  }
}
