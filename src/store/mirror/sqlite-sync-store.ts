import { z } from 'zod';
import { AppError } from '../../base/errors.ts';
import type { KnownRow } from '../../integration/page/record-change.ts';
import {
  type Counts,
  type Lease,
  NO_COUNTS,
  type PageCommit,
  type Parked,
  type RowCounts,
  type RunEnd,
  type StreamRecord,
  type SyncStore,
  type Unseen,
} from '../../integration/ports.ts';
import {
  NEW_STREAM,
  nameOf,
  type RunKind,
  type StreamKey,
  type StreamState,
} from '../../integration/window/stream.ts';
import type { Database } from '../database.ts';
import { knownRowOf, parkedOfRow, statusNumber, streamOfRow } from './sync-row.ts';
import * as sql from './sync-statements.ts';
import { WordIndex } from './word-index.ts';

const LOOK_LATER_MS = 3_600_000;
/** After so many written rows their words are written, too. */
const INDEX_AFTER = 1_000;

const RunNo = z.object({ no: z.int() });
const ShownTo = z.object({ n: z.int(), last: z.int().nullable() });
const Seq = z.object({ seq: z.int() });
const Id = z.object({ id: z.string() });
const Size = z.object({ rows: z.int() });
const StatusesRow = z.object({ leaving: z.int(), doubtful: z.int() });
const Compared = z.object({ id: z.string(), fate: z.int(), missing: z.int() });
const GONE = 2;

/** Streams, rows, parked records and runs, in `mirror.db`. */
export class SqliteSyncStore implements SyncStore {
  readonly #database: Database;
  readonly #words: WordIndex;
  readonly #ids = new Map<string, number>();
  #unindexed = 0;

  constructor(database: Database) {
    this.#database = database;
    this.#words = new WordIndex(database);
  }

  /** Writes the words of changed rows, two thousand rows at most; between two pages, and while no payment runs. @throws STORAGE_FAILED */
  indexWords(): void {
    this.#unindexed = 0;
    this.#words.write(2);
  }

