import type { AttemptFilter, PublicStatus } from '../../payment/payments.ts';
import { ASKED_COLUMNS, BECAME_COLUMNS } from '../attempts/attempt-row.ts';

const ATTEMPT_COLUMNS = [...ASKED_COLUMNS, ...BECAME_COLUMNS];
export const INSERT_ATTEMPT = `INSERT INTO attempts (${ATTEMPT_COLUMNS.join(', ')}) VALUES (${ATTEMPT_COLUMNS.map(() => '?').join(', ')})`;
/** The indexed columns; in the order of {@link BECAME_COLUMNS}. */
export const INDEXED_BEFORE =
  'SELECT status, completed_at, completed_elapsed, batch, day, ticket FROM attempts WHERE id = ? AND version = ?';
export const FIND_ATTEMPT = 'SELECT * FROM attempts WHERE id = ?';
/** Without the hint SQLite scans all rows in order, to save the sorting of a few. */
export const OPEN_ATTEMPTS =
  'SELECT * FROM attempts INDEXED BY attempts_open WHERE completed_at IS NULL ORDER BY seq';
export const APPEND_JOURNAL =
  'INSERT INTO journal (seq, attempt_id, at, event, from_state, to_state, details, hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?)';
/**
 * With a bare `?` in a comparison beside an ORDER BY, or as a LIMIT, SQLite plans the statement anew at each run, because the value might make
 * another plan better; that takes ten times as long as to run it. Under a CAST it is planned once. The same applies to every store.
 */
export const JOURNAL_OF =
  'SELECT attempt_id AS attemptId, at, event, from_state AS "from", to_state AS "to", details FROM journal WHERE attempt_id = CAST(? AS TEXT) ORDER BY seq';
export const CHILDREN_OF = 'SELECT * FROM attempts WHERE parent_id = CAST(? AS TEXT) ORDER BY seq';
export const CORRECTION_OF =
  'SELECT * FROM attempts WHERE corrects = CAST(? AS TEXT) ORDER BY seq DESC LIMIT 1';
export const RETRY_OF = 'SELECT * FROM attempts WHERE retry_of = CAST(? AS TEXT) ORDER BY seq DESC LIMIT 1';
/** Of the newest dispatch, not the greatest: after the greatest ticket number they begin again. */
export const LAST_TICKET = `SELECT attempts.ticket FROM journal INDEXED BY journal_dispatches CROSS JOIN attempts ON attempts.id = journal.attempt_id
  WHERE journal.event = 'dispatch' ORDER BY journal.seq DESC LIMIT 1`;
/** The same for a dispatch that is archived. */
export const LAST_TICKET_ARCHIVED = `SELECT attempts.ticket FROM last_dispatches JOIN attempts ON attempts.id = last_dispatches.attempt_id
  ORDER BY last_dispatches.seq DESC LIMIT 1`;
export const HAS_TICKET = 'SELECT 1 FROM attempts WHERE ticket = ?';
/** A device without any dispatch, like a new terminal in an old shop, would be searched in every dispatch. */
export const ANY_OF_DEVICE =
  'SELECT 1 FROM attempts INDEXED BY attempts_by_device WHERE device_id = ? LIMIT 1';
/** From the newest dispatch back to the first of this device; without the hint SQLite sorts every attempt of the device. */
export const LAST_SENT = `SELECT attempts.* FROM journal INDEXED BY journal_dispatches CROSS JOIN attempts ON attempts.id = journal.attempt_id
  WHERE journal.event = 'dispatch' AND attempts.device_id = CAST(? AS TEXT) ORDER BY journal.seq DESC LIMIT 1`;
/**
 * The newest attempt of this device that its terminal may have started: one that was proved not to have started ended as an error, and is skipped.
 */
export const LAST_STARTED = `SELECT * FROM attempts INDEXED BY attempts_by_device
  WHERE device_id = CAST(? AS TEXT) AND dispatched_at IS NOT NULL
    AND NOT (state = 'error' AND detail ->> '$.reason.code' IS 'not_started')
  ORDER BY seq DESC LIMIT 1`;
/** The same for several forms of one id, as a JSON list. */
export const LAST_SENT_OF_ANY = `SELECT attempts.* FROM journal INDEXED BY journal_dispatches CROSS JOIN attempts ON attempts.id = journal.attempt_id
  WHERE journal.event = 'dispatch' AND attempts.device_id IN (SELECT value FROM json_each(CAST(? AS TEXT))) ORDER BY journal.seq DESC LIMIT 1`;
