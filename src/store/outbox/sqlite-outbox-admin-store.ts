import { z } from 'zod';
import { AppError } from '../../base/errors.ts';
import { invariant } from '../../base/invariant.ts';
import { isCurrency } from '../../base/money.ts';
import type {
  OutboxAdminStore,
  PendingReport,
  RefusalCause,
  ReportDecision,
  ReportFilter,
} from '../../outbox/outbox-admin.ts';
import type { Database } from '../database.ts';

const STATUS = `CASE WHEN dropped_at IS NOT NULL THEN 'dropped' WHEN state = 'parked' AND tries = 0 THEN 'held' ELSE state END`;
const PAYMENT = `(SELECT json_object('deviceId', device_id, 'amountMinor', amount_minor, 'currency', currency)
  FROM attempts WHERE attempts.id = outbox.attempt_id) AS payment`;
const COLUMNS = `${PAYMENT}, seq, id, attempt_id AS attemptId, kind, operation, parent_id AS parentId, created_at AS createdAt, tries,
  first_used_at AS firstUsedAt, last_error AS lastError, ${STATUS} AS status`;
/** A page of pending reports, and of parked ones, each by an index of its own: done reports are never scanned. */
const PENDING = `SELECT ${COLUMNS} FROM outbox INDEXED BY outbox_pending WHERE state = 'pending' AND dropped_at IS NULL AND seq > CAST(? AS INTEGER)
  ORDER BY seq LIMIT CAST(? AS INTEGER)`;
const PARKED = `SELECT ${COLUMNS} FROM outbox INDEXED BY outbox_parked WHERE state = 'parked' AND (CASE WHEN CAST(? AS TEXT) = '' THEN dropped_at IS NULL ELSE ${STATUS} = ? END)
  AND seq > CAST(? AS INTEGER) ORDER BY seq LIMIT CAST(? AS INTEGER)`;
const SEQ_OF = 'SELECT seq FROM outbox WHERE id = ?';
/** What stands before the colon, behind the mark of `delivery-attempt.ts`, and the HTTP status behind it where there is one. The other columns are those of the oldest: SQLite's rule for min(). */
const CAUSES = `SELECT kind || CASE WHEN rest GLOB '[0-9][0-9][0-9]*' THEN ': ' || substr(rest, 1, 3) ELSE '' END AS cause,
  count(*) AS reports, min(seq), createdAt AS oldestAt, example FROM (
    SELECT seq, createdAt, example, substr(words, 1, instr(words || ':', ':') - 1) AS kind, ltrim(substr(words, instr(words || ':', ':') + 1)) AS rest FROM (
      SELECT seq, created_at AS createdAt, last_error AS example, replace(last_error, 'plain_body: ', '') AS words
      FROM outbox INDEXED BY outbox_parked WHERE state = 'parked' AND tries > 0 AND dropped_at IS NULL AND last_error IS NOT NULL))
  GROUP BY cause ORDER BY reports DESC, cause`;
const FIND = `SELECT ${COLUMNS} FROM outbox WHERE id = ? AND state <> 'done'`;
const NEWEST_DECISION = `SELECT report_id AS reportId, decision, at, caller, said_by AS "by", reason FROM outbox_decisions
  WHERE report_id = CAST(? AS TEXT) ORDER BY seq DESC LIMIT 1`;
const RETRY =
  "UPDATE outbox SET state = 'pending' WHERE id = ? AND state = 'parked' AND tries > 0 AND dropped_at IS NULL";
/** The later reports of its attempt cannot be sent any more: the service would not know what they are about. */
const DROP = `UPDATE outbox SET state = 'parked', dropped_at = ?, unanswered = 0, tries = max(tries, 1), last_error = ?
  WHERE attempt_id = (SELECT attempt_id FROM outbox WHERE id = ?) AND seq >= (SELECT seq FROM outbox WHERE id = ?)
  AND state <> 'done' AND dropped_at IS NULL RETURNING id`;
const DECIDE =
  'INSERT INTO outbox_decisions (report_id, decision, at, caller, said_by, reason) VALUES (?, ?, ?, ?, ?, ?)';
