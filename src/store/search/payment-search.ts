import { z } from 'zod';
import type { Page } from '../../base/page.ts';
import type { Attempt } from '../../payment/attempt/attempt.ts';
import type { AttemptSearch, CreatedSpan, PaymentTotals } from '../../payment/payments.ts';
import { attemptOf } from '../attempts/attempt-row.ts';
import type { Database } from '../database.ts';
import { PaymentIndex } from './payment-index.ts';
import { FACTS_BEHIND, FACTS_OF, FactsRow, hasTexts, MOST_READ } from './search-facts.ts';

const ROWS_OF = 'SELECT * FROM attempts WHERE seq IN (SELECT value FROM json_each(CAST(? AS TEXT)))';
const SEQ_OF = 'SELECT seq FROM attempts WHERE id = ?';
const Seq = z.object({ seq: z.int() });

/**
 * Finds payments by what a person knows of them, through an index in memory that is read from the database when the first search comes.
 *
 * INVARIANTS:
 * - a payment that has ended never changes, so only new payments and those that were open are read again;
 * - it is never read inside a transaction, which could still be rolled back;
 * - what `page` returns is in the database now: the index only says which rows to read.
 */
export class PaymentSearch {
  readonly #database: Database;
  readonly #index = new PaymentIndex();
  /** Rows of payments that had not ended when they were read. */
  #open = new Set<number>();
  #readAt: number | null = null;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Reads at most 250 payments, some 3 ms; true: the index has every payment as it is now. */
  read(): boolean {
    const { writeCounter } = this.#database;
    if (this.#readAt === writeCounter) return true;
    const open = JSON.stringify([...this.#open]);
    const behind = this.#database.all(FACTS_BEHIND, this.#index.newest);
    for (const row of behind) this.#put(row);
    if (behind.length === MOST_READ) return false;
    if (this.#open.size > 0) for (const row of this.#database.all(FACTS_OF, open)) this.#put(row);
    this.#readAt = writeCounter;
    return true;
  }

  #put(raw: unknown): void {
    const row = FactsRow.parse(raw);
    this.#index.put(row);
    if (row.completedAt === null) this.#open.add(row.seq);
    else this.#open.delete(row.seq);
  }

  page(search: AttemptSearch): Page<Attempt> {
    const { startingAfter, endingBefore, limit } = search;
    const isUpwards = endingBefore !== undefined;
    const id = startingAfter ?? endingBefore;
    const cursor = id === undefined ? null : Seq.parse(this.#database.get(SEQ_OF, id)).seq;
    const found = this.#found(search, this.#index.fitting(search, cursor, isUpwards));
    const page = found.slice(0, limit);
    const shown = isUpwards ? page.toReversed() : page;
    const place = search.isCounted === true ? { place: this.#placeOf(search, shown[0]?.seq) } : {};
    return { items: shown.map(({ attempt }) => attempt), hasMore: found.length > limit, ...place };
  }

  totals(span: CreatedSpan): readonly PaymentTotals[] {
    return this.#index.totals(span);
  }

  /** A page and one payment more, in the order of `fitting`. */
  #found(search: AttemptSearch, fitting: Iterator<number>) {
    const found: { readonly seq: number; readonly attempt: Attempt }[] = [];
    for (;;) {
      const seqs: number[] = [];
      while (found.length + seqs.length <= search.limit) {
        const { done, value } = fitting.next();
        if (done === true) break;
        seqs.push(value);
      }
      if (seqs.length === 0) return found;
      const rows = this.#database.all(ROWS_OF, JSON.stringify(seqs));
      const bySeq = new Map(rows.map((row) => [Seq.parse(row).seq, attemptOf(row)]));
      for (const seq of seqs) {
        const attempt = bySeq.get(seq);
        if (attempt && hasTexts(attempt, search)) found.push({ seq, attempt });
      }
    }
  }

  #placeOf(search: AttemptSearch, first: number | undefined): NonNullable<Page<Attempt>['place']> {
    let [offset, total] = [0, 0];
    for (const seq of this.#index.fitting(search, null)) {
      total += 1;
      if (first === undefined || seq > first) offset += 1;
    }
    return { offset, total };
  }
}
