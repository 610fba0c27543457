import { z } from 'zod';
import { AppError } from '../base/errors.ts';
import {
  type Counts,
  type Fates,
  type Lease,
  NO_COUNTS,
  type PageCommit,
  type Parked,
  type RunEnd,
  type StreamRecord,
  type SyncStore,
} from '../integration/ports.ts';
import { NEW_STREAM, nameOf, type RunKind, type StreamKey, type StreamState } from '../integration/stream.ts';
import type { KnownRow } from '../integration/verdict.ts';
import type { Database } from './database.ts';
import { fateNumber, knownRowOf, parkedOfRow, streamOfRow } from './sync-row.ts';

const NEW = 'INSERT OR IGNORE INTO streams (slot, resource, state) VALUES (?, ?, ?)';
const STREAM = 'SELECT * FROM streams WHERE slot = ? AND resource = ?';
const END_KILLED = "UPDATE runs SET ended_at = ?, outcome = 'killed' WHERE ended_at IS NULL";
const FREE_ALL = 'UPDATE streams SET lease_owner = NULL, lease_until = NULL';
const TAKE = `UPDATE streams SET lease_owner = ?, lease_until = ?
  WHERE id = ? AND (lease_owner IS NULL OR lease_until <= ?)`;
const END_STOLEN = "UPDATE runs SET ended_at = ?, outcome = 'killed' WHERE stream = ? AND ended_at IS NULL";
const BEGIN = "INSERT INTO runs (stream, kind, started_at, outcome) VALUES (?, ?, ?, 'running') RETURNING no";
const RENEW = 'UPDATE streams SET lease_until = ? WHERE id = ? AND lease_owner = ?';
const KEEP_STATE = 'UPDATE streams SET state = ? WHERE id = ? AND lease_owner = ?';
const KEEP_PLACE = 'UPDATE streams SET state = ?, lease_until = ? WHERE id = ? AND lease_owner = ?';
const HOLDS = 'SELECT 1 FROM streams WHERE id = ? AND lease_owner = ?';
const ROW =
  'SELECT id, hash, updated_at, fate, sweep, scan FROM rows WHERE stream = ? AND generation = ? AND id = ?';
const PUT = `INSERT INTO rows (stream, generation, id, hash, updated_at, fate, sweep, scan, body) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (stream, generation, id) DO UPDATE SET hash = excluded.hash, updated_at = excluded.updated_at, fate = excluded.fate,
  sweep = max(sweep, excluded.sweep), scan = max(scan, excluded.scan), body = COALESCE(excluded.body, body)`;
const MARK = `UPDATE rows SET updated_at = COALESCE(?, updated_at), sweep = max(sweep, ?), scan = max(scan, ?) WHERE stream = ? AND generation = ? AND id = ?`;
const PARKED = 'SELECT * FROM parked WHERE stream = ? AND key = ?';
const DUE = `SELECT * FROM parked INDEXED BY parked_due WHERE stream = ? AND next_try_at <= ? AND next_try_at IS NOT NULL
  ORDER BY next_try_at LIMIT ?`;