  reclaim(now: number): void {
    this.#database.transaction(() => {
      this.#database.run(sql.END_KILLED, now);
      this.#database.run(sql.FREE_ALL);
    });
  }

  streamOf(stream: StreamKey): StreamRecord {
    this.#idOf(stream);
    return streamOfRow(this.#database.get(sql.STREAM, stream.integration, stream.resource)).record;
  }

  takeLease(stream: StreamKey, owner: string, kind: RunKind, now: number, until: number): Lease | null {
    const id = this.#idOf(stream);
    return this.#database.transaction(() => {
      if (this.#database.run(sql.TAKE, owner, until, id, now) === 0) return null;
      this.#database.run(sql.END_STOLEN, now, id);
      const { no } = RunNo.parse(this.#database.get(sql.BEGIN, id, kind, now));
      return { stream, owner, run: no };
    });
  }

  renew(lease: Lease, until: number): void {
    this.#requireLease(this.#database.run(sql.RENEW, until, this.#idOf(lease.stream), lease.owner));
  }

  rowsOf(stream: StreamKey, generation: number, ids: readonly string[]): ReadonlyMap<string, KnownRow> {
    const key = this.#idOf(stream);
    const rows = this.#database.all(sql.ROWS, key, generation, JSON.stringify(ids)).map(knownRowOf);
    return new Map(rows.map((row) => [row.id, row]));
  }

  parkedOf(stream: StreamKey, keys: readonly string[]): ReadonlyMap<string, Parked> {
    const id = this.#idOf(stream);
    if (this.#database.get(sql.ANY_PARKED, id) === undefined) return new Map();
    return found(keys, (key) => this.#database.get(sql.PARKED, id, key), parkedOfRow);
  }

  dueParked(stream: StreamKey, now: number, limit: number, after: Parked | null): readonly Parked[] {
    const behind = [after?.nextTryAt ?? -1, after?.key ?? ''];
    return this.#database.all(sql.DUE, this.#idOf(stream), now, ...behind, limit).map(parkedOfRow);
  }

  intend(lease: Lease, generation: number, ids: readonly string[], sweep: number): void {
    const stream = this.#idOf(lease.stream);
    this.#fenced(lease, () => {
      for (const id of ids) {
        this.#database.run(sql.INTEND, generation, id, sweep, stream);
        this.#database.run(sql.INTEND_SHOWN, id, sweep, stream);
      }
    });
  }

  commitPage(lease: Lease, page: PageCommit): void {
    const id = this.#idOf(lease.stream);
    this.#database.transaction(() => {
      const text = JSON.stringify(page.state);
      this.#requireLease(this.#database.run(sql.KEEP_PLACE, text, page.leaseUntil, id, lease.owner));
      this.#keepRows(id, page);
      for (const key of page.present)
        this.#database.run(sql.CARRY_SEEN, page.generation, page.sweep, page.scan, id, key);
      for (const key of page.unpark) this.#database.run(sql.UNPARK, id, key);
      for (const parked of page.park) this.#park(id, parked);
      if (page.closes) this.#close(id, page.closes);
      this.#count(lease, page.counts);
    });
    this.#unindexed += page.rows.length;
    if (this.#unindexed >= INDEX_AFTER) this.indexWords();
  }

  commitState(lease: Lease, state: StreamState): void {
    const id = this.#idOf(lease.stream);
    this.#requireLease(this.#database.run(sql.KEEP_STATE, JSON.stringify(state), id, lease.owner));
  }

  end(lease: Lease, end: RunEnd): void {
    const id = this.#idOf(lease.stream);
    this.#database.transaction(() => {
      this.#requireLease(this.#database.run(sql.FREE, id, lease.owner));
      this.#complete(id, end);
      const { at, outcome, code, message, kind = null, held } = end;
      this.#database.run(sql.END_RUN, at, outcome, code, message, kind, lease.run);
      if (held !== undefined) this.#database.run(sql.HOLD, held && JSON.stringify(held), id);
      if (held?.kind === 'resync') this.#database.run(sql.NO_FULL, id);
      if (end.usedApproval) this.#database.run(sql.DISAPPROVE, id);
    });
  }

  #complete(id: number, { freshAt, begunIn = null }: RunEnd): void {
    if (freshAt !== undefined)
      this.#database.run(sql.COMPLETE, freshAt, begunIn?.run ?? null, begunIn?.ms ?? null, id);
  }

  unseen(
    stream: StreamKey,
    generation: number,
    { by, before }: { readonly by: 'sweep' | 'scan'; readonly before: number },
    after: number,
    limit: number,
  ): Unseen {
    const id = this.#idOf(stream);
    const { n, last } = ShownTo.parse(this.#database.get(sql.SHOWN_TO, id, generation, after, limit));
    const rows = this.#database.all(
      by === 'sweep' ? sql.UNSEEN : sql.UNSEEN_BY_SCAN,
      ...[id, generation, after, last ?? after, before],
    );
    return { rows: rows.map((row) => Seq.parse(row).seq), last: n < limit ? null : last };
  }

  markUnseen(lease: Lease, generation: number, rows: readonly number[], fate: 'leaving' | 'doubtful'): void {
    const id = this.#idOf(lease.stream);
    this.#fenced(lease, () => {
      for (const seq of rows) this.#database.run(sql.MARK_UNSEEN, statusNumber(fate), seq, id, generation);
    });
  }

  unmarkUnseen(lease: Lease, generation: number, seenBefore: number): void {
    const id = this.#idOf(lease.stream);
    this.#fenced(lease, () => void this.#database.run(sql.UNMARK, id, generation, seenBefore));
  }

  rowCounts(stream: StreamKey, generation: number): RowCounts {
    const id = this.#idOf(stream);
    const { rows } = Size.parse(this.#database.get(sql.SIZE, id, generation));
    return { rows, ...StatusesRow.parse(this.#database.get(sql.STATUSES, id, generation)) };
  }

  leaving(
    stream: StreamKey,
    generation: number,
    which: 'all' | 'allowed' | 'doubtful',
    limit: number,
  ): readonly string[] {
    const also = statusNumber(which === 'all' ? 'leaving' : which);
    return this.#database
      .all(sql.LEAVING, this.#idOf(stream), generation, also, limit)
      .map((row) => Id.parse(row).id);
  }

  bury(lease: Lease, generation: number, ids: readonly string[], state: StreamState): void {
    const id = this.#idOf(lease.stream);
    this.#database.transaction(() => {
      this.#requireLease(this.#database.run(sql.KEEP_STATE, JSON.stringify(state), id, lease.owner));
      for (const one of ids) this.#database.run(sql.BURY, id, generation, one);
      this.#count(lease, { ...NO_COUNTS, deleted: ids.length });
    });
  }

  forgetBuried(stream: StreamKey, generation: number, seenBefore: number, limit: number): number {
    return this.#database.run(sql.FORGET, this.#idOf(stream), generation, seenBefore, limit);
  }

  compare(stream: StreamKey, shown: number, other: number, after: string, limit: number) {
    const id = this.#idOf(stream);
    const all = this.#database
      .all(sql.COMPARE, other, id, shown, after, limit)
      .map((row) => Compared.parse(row));
    const rows = all.filter(({ fate }) => fate !== GONE);
    const missing = rows.filter((row) => row.missing === 1).map((row) => row.id);
    return { rows: rows.length, missing, last: all.length < limit ? null : (all.at(-1)?.id ?? null) };
  }

  carryOver(
    lease: Lease,
    from: number,
    to: number,
    ids: readonly string[],
    fate: 'live' | 'leaving' | 'allowed',
  ): void {
    const stream = this.#idOf(lease.stream);
    this.#fenced(lease, () => {
      for (const id of ids) this.#database.run(sql.CARRY, to, statusNumber(fate), stream, from, id);
    });
  }

  hasNameless(stream: StreamKey): boolean {
    return this.#database.get(sql.NAMELESS, this.#idOf(stream)) !== undefined;
  }

  swap(lease: Lease, generation: number, state: StreamState): void {
    const id = this.#idOf(lease.stream);
    this.#requireLease(this.#database.run(sql.SWAP, generation, JSON.stringify(state), id, lease.owner));
  }

  sweepAway(stream: StreamKey, keep: number, limit: number): number {
    const swept = this.#database.run(sql.SWEEP_AWAY, this.#idOf(stream), keep, limit);
    this.indexWords();
    return swept;
  }

  #keepRows(id: number, { generation, scan, sweep, rows, marks }: PageCommit): void {
    const whole = rows.length - (rows.length % sql.PUT_AT_ONCE);
    for (let at = 0; at < rows.length; at += at < whole ? sql.PUT_AT_ONCE : 1) {
      const values: unknown[] = [];
      for (const row of rows.slice(at, at < whole ? at + sql.PUT_AT_ONCE : at + 1)) {
        const { id: rowId, hash, updatedAt, status, body } = row;
        values.push(id, generation, rowId, hash, updatedAt, statusNumber(status), sweep, scan, body);
      }
      this.#database.run(at < whole ? sql.PUT_MANY : sql.PUT, values);
    }
    this.#mark(id, { generation, scan, sweep, marks });
  }

  /** In batches, except for rows whose time has changed but not their content. */
  #mark(
    id: number,
    { generation, scan, sweep, marks }: Pick<PageCommit, 'generation' | 'scan' | 'sweep' | 'marks'>,
  ): void {
    const [swept, unswept]: [string[], string[]] = [[], []];
    for (const { id: rowId, updatedAt, isSwept } of marks) {
      if (updatedAt !== null) this.#database.run(sql.MARK, updatedAt, sweep, scan, id, generation, rowId);
      else (isSwept ? swept : unswept).push(rowId);
    }
    if (unswept.length > 0)
      this.#database.run(sql.MARK_MANY, sweep, scan, id, generation, JSON.stringify(unswept));
    if (swept.length > 0) this.#database.run(sql.MARK_SCAN, scan, id, generation, JSON.stringify(swept));
  }

  #close(id: number, { scan, from, at }: NonNullable<PageCommit['closes']>): void {
    this.#database.run(sql.CLOSE, id, scan, from ?? -1, at);
    this.#database.run(sql.LOOK_LATER, at + LOOK_LATER_MS, id, scan, from ?? -1, at);
  }

  #park(id: number, parked: Parked): void {
    const { key, recordId, why, reason, needs, excerpt, record, windowFrom, scan } = parked;
    const { tries, parkedAt, nextTryAt, run } = parked;
    const text = record && JSON.stringify(record);
    const said = [key, recordId, why, reason, needs, excerpt, text];
    this.#database.run(sql.PARK, id, ...said, windowFrom, scan, tries, parkedAt, nextTryAt, run);
  }

  #count(lease: Lease, counts: Counts): void {
    const { pages, read, created, updated, unchanged, stale, deleted, parked, ignored } = counts;
    const values = [pages, read, created, updated, unchanged, stale, deleted, parked, ignored];
    this.#database.run(sql.COUNT, ...values, lease.run);
  }

  #fenced(lease: Lease, work: () => void): void {
    this.#database.transaction(() => {
      this.#requireLease(
        this.#database.get(sql.HOLDS, this.#idOf(lease.stream), lease.owner) === undefined ? 0 : 1,
      );
      work();
    });
  }

  #requireLease(changes: number): void {
    if (changes === 0) throw new AppError('LEASE_LOST', 'another run has taken over this stream');
  }

  #idOf(stream: StreamKey): number {
    const name = nameOf(stream);
    const known = this.#ids.get(name);
    if (known !== undefined) return known;
    const find = () => this.#database.get(sql.STREAM, stream.integration, stream.resource);
    if (find() === undefined)
      this.#database.run(sql.NEW, stream.integration, stream.resource, JSON.stringify(NEW_STREAM));
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
