import { z } from 'zod';
import type { TerminalActivity, TerminalFigures } from '../../api/ports.ts';
import type { Currency } from '../../base/money.ts';
import type { ConnectionSpan, ConnectionStore } from '../../terminal/connection-log.ts';
import type { Database } from '../database.ts';

/** Most spans of a device: one that is connected and lost all the time must not fill the disk. */
const MOST_SPANS = 1_000;
/** Most of the newest attempts that are read: a page must not keep a payment waiting. */
const MOST_PAYMENTS = 20_000;

const ADD_SPAN =
  'INSERT INTO terminal_connections (device_id, state, since, until, reason) VALUES (?, ?, ?, ?, ?)';
const NEWEST_SPAN = 'SELECT seq FROM terminal_connections WHERE device_id = ? ORDER BY seq DESC LIMIT 1';
const EXTEND_SPAN = 'UPDATE terminal_connections SET until = max(until, ?) WHERE seq = ?';
const FORGET_SPANS = `DELETE FROM terminal_connections WHERE device_id = ? AND seq <= (
  SELECT seq FROM terminal_connections WHERE device_id = ? ORDER BY seq DESC LIMIT 1 OFFSET ${MOST_SPANS})`;
const SPANS = `SELECT state, since, until, reason FROM terminal_connections
  WHERE device_id = ? AND until >= CAST(? AS INTEGER) ORDER BY seq DESC`;
const FIGURES = `
  WITH newest AS (
    SELECT device_id, status, created_at, in_doubt_since, completed_at - dispatched_at AS took FROM attempts
    WHERE seq > (SELECT coalesce(max(seq), 0) FROM attempts) - ${MOST_PAYMENTS} AND corrects IS NULL
  )
  SELECT (SELECT min(created_at) FROM newest) AS oldest, (SELECT max(seq) FROM attempts) - (SELECT min(seq) FROM attempts) >= ${MOST_PAYMENTS} AS isCut,
    coalesce(sum(status = 'succeeded'), 0) AS succeeded, coalesce(sum(status = 'declined'), 0) AS declined,
    CAST(round(avg(CASE WHEN status IN ('succeeded', 'declined') AND in_doubt_since IS NULL THEN max(took, 0) END)) AS INTEGER) AS meanMs
  FROM newest WHERE device_id = ? AND created_at >= CAST(? AS INTEGER)`;

/** Most of a device's newest attempts that are read for {@link SALE_AMOUNTS}. */
const MOST_SALES = 400;
const SALE_AMOUNTS = `SELECT amount_minor AS amountMinor FROM (
    SELECT type, status, corrects, currency, amount_minor FROM attempts INDEXED BY attempts_by_device
    WHERE device_id = CAST(? AS TEXT) ORDER BY seq DESC LIMIT ${MOST_SALES})
  WHERE type = 'sale' AND status = 'succeeded' AND corrects IS NULL AND currency = CAST(? AS TEXT)`;

const Newest = z.object({ seq: z.int() });
const SpanRow = z.object({
  state: z.enum(['connected', 'not_connected', 'wrong_terminal']),
  since: z.int(),
  until: z.int(),
  reason: z.string().nullable(),
});
const AmountRow = z.object({ amountMinor: z.int() });
const FiguresRow = z.object({
  oldest: z.int().nullable(),
  isCut: z.int().nullable(),
  succeeded: z.int(),
  declined: z.int(),
  meanMs: z.int().nullable(),
});

/** When each terminal was connected, and what its payments came to, in `money.db`. */
export class SqliteTerminalActivity implements ConnectionStore, TerminalActivity {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  add(deviceId: string, { state, since, until, reason }: ConnectionSpan): number {
    return this.#database.transaction(() => {
      this.#database.run(ADD_SPAN, deviceId, state, since, until ?? since, reason);
      this.#database.run(FORGET_SPANS, deviceId, deviceId);
      return Newest.parse(this.#database.get(NEWEST_SPAN, deviceId)).seq;
    });
  }

  extend(span: number, until: number): void {
    this.#database.run(EXTEND_SPAN, until, span);
  }

  spans(deviceId: string, from: number): readonly ConnectionSpan[] {
    return this.#database.all(SPANS, deviceId, from).map((row) => SpanRow.parse(row));
  }

  figures(deviceId: string, from: number): TerminalFigures {
    const row = FiguresRow.parse(this.#database.get(FIGURES, deviceId, from));
    const { oldest, isCut, ...counts } = row;
    return { ...counts, since: isCut === 1 && oldest !== null ? Math.max(oldest, from) : from };
  }

  saleAmounts(deviceId: string, currency: Currency): readonly number[] {
    return this.#database
      .all(SALE_AMOUNTS, deviceId, currency)
      .map((row) => AmountRow.parse(row).amountMinor);
  }
}