/** The same for a dispatch that is archived. */
export const LAST_SENT_ARCHIVED = `SELECT attempts.* FROM last_dispatches JOIN attempts ON attempts.id = last_dispatches.attempt_id
  WHERE last_dispatches.device_id = ?`;
export const SUCCEEDED_IN_BATCH =
  "SELECT * FROM attempts INDEXED BY attempts_by_batch WHERE device_id = CAST(? AS TEXT) AND batch = CAST(? AS INTEGER) AND state = 'succeeded' ORDER BY seq";
export const SUCCEEDED_ON_DAY =
  "SELECT * FROM attempts INDEXED BY attempts_by_day WHERE device_id = CAST(? AS TEXT) AND day = CAST(? AS INTEGER) AND state = 'succeeded' ORDER BY seq";
/** A shop has hundreds of thousands; a terminal that is imitated is imitated now. */
export const APPROVED_AT = `SELECT * FROM (
    SELECT * FROM attempts INDEXED BY attempts_by_device WHERE device_id = CAST(? AS TEXT) ORDER BY seq DESC LIMIT 64)
  WHERE state = 'succeeded' AND detail ->> '$.report.terminalClock' = CAST(? AS TEXT)`;
export const ATTEMPT_OF_ALIAS =
  'SELECT * FROM attempts WHERE id = ? OR id IN (SELECT attempt_id FROM aliases WHERE service_id = ?)';
export const BIND_ALIAS = 'INSERT INTO aliases (service_id, attempt_id) VALUES (?, ?)';
/** Without a noted epoch every attempt is from before it. */
export const FROM_BEFORE = `SELECT 1 FROM attempts WHERE id = CAST(? AS TEXT)
  AND seq <= COALESCE((SELECT CAST(value AS INTEGER) FROM facts WHERE name = 'epoch_attempts'), seq)`;
/** The machine was booted again after the newest payment that went to a terminal. */
export const STARTED_AGAIN = `SELECT 1 FROM facts WHERE name = 'boot_attempts'
  AND NOT EXISTS (SELECT 1 FROM attempts WHERE seq > CAST(facts.value AS INTEGER) AND dispatched_at IS NOT NULL)`;
export const FROM_EARLIER_BOOT = `SELECT 1 FROM attempts WHERE id = CAST(? AS TEXT)
  AND seq <= (SELECT CAST(value AS INTEGER) FROM facts WHERE name = 'boot_attempts')`;
export const UNCOMPARED_SINCE_BOOT = `SELECT 1 FROM facts WHERE name = 'boot_attempts'
  AND NOT EXISTS (SELECT 1 FROM tasks WHERE kind = 'memory_lost' AND device_id = CAST(? AS TEXT)
    AND seq > COALESCE((SELECT CAST(value AS INTEGER) FROM facts WHERE name = 'boot_tasks'), 0))`;
/** A task that was created because the terminal could not be read does not show what the terminal holds. */
export const DATABASE_COMPARED = `SELECT 1 FROM tasks WHERE kind = 'memory_lost' AND device_id = CAST(? AS TEXT)
  AND seq > (SELECT CAST(value AS INTEGER) FROM facts WHERE name = 'epoch_tasks')
  AND seq > COALESCE((SELECT CAST(value AS INTEGER) FROM facts WHERE name = 'memory_unread ' || device_id), 0)`;
export const NOTE_COMPARISON_UNREAD = `INSERT OR REPLACE INTO facts (name, value)
  SELECT 'memory_unread ' || device_id, CAST(seq AS TEXT) FROM tasks INDEXED BY tasks_once_open
  WHERE kind = 'memory_lost' AND device_id = CAST(? AS TEXT) AND device_id IS NOT NULL AND done_at IS NULL`;
const MAY_HAVE_CHARGED = "(status NOT IN ('declined', 'cancelled', 'error') OR state = 'written_off')";
/**
 * The open ones, and those that ended lately, each by its own index: without the hint SQLite takes every payment of the device, and with an OR every
 * payment of the same amount or under the same reference, of which a shop has hundreds of thousands.
 */