const FINISH_TASK = `UPDATE tasks SET done_at = ?, done_by = ?, note = ? WHERE kind = 'report_rejected' AND done_at IS NULL
  AND attempt_id = (SELECT attempt_id FROM outbox WHERE id = ?)
  AND NOT EXISTS (SELECT 1 FROM outbox WHERE outbox.attempt_id = tasks.attempt_id AND state = 'parked' AND tries > 0 AND dropped_at IS NULL)`;

const Payment = z.object({
  deviceId: z.string(),
  amountMinor: z.int(),
  currency: z.string().refine(isCurrency),
});
const Row = z.object({
  payment: z.string().transform((text) => Payment.parse(JSON.parse(text))),
  seq: z.int(),
  id: z.string(),
  attemptId: z.string(),
  kind: z.enum(['create', 'result']),
  operation: z.enum(['sale', 'refund', 'void']),
  parentId: z.string().nullable(),
  createdAt: z.int(),
  tries: z.int(),
  firstUsedAt: z.int().nullable(),
  lastError: z.string().nullable(),
  status: z.enum(['pending', 'held', 'parked', 'dropped']),
});
const Decision = z.object({
  reportId: z.string(),
  decision: z.enum(['retried', 'dropped']),
  at: z.int(),
  caller: z.string(),
  by: z.string().nullable(),
  reason: z.string().nullable(),
});
const Cause = z.object({
  cause: z.string(),
  reports: z.int(),
  oldestAt: z.int(),
  example: z.string(),
});
const Id = z.object({ id: z.string() });
const Seq = z.object({ seq: z.int() });

/** The reports that the service does not have, as staff see and decide them, in `money.db`. */
export class SqliteOutboxAdminStore implements OutboxAdminStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  list({ status, limit, startingAfter }: ReportFilter): readonly PendingReport[] {
    const after = startingAfter === undefined ? 0 : this.#seqOf(startingAfter);
    const isPending = status === undefined || status === 'pending';
    const pending = isPending ? this.#database.all(PENDING, after, limit) : [];
    const parked =
      status === 'pending' ? [] : this.#database.all(PARKED, status ?? '', status ?? '', after, limit);
    const rows = [...pending, ...parked].map((row) => Row.parse(row));
    return rows
      .sort((one, other) => one.seq - other.seq)
      .slice(0, limit)
      .map((row) => this.#pendingReport(row));
  }

  causes(): readonly RefusalCause[] {
    return this.#database.all(CAUSES).map((row) => Cause.parse(row));
  }

  find(id: string): PendingReport | null {
    const row = this.#database.get(FIND, id);
    return row === undefined ? null : this.#pendingReport(Row.parse(row));
  }

  retry(decision: ReportDecision): void {
    this.#database.transaction(() => {
      const changed = this.#database.run(RETRY, decision.reportId);
      invariant(changed === 1, 'only a parked report is retried', { report: decision.reportId });
      this.#decide(decision);
      this.#finishTask(decision, 'the report is sent again');
    });
  }

  drop(decision: ReportDecision): void {
    const { at, reportId, reason } = decision;
    const words = `dropped by ${nameOf(decision)}: ${reason}`;
    this.#database.transaction(() => {
      const before = this.find(reportId)?.lastError;
      const dropped = this.#database.all(
        DROP,
        at,
        before ? `${words} (before: ${before})` : words,
        reportId,
        reportId,
      );
      for (const row of dropped) this.#decide({ ...decision, reportId: Id.parse(row).id });
      this.#finishTask(decision, `the report is dropped: ${reason}`);
    });
  }

  #decide({ reportId, decision, at, caller, by, reason }: ReportDecision): void {
    this.#database.run(DECIDE, reportId, decision, at, caller, by, reason);
  }

  #finishTask(decision: ReportDecision, note: string): void {
    this.#database.run(FINISH_TASK, decision.at, nameOf(decision), note, decision.reportId);
  }

  #seqOf(id: string): number {
    const row = this.#database.get(SEQ_OF, id);
    if (row === undefined) throw new AppError('CURSOR_UNKNOWN', 'no report has this id');
    return Seq.parse(row).seq;
  }

  #pendingReport({ seq: _, payment, ...row }: z.infer<typeof Row>): PendingReport {
    const decision = this.#database.get(NEWEST_DECISION, row.id);
    return { ...row, ...payment, decision: decision === undefined ? null : Decision.parse(decision) };
  }
}

function nameOf({ by, caller }: ReportDecision): string {
  return by ?? caller;
}
