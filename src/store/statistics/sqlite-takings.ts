import { z } from 'zod';
import { canonicalId } from '../../base/ids.ts';
import { invariant } from '../../base/invariant.ts';
import { isCurrency } from '../../base/money.ts';
import type { Taking, TakingsSource } from '../../payment/takings/taking.ts';
import type { Database } from '../database.ts';

/** Rows that are read at once: other work of the process waits for a page at most. */
const PAGE_ROWS = 100;
/** So many pages in a row without a payment of the span end the walk. */
const PAGES_OUTSIDE = 4;

const COLUMNS = `seq, created_at AS at, device_id AS deviceId, type, currency, completed_at IS NULL AS isOpen, state = 'succeeded' AS isDone,
  COALESCE(detail ->> '$.report.amountMinor', amount_minor) AS amountMinor,
  CASE type WHEN 'sale' THEN detail ->> '$.report.tipMinor'
    WHEN 'void' THEN (SELECT detail ->> '$.report.tipMinor' FROM attempts AS sale WHERE sale.id = attempts.parent_id) END AS tipMinor,
  COALESCE(detail ->> '$.report.cardScheme', (SELECT detail ->> '$.report.cardScheme' FROM attempts AS sale WHERE sale.id = attempts.parent_id)) AS scheme`;
const NEXT_ROWS = `SELECT ${COLUMNS} FROM attempts WHERE seq >= CAST(? AS INTEGER) ORDER BY seq LIMIT ${PAGE_ROWS}`;
const ROWS_BEFORE = `SELECT ${COLUMNS} FROM attempts WHERE seq < CAST(? AS INTEGER) ORDER BY seq DESC LIMIT ${PAGE_ROWS}`;
const NEWEST_ROW = 'SELECT max(seq) AS seq FROM attempts';
const CREATED_AT =
  'SELECT created_at AS at FROM attempts WHERE seq >= CAST(? AS INTEGER) ORDER BY seq LIMIT 1';

const TakingRow = z.object({
  seq: z.int(),
  at: z.int(),
  deviceId: z.string(),
  type: z.enum(['sale', 'refund', 'void']),
  currency: z.string(),
  isOpen: z.int(),
  isDone: z.int(),
  amountMinor: z.int(),
  tipMinor: z.int().nullable(),
  scheme: z.string().nullable(),
});
type TakingRow = z.infer<typeof TakingRow>;
const Newest = z.object({ seq: z.int().nullable() });
const CreatedAt = z.object({ at: z.int() });

/**
 * What was taken in a span of `money.db`, without an index of times: one more would be one more page to write in each sale.
 * Rows are in the order of their creation but for a clock that was set. So the span is found by halving, and read in both directions until
 * {@link PAGES_OUTSIDE} pages have no row of it: a run of 300 payments under a wrong clock hides none.
 */
export class SqliteTakings implements TakingsSource {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  *pages(span: { readonly from: number; readonly to: number }): Iterable<readonly Taking[]> {
    const middle = this.#firstSince(span.from);
    yield* this.#walk(NEXT_ROWS, middle, span, 1);
    yield* this.#walk(ROWS_BEFORE, middle, span, 0);
  }

  /** @param step from the last row of a page to the bound of the next */
  *#walk(
    sql: string,
    start: number,
    { from, to }: { readonly from: number; readonly to: number },
    step: 0 | 1,
  ): Iterable<readonly Taking[]> {
    let bound = start;
    for (let outside = 0; outside < PAGES_OUTSIDE; ) {
      const rows = this.#database.all(sql, bound).map((row) => TakingRow.parse(row));
      const last = rows.at(-1);
      if (!last) return;
      const inside = rows.filter(({ at }) => at >= from && at < to);
      outside = inside.length === 0 ? outside + 1 : 0;
      yield inside.filter(({ isDone, isOpen }) => isDone === 1 || isOpen === 1).map(takingOf);
      bound = last.seq + step;
    }
  }

  /** The first number whose row was created at this instant or later, where no clock was set. */
  #firstSince(at: number): number {
    const newest = Newest.parse(this.#database.get(NEWEST_ROW)).seq ?? 0;
    let [low, high] = [1, newest + 1];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const row = this.#database.get(CREATED_AT, middle);
      if (row === undefined || CreatedAt.parse(row).at >= at) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}

function takingOf({ seq: _, isOpen, isDone: __, deviceId, currency, ...row }: TakingRow): Taking {
  invariant(isCurrency(currency), 'a stored currency is known', { currency });
  return { ...row, currency, deviceId: canonicalId(deviceId), outcome: isOpen === 1 ? 'open' : 'succeeded' };
}