export const DUPLICATES_BY_NAME = `SELECT * FROM attempts INDEXED BY attempts_open
    WHERE completed_at IS NULL AND (invoice_id = CAST(? AS TEXT) OR reference = CAST(? AS TEXT)) AND ${MAY_HAVE_CHARGED}
  UNION SELECT * FROM attempts INDEXED BY attempts_by_invoice
    WHERE invoice_id = CAST(? AS TEXT) AND completed_at IS NOT NULL AND ${MAY_HAVE_CHARGED}
  UNION SELECT * FROM attempts INDEXED BY attempts_by_reference
    WHERE reference = CAST(? AS TEXT) AND completed_elapsed >= CAST(? AS INTEGER) AND ${MAY_HAVE_CHARGED}
  ORDER BY seq`;
export const DUPLICATES_BY_AMOUNT = `SELECT * FROM attempts INDEXED BY attempts_open
    WHERE completed_at IS NULL AND device_id = CAST(? AS TEXT) AND amount_minor = CAST(? AS INTEGER) AND ${MAY_HAVE_CHARGED}
  UNION ALL SELECT * FROM attempts INDEXED BY attempts_by_amount
    WHERE device_id = CAST(? AS TEXT) AND amount_minor = CAST(? AS INTEGER) AND completed_elapsed >= CAST(? AS INTEGER) AND ${MAY_HAVE_CHARGED}
  ORDER BY seq`;

/**
 * Names only the changed columns: for a primary key that an UPDATE names, even with its old value, SQLite checks every row of every table that refers
 * to it, and an index is rewritten for each of its columns that is named, changed or not.
 */
export function updateAttempt(columns: readonly string[]): string {
  return `UPDATE attempts SET ${columns.map((name) => `${name} = ?`).join(', ')} WHERE id = ? AND version = ?`;
}

/** A page of payments and one row more, which shows whether there are others; `values` lacks the limit. */
export function listQuery(filter: AttemptFilter): { sql: string; values: unknown[]; newerFirst: boolean } {
  const { conditions, values } = conditionsOf(filter);
  const newerFirst = filter.endingBefore === undefined;
  const cursor = filter.startingAfter ?? filter.endingBefore;
  if (cursor !== undefined) {
    conditions.push(`seq ${newerFirst ? '<' : '>'} (SELECT seq FROM attempts WHERE id = ?)`);
    values.push(cursor);
  }
  return {
    sql: `SELECT * FROM attempts ${hintOf(filter)}${whereOf(conditions)} ORDER BY seq ${newerFirst ? 'DESC' : 'ASC'} LIMIT ?`,
    values,
    newerFirst,
  };
}

/** Counts the whole list, and the items before the one with this `seq`; null: the page is empty, and all of them are before it. */
export function placeQuery(
  filter: AttemptFilter,
  firstSeq: number | null,
): { sql: string; values: unknown[] } {
  const { conditions, values } = conditionsOf(filter);
  const sql = `SELECT count(*) AS total, count(*) FILTER (WHERE seq > ?) AS "offset" FROM attempts ${hintOf(filter)}${whereOf(conditions)}`;
  return { sql, values: [firstSeq ?? -1, ...values] };
}

function conditionsOf({ status, deviceId, inDoubt }: AttemptFilter) {
  const conditions: string[] = [];
  const values: unknown[] = [];
  if (status !== undefined) {
    conditions.push(`completed_at IS ${isFinal(status) ? 'NOT ' : ''}NULL AND status = ?`);
    values.push(status);
  }
  if (deviceId !== undefined) {
    conditions.push('device_id = ?');
    values.push(deviceId);
  }
  if (inDoubt === true) conditions.push("completed_at IS NULL AND state = 'in_doubt'");
  if (inDoubt === false) conditions.push("state <> 'in_doubt'");
  return { conditions, values };
}

function whereOf(conditions: readonly string[]): string {
  return conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
}

/**
 * Payments in doubt are among the few open ones; without the hint SQLite scans all payments to save the sorting of these. Most payments succeed:
 * those of a device are found by the device, or a new device would be searched in all that ever succeeded.
 */
function hintOf({ inDoubt, status, deviceId }: AttemptFilter): string {
  if (inDoubt === true || (status !== undefined && !isFinal(status))) return 'INDEXED BY attempts_open ';
  const isMost = status === 'succeeded' && deviceId !== undefined;
  if (status !== undefined && !isMost) return 'INDEXED BY attempts_by_status ';
  return deviceId === undefined ? '' : 'INDEXED BY attempts_by_device ';
}

/** A payment in none of these states has ended, and its end has an instant. */
function isFinal(status: PublicStatus): boolean {
  return status !== 'requested' && status !== 'in_progress';
}
