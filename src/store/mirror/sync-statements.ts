// The statements of `sqlite-sync-store.ts`.

export const NEW = 'INSERT OR IGNORE INTO streams (slot, resource, state) VALUES (?, ?, ?)';
export const STREAM = 'SELECT * FROM streams WHERE slot = ? AND resource = ?';
export const END_KILLED = "UPDATE runs SET ended_at = ?, outcome = 'killed' WHERE ended_at IS NULL";
export const FREE_ALL = 'UPDATE streams SET lease_owner = NULL, lease_until = NULL';
export const TAKE = `UPDATE streams SET lease_owner = ?, lease_until = ?
  WHERE id = ? AND (lease_owner IS NULL OR lease_until <= ?)`;
export const END_STOLEN =
  "UPDATE runs SET ended_at = ?, outcome = 'killed' WHERE stream = ? AND ended_at IS NULL";
export const BEGIN =
  "INSERT INTO runs (stream, kind, started_at, outcome) VALUES (?, ?, ?, 'running') RETURNING no";
export const RENEW = 'UPDATE streams SET lease_until = ? WHERE id = ? AND lease_owner = ?';
export const KEEP_STATE = 'UPDATE streams SET state = ? WHERE id = ? AND lease_owner = ?';
export const KEEP_PLACE = 'UPDATE streams SET state = ?, lease_until = ? WHERE id = ? AND lease_owner = ?';
export const HOLDS = 'SELECT 1 FROM streams WHERE id = ? AND lease_owner = ?';
/** Ids come as one JSON list: a page of a few rows costs a quarter of what a hundred parameters would. */
const AMONG_IDS = 'id IN (SELECT value FROM json_each(?))';
export const ROWS = `SELECT id, hash, updated_at, fate, sweep, scan FROM rows WHERE stream = ? AND generation = ? AND ${AMONG_IDS}`;
/** Rows that one statement writes. */
export const PUT_AT_ONCE = 50;
export const PUT = putOf(1);
export const PUT_MANY = putOf(PUT_AT_ONCE);
function putOf(rows: number): string {
  const values = Array.from({ length: rows }, () => '(?, ?, ?, ?, ?, ?, ?, ?, ?)').join(', ');
  return `INSERT INTO rows (stream, generation, id, hash, updated_at, fate, sweep, scan, body) VALUES ${values}
  ON CONFLICT (stream, generation, id) DO UPDATE SET hash = excluded.hash, updated_at = excluded.updated_at, fate = excluded.fate,
  sweep = max(sweep, excluded.sweep), scan = max(scan, excluded.scan), body = COALESCE(excluded.body, body)`;
}
export const MARK = `UPDATE rows SET updated_at = ?, sweep = max(sweep, ?), scan = max(scan, ?) WHERE stream = ? AND generation = ? AND id = ?`;
export const MARK_MANY = `UPDATE rows SET sweep = max(sweep, ?), scan = max(scan, ?) WHERE stream = ? AND generation = ? AND ${AMONG_IDS}`;
/** Changes no index: a list that is read again within a run costs little more than its reading. */
export const MARK_SCAN = `UPDATE rows SET scan = max(scan, ?) WHERE stream = ? AND generation = ? AND ${AMONG_IDS}`;
export const PARKED = 'SELECT * FROM parked WHERE stream = ? AND key = ?';
export const ANY_PARKED = 'SELECT 1 FROM parked WHERE stream = ? LIMIT 1';
export const DUE = `SELECT * FROM parked INDEXED BY parked_due WHERE stream = ? AND next_try_at <= ? AND next_try_at IS NOT NULL
  AND (next_try_at, key) > (?, ?) ORDER BY next_try_at, key LIMIT ?`;
