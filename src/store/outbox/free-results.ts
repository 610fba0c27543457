import { z } from 'zod';
import type { Database } from '../database.ts';

/** Results after the last checked one, without an older unfinished report of their own attempt. */
const NEW = `SELECT seq FROM outbox AS row WHERE seq > ? AND seq <= ? AND kind = 'result' AND state <> 'done'
  AND NOT EXISTS (SELECT 1 FROM outbox AS older WHERE older.attempt_id = row.attempt_id AND older.seq < row.seq AND older.state <> 'done' AND older.dropped_at IS NULL)`;
const LAST = 'SELECT max(seq) AS seq FROM outbox';
const DROPPED = 'SELECT count(*) AS seq FROM outbox INDEXED BY outbox_dropped WHERE dropped_at IS NOT NULL';
const STILL_PENDING =
  "SELECT seq FROM outbox WHERE seq IN (SELECT value FROM json_each(CAST(? AS TEXT))) AND state <> 'done'";
const BESIDE =
  "SELECT seq FROM outbox WHERE attempt_id = (SELECT attempt_id FROM outbox WHERE id = ?) AND kind = 'result' AND state <> 'done'";

const Seq = z.object({ seq: z.int() });
const Last = z.object({ seq: z.int().nullable() });

/**
 * Knows which results do not wait for the create of their own attempt.
 * Why: when creates are switched off, every payment that was started here waits with its result, and a scan over all of them for each query takes
 * half a second with 100,000. Trades: the first query after a start, or after a report was dropped, scans once.
 *
 * INVARIANTS:
 * - a result outside the set waits: an earlier row of its own attempt is not done, and {@link done} reports when it is;
 * - a result in the set may still wait, for the rows of its parent or because it is held back: the caller checks that.
 */
export class FreeResults {
  readonly #database: Database;
  /** Every row up to here was checked; null before the first query. */
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
    const known = this.#seqs(STILL_PENDING, JSON.stringify(this.#free));
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

  /** A result that waited for a dropped report waits no more. */
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
