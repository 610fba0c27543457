// The statements of a report from its creation to its end; `sqlite-report-store.ts` writes it, `sqlite-outbox-store.ts` has the rest.

export const ENQUEUE_REPORT =
  'INSERT INTO outbox (id, attempt_id, kind, operation, parent_id, key, body, created_at, state, last_error) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)';
export const REPORTS_OF = `SELECT kind, state, tries, created_at AS createdAt, done_at AS doneAt, done_run AS doneRun,
  done_ms AS doneMs, last_error AS lastError FROM outbox WHERE attempt_id = CAST(? AS TEXT) ORDER BY seq`;
export const RELEASE_REPORTS = `UPDATE outbox SET state = 'pending', last_error = NULL
  WHERE attempt_id = ? AND state = 'parked' AND tries = 0`;
const COLUMNS = `id, attempt_id AS attemptId, kind, operation, parent_id AS parentId, key, body, created_at AS createdAt, state, tries,
  first_used_at AS firstUsedAt, unanswered, last_error AS lastError`;
/** Pending, with no older unfinished report of its attempt, and none of its attempt's parent; a dropped report does not count. */
const MAY_GO = `state = 'pending'
  AND NOT EXISTS (SELECT 1 FROM outbox AS older WHERE older.attempt_id = row.attempt_id AND older.seq < row.seq AND older.state <> 'done' AND older.dropped_at IS NULL)
  AND NOT EXISTS (SELECT 1 FROM outbox AS older JOIN attempts ON older.attempt_id = attempts.parent_id
    WHERE attempts.id = row.attempt_id AND older.state <> 'done' AND older.dropped_at IS NULL)`;
export const DUE = `SELECT ${COLUMNS} FROM outbox AS row INDEXED BY outbox_pending WHERE ${MAY_GO}
  AND kind = coalesce(CAST(? AS TEXT), kind) ORDER BY seq DESC LIMIT CAST(? AS INTEGER)`;
export const DUE_RESULTS = `SELECT ${COLUMNS} FROM outbox AS row WHERE seq IN (SELECT value FROM json_each(CAST(? AS TEXT))) AND ${MAY_GO}
  ORDER BY seq DESC LIMIT CAST(? AS INTEGER)`;
export const BEGIN_TRY =
  'UPDATE outbox SET tries = tries + 1, unanswered = 1, first_used_at = coalesce(first_used_at, ?) WHERE id = ?';
export const DONE = `UPDATE outbox SET state = 'done', unanswered = 0, last_error = NULL, done_at = ?, done_run = (SELECT max(no) FROM process_runs),
  done_ms = ? WHERE id = ?`;
export const MAY_HAVE_CREATED = `SELECT 1 FROM outbox INDEXED BY outbox_pending WHERE state = 'pending' AND kind = 'create' AND unanswered = 1
  AND operation = CAST(? AS TEXT) AND CASE operation WHEN 'sale' THEN body ->> '$.device_id' = ? AND body ->> '$.amount_minor' = ?
    ELSE parent_id IN (SELECT CAST(? AS TEXT) UNION SELECT attempt_id FROM aliases WHERE service_id = ?) END LIMIT 1`;