export const PARK = `INSERT OR REPLACE INTO parked (stream, key, record_id, why, reason, needs, excerpt, record, window_from, scan, tries,
  parked_at, next_try_at, run) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
export const UNPARK = 'DELETE FROM parked WHERE stream = ? AND key = ?';
/** Bad records of a window that was read to its end, and that were not in it; checked an hour apart, because a source may hide rows for a while. */
const UNMET = `stream = ? AND why = 'bad' AND scan < ? AND COALESCE(window_from, -1) >= ? AND COALESCE(next_try_at, 0) <= ?`;
export const CLOSE = `DELETE FROM parked WHERE ${UNMET} AND tries >= 2`;
export const LOOK_LATER = `UPDATE parked SET tries = tries + 1, next_try_at = ? WHERE ${UNMET}`;
export const COUNT = `UPDATE runs SET pages = pages + ?, read = read + ?, created = created + ?, updated = updated + ?,
  unchanged = unchanged + ?, stale = stale + ?, deleted = deleted + ?, parked = parked + ?, ignored = ignored + ? WHERE no = ?`;
export const END_RUN =
  'UPDATE runs SET ended_at = ?, outcome = ?, code = ?, message = ?, kind = COALESCE(?, kind) WHERE no = ?';
export const FREE =
  'UPDATE streams SET lease_owner = NULL, lease_until = NULL WHERE id = ? AND lease_owner = ?';
export const COMPLETE = 'UPDATE streams SET fresh_at = ?, fresh_run = ?, fresh_ms = ? WHERE id = ?';
export const HOLD = 'UPDATE streams SET held = ? WHERE id = ?';
export const NO_FULL = 'UPDATE streams SET wants_full = 0 WHERE id = ?';
export const DISAPPROVE = 'UPDATE streams SET approved = 0 WHERE id = ?';
/** The last of the next rows that readers see: no index holds their sweeps, so they are checked some at a time. */
export const SHOWN_TO = `SELECT count(*) AS n, max(seq) AS last FROM
  (SELECT seq FROM rows INDEXED BY rows_in_order WHERE stream = ? AND generation = ? AND fate <> 2 AND seq > ? ORDER BY seq LIMIT ?)`;
const LIVE = `SELECT seq FROM rows INDEXED BY rows_in_order
  WHERE stream = ? AND generation = ? AND fate <> 2 AND fate = 0 AND seq > ? AND seq <= ?`;
export const UNSEEN = `${LIVE} AND sweep < ?`;
export const UNSEEN_BY_SCAN = `${LIVE} AND scan < ?`;
export const MARK_UNSEEN =
  'UPDATE rows SET fate = ? WHERE seq = ? AND stream = ? AND generation = ? AND fate = 0';
export const UNMARK =
  'UPDATE rows SET fate = 0 WHERE stream = ? AND generation = ? AND fate IN (1, 4) AND fate <> 0 AND sweep < ?';
/** Rows that readers see. */
export const SIZE =
  'SELECT COALESCE(sum(rows), 0) AS rows FROM row_blocks WHERE stream = ? AND generation = ?';
/** `fate <> 0` is the condition of the index: without it in the statement SQLite does not use it. */
export const STATUSES = `SELECT COALESCE(sum(fate = 1), 0) AS leaving, COALESCE(sum(fate = 4), 0) AS doubtful FROM rows INDEXED BY rows_by_fate
  WHERE stream = ? AND generation = ? AND fate IN (1, 4) AND fate <> 0`;
export const LEAVING = `SELECT id FROM rows INDEXED BY rows_by_fate WHERE stream = ? AND generation = ? AND fate IN (3, ?) AND fate <> 0 LIMIT ?`;
export const BURY =
  'UPDATE rows SET fate = 2, body = NULL WHERE stream = ? AND generation = ? AND id = ? AND fate IN (1, 3)';
export const FORGET = `DELETE FROM rows WHERE seq IN
  (SELECT seq FROM rows WHERE stream = ? AND generation = ? AND fate = 2 AND sweep < ? LIMIT ?)`;
export const COMPARE = `SELECT shown.id AS id, shown.fate AS fate, other.id IS NULL AS missing FROM rows AS shown
  LEFT JOIN rows AS other ON other.stream = shown.stream AND other.generation = ? AND other.id = shown.id
  WHERE shown.stream = ? AND shown.generation = ? AND shown.id > ? ORDER BY shown.id LIMIT ?`;
/** No record has an empty hash: when the page comes again it counts as a change. */
export const INTEND = `INSERT OR IGNORE INTO rows (stream, generation, id, hash, updated_at, fate, sweep, scan)
  SELECT id, ?, ?, '', NULL, 0, ?, 0 FROM streams WHERE id = ?`;
export const INTEND_SHOWN = `INSERT OR IGNORE INTO rows (stream, generation, id, hash, updated_at, fate, sweep, scan)
  SELECT id, generation, ?, '', NULL, 0, ?, 0 FROM streams WHERE id = ?`;
export const CARRY = `INSERT OR IGNORE INTO rows (stream, generation, id, hash, updated_at, fate, sweep, scan, body)
  SELECT stream, ?, id, hash, updated_at, ?, sweep, scan, body FROM rows WHERE stream = ? AND generation = ? AND id = ?`;
/** With the empty hash: the record is mapped again whenever it comes. */
export const CARRY_SEEN = `INSERT OR IGNORE INTO rows (stream, generation, id, hash, updated_at, fate, sweep, scan, body)
  SELECT rows.stream, ?, rows.id, '', rows.updated_at, 0, ?, ?, rows.body FROM rows JOIN streams ON streams.id = rows.stream
  WHERE rows.stream = ? AND rows.generation = streams.generation AND rows.id = ? AND rows.fate <> 2`;
export const NAMELESS = 'SELECT 1 FROM parked WHERE stream = ? AND record_id IS NULL LIMIT 1';
export const SWAP =
  'UPDATE streams SET generation = ?, state = ?, wants_full = 0 WHERE id = ? AND lease_owner = ?';
export const SWEEP_AWAY =
  'DELETE FROM rows WHERE seq IN (SELECT seq FROM rows WHERE stream = ? AND generation <> ? LIMIT ?)';