const PARK = `INSERT OR REPLACE INTO parked (stream, key, record_id, why, reason, needs, excerpt, record, window_from, scan, tries,
  parked_at, next_try_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
const UNPARK = 'DELETE FROM parked WHERE stream = ? AND key = ?';
/** Bad records of a window that was read to its end, and did not come again; looked for an hour apart, for a source may hide rows for a while. */
const UNMET = `stream = ? AND why = 'bad' AND scan < ? AND COALESCE(window_from, -1) >= ? AND COALESCE(next_try_at, 0) <= ?`;
const CLOSE = `DELETE FROM parked WHERE ${UNMET} AND tries >= 2`;
const LOOK_LATER = `UPDATE parked SET tries = tries + 1, next_try_at = ? WHERE ${UNMET}`;
const LOOK_LATER_MS = 3_600_000;
const COUNT = `UPDATE runs SET pages = pages + ?, read = read + ?, created = created + ?, updated = updated + ?,
  unchanged = unchanged + ?, stale = stale + ?, deleted = deleted + ?, parked = parked + ?, ignored = ignored + ? WHERE no = ?`;
const END_RUN =
  'UPDATE runs SET ended_at = ?, outcome = ?, code = ?, message = ?, kind = COALESCE(?, kind) WHERE no = ?';
const FREE = `UPDATE streams SET lease_owner = NULL, lease_until = NULL, fresh_at = COALESCE(?, fresh_at)
  WHERE id = ? AND lease_owner = ?`;
const HOLD = 'UPDATE streams SET held = ? WHERE id = ?';
const NO_FULL = 'UPDATE streams SET wants_full = 0 WHERE id = ?';
const DISAPPROVE = 'UPDATE streams SET approved = 0 WHERE id = ?';
const UNSEEN = 'UPDATE rows SET fate = ? WHERE stream = ? AND generation = ? AND fate = 0 AND sweep < ?';
const UNMARK =
  'UPDATE rows SET fate = 0 WHERE stream = ? AND generation = ? AND fate IN (1, 4) AND sweep < ?';
const COUNT_UNSEEN =
  'SELECT count(*) AS n FROM rows WHERE stream = ? AND generation = ? AND fate = 0 AND sweep < ?';
const FATES = `SELECT count(*) AS n, COALESCE(sum(fate = 1), 0) AS leaving, COALESCE(sum(fate = 4), 0) AS doubtful FROM rows INDEXED BY rows_by_fate
  WHERE stream = ? AND generation = ? AND fate IN (0, 1, 3, 4)`;
const LEAVING = 'SELECT id FROM rows WHERE stream = ? AND generation = ? AND fate IN (3, ?) LIMIT ?';
const BURY =
  'UPDATE rows SET fate = 2, body = NULL WHERE stream = ? AND generation = ? AND id = ? AND fate IN (1, 3)';
const FORGET = `DELETE FROM rows WHERE seq IN
  (SELECT seq FROM rows WHERE stream = ? AND generation = ? AND fate = 2 AND sweep < ? LIMIT ?)`;
const COMPARE = `SELECT shown.id AS id, shown.fate AS fate, other.id IS NULL AS missing FROM rows AS shown
  LEFT JOIN rows AS other ON other.stream = shown.stream AND other.generation = ? AND other.id = shown.id
  WHERE shown.stream = ? AND shown.generation = ? AND shown.id > ? ORDER BY shown.id LIMIT ?`;
/** No record has an empty hash: the page that comes again is taken for a change. */
const INTEND = `INSERT OR IGNORE INTO rows (stream, generation, id, hash, updated_at, fate, sweep, scan)
  SELECT id, ?, ?, '', NULL, 0, ?, 0 FROM streams WHERE id = ?`;
const INTEND_SHOWN = `INSERT OR IGNORE INTO rows (stream, generation, id, hash, updated_at, fate, sweep, scan)
  SELECT id, generation, ?, '', NULL, 0, ?, 0 FROM streams WHERE id = ?`;
const CARRY = `INSERT OR IGNORE INTO rows (stream, generation, id, hash, updated_at, fate, sweep, scan, body)
  SELECT stream, ?, id, hash, updated_at, fate, sweep, scan, body FROM rows WHERE stream = ? AND generation = ? AND id = ?`;
const NAMELESS = 'SELECT 1 FROM parked WHERE stream = ? AND record_id IS NULL LIMIT 1';
const SWAP = 'UPDATE streams SET generation = ?, state = ?, wants_full = 0 WHERE id = ? AND lease_owner = ?';
const SWEEP_AWAY =
  'DELETE FROM rows WHERE seq IN (SELECT seq FROM rows WHERE stream = ? AND generation <> ? LIMIT ?)';

const RunNo = z.object({ no: z.int() });
const Count = z.object({ n: z.int() });
const Id = z.object({ id: z.string() });
const FatesRow = z.object({ n: z.int(), leaving: z.int(), doubtful: z.int() });
const Compared = z.object({ id: z.string(), fate: z.int(), missing: z.int() });
const GONE = 2;

/** Streams, rows, parked records and runs, in `mirror.db`. */
export class SqliteSyncStore implements SyncStore {
  readonly #database: Database;
  readonly #ids = new Map<string, number>();

  constructor(database: Database) {
    this.#database = database;
  }

  reclaim(now: number): void {
    this.#database.transaction(() => {
      this.#database.run(END_KILLED, now);
      this.#database.run(FREE_ALL);
    });
  }

  streamOf(stream: StreamKey): StreamRecord {
    this.#idOf(stream);
    return streamOfRow(this.#database.get(STREAM, stream.slot, stream.resource)).record;
  }

  takeLease(stream: StreamKey, owner: string, kind: RunKind, now: number, until: number): Lease | null {
    const id = this.#idOf(stream);
    return this.#database.transaction(() => {
      if (this.#database.run(TAKE, owner, until, id, now) === 0) return null;
      this.#database.run(END_STOLEN, now, id);
      const { no } = RunNo.parse(this.#database.get(BEGIN, id, kind, now));
      return { stream, owner, run: no };
    });
  }

  renew(lease: Lease, until: number): void {
    this.#held(this.#database.run(RENEW, until, this.#idOf(lease.stream), lease.owner));
  }

  rowsOf(stream: StreamKey, generation: number, ids: readonly string[]): ReadonlyMap<string, KnownRow> {
    const key = this.#idOf(stream);
    return found(ids, (id) => this.#database.get(ROW, key, generation, id), knownRowOf);
  }

  parkedOf(stream: StreamKey, keys: readonly string[]): ReadonlyMap<string, Parked> {
    const id = this.#idOf(stream);
    return found(keys, (key) => this.#database.get(PARKED, id, key), parkedOfRow);
  }

  dueParked(stream: StreamKey, now: number, limit: number): readonly Parked[] {
    return this.#database.all(DUE, this.#idOf(stream), now, limit).map(parkedOfRow);
  }

  intend(lease: Lease, generation: number, ids: readonly string[], sweep: number): void {
    const stream = this.#idOf(lease.stream);
    this.#fenced(lease, () => {
      for (const id of ids) {
        this.#database.run(INTEND, generation, id, sweep, stream);
        this.#database.run(INTEND_SHOWN, id, sweep, stream);
      }
    });
  }

  commitPage(lease: Lease, page: PageCommit): void {
    const id = this.#idOf(lease.stream);
    this.#database.transaction(() => {
      const text = JSON.stringify(page.state);
      this.#held(this.#database.run(KEEP_PLACE, text, page.leaseUntil, id, lease.owner));
      this.#keepRows(id, page);
      for (const key of page.unpark) this.#database.run(UNPARK, id, key);
      for (const parked of page.park) this.#park(id, parked);
      if (page.closes) this.#close(id, page.closes);
      this.#count(lease, page.counts);
    });
  }

  commitState(lease: Lease, state: StreamState): void {
    const id = this.#idOf(lease.stream);
    this.#held(this.#database.run(KEEP_STATE, JSON.stringify(state), id, lease.owner));
  }

  end(lease: Lease, end: RunEnd): void {
    const id = this.#idOf(lease.stream);
    this.#database.transaction(() => {
      this.#held(this.#database.run(FREE, end.freshAt ?? null, id, lease.owner));
      const { at, outcome, code, message, kind = null, held } = end;
      this.#database.run(END_RUN, at, outcome, code, message, kind, lease.run);
      if (held !== undefined) this.#database.run(HOLD, held && JSON.stringify(held), id);
      if (held?.kind === 'resync') this.#database.run(NO_FULL, id);
      if (end.usedApproval) this.#database.run(DISAPPROVE, id);
    });
  }

  markUnseen(lease: Lease, generation: number, seenBefore: number, fate: 'leaving' | 'doubtful'): void {
    const id = this.#idOf(lease.stream);
    this.#fenced(lease, () => void this.#database.run(UNSEEN, fateNumber(fate), id, generation, seenBefore));
  }

  unmarkUnseen(lease: Lease, generation: number, seenBefore: number): void {
    const id = this.#idOf(lease.stream);
    this.#fenced(lease, () => void this.#database.run(UNMARK, id, generation, seenBefore));
  }

  fates(stream: StreamKey, generation: number): Fates {
    const { n, ...fates } = FatesRow.parse(this.#database.get(FATES, this.#idOf(stream), generation));
    return { rows: n, ...fates };
  }

  countUnseen(stream: StreamKey, generation: number, sweep: number): number {
    return Count.parse(this.#database.get(COUNT_UNSEEN, this.#idOf(stream), generation, sweep)).n;
  }

  leaving(stream: StreamKey, generation: number, which: 'all' | 'allowed', limit: number): readonly string[] {
    const also = fateNumber(which === 'all' ? 'leaving' : 'allowed');
    return this.#database
      .all(LEAVING, this.#idOf(stream), generation, also, limit)
      .map((row) => Id.parse(row).id);
  }

  bury(lease: Lease, generation: number, ids: readonly string[], state: StreamState): void {
    const id = this.#idOf(lease.stream);
    this.#database.transaction(() => {
      this.#held(this.#database.run(KEEP_STATE, JSON.stringify(state), id, lease.owner));
      for (const one of ids) this.#database.run(BURY, id, generation, one);
      this.#count(lease, { ...NO_COUNTS, deleted: ids.length });
    });
  }

  forgetBuried(stream: StreamKey, generation: number, seenBefore: number, limit: number): number {
    return this.#database.run(FORGET, this.#idOf(stream), generation, seenBefore, limit);
  }

  compare(stream: StreamKey, shown: number, other: number, after: string, limit: number) {
    const id = this.#idOf(stream);
    const all = this.#database.all(COMPARE, other, id, shown, after, limit).map((row) => Compared.parse(row));
    const rows = all.filter(({ fate }) => fate !== GONE);
    const missing = rows.filter((row) => row.missing === 1).map((row) => row.id);
    return { rows: rows.length, missing, last: all.length < limit ? null : (all.at(-1)?.id ?? null) };
  }

  carryOver(lease: Lease, from: number, to: number, ids: readonly string[]): void {
    const stream = this.#idOf(lease.stream);
    this.#fenced(lease, () => {
      for (const id of ids) this.#database.run(CARRY, to, stream, from, id);
    });
  }

  hasNameless(stream: StreamKey): boolean {
    return this.#database.get(NAMELESS, this.#idOf(stream)) !== undefined;
  }

  swap(lease: Lease, generation: number, state: StreamState): void {
    const id = this.#idOf(lease.stream);
    this.#held(this.#database.run(SWAP, generation, JSON.stringify(state), id, lease.owner));
  }

  sweepAway(stream: StreamKey, keep: number, limit: number): number {
    return this.#database.run(SWEEP_AWAY, this.#idOf(stream), keep, limit);
  }

  #keepRows(id: number, { generation, scan, sweep, rows, marks }: PageCommit): void {
    for (const row of rows) {
      const body = row.body && JSON.stringify(row.body);
      const { hash, updatedAt } = row;
      this.#database.run(
        PUT,
        id,
        generation,
        row.id,
        hash,
        updatedAt,
        fateNumber(row.fate),
        sweep,
        scan,
        body,
      );
    }
    for (const mark of marks) this.#database.run(MARK, mark.updatedAt, sweep, scan, id, generation, mark.id);
  }

  #close(id: number, { scan, from, at }: NonNullable<PageCommit['closes']>): void {
    this.#database.run(CLOSE, id, scan, from ?? -1, at);
    this.#database.run(LOOK_LATER, at + LOOK_LATER_MS, id, scan, from ?? -1, at);
  }

  #park(id: number, parked: Parked): void {
    const { key, recordId, why, reason, needs, excerpt, record, windowFrom, scan } = parked;
    const { tries, parkedAt, nextTryAt } = parked;
    const text = record && JSON.stringify(record);
    const said = [key, recordId, why, reason, needs, excerpt, text];
    this.#database.run(PARK, id, ...said, windowFrom, scan, tries, parkedAt, nextTryAt);
  }

  #count(lease: Lease, counts: Counts): void {
    const { pages, read, created, updated, unchanged, stale, deleted, parked, ignored } = counts;
    const values = [pages, read, created, updated, unchanged, stale, deleted, parked, ignored];
    this.#database.run(COUNT, ...values, lease.run);
  }

  #fenced(lease: Lease, work: () => void): void {
    this.#database.transaction(() => {
      this.#held(this.#database.get(HOLDS, this.#idOf(lease.stream), lease.owner) === undefined ? 0 : 1);
      work();
    });
  }

  #held(changes: number): void {
    if (changes === 0) throw new AppError('LEASE_LOST', 'another run has taken over this stream');
  }

  #idOf(stream: StreamKey): number {
    const name = nameOf(stream);
    const known = this.#ids.get(name);
    if (known !== undefined) return known;
    const find = () => this.#database.get(STREAM, stream.slot, stream.resource);
    if (find() === undefined)
      this.#database.run(NEW, stream.slot, stream.resource, JSON.stringify(NEW_STREAM));
    const { id } = streamOfRow(find());
    this.#ids.set(name, id);
    return id;
  }
}

function found<T>(
  keys: readonly string[],
  get: (key: string) => unknown,
  read: (raw: unknown) => T,
): ReadonlyMap<string, T> {
  const all = new Map<string, T>();
  for (const key of new Set(keys)) {
    const raw = get(key);
    if (raw !== undefined) all.set(key, read(raw));
  }
  return all;
}
