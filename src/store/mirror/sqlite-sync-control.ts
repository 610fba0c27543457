import { z } from 'zod';
import type { Parked, QuarantineEntry, RunRecord } from '../../integration/ports.ts';
import type { StreamKey } from '../../integration/stream.ts';
import type { SyncControl } from '../../integration/sync-control.ts';
import type { Database } from '../database.ts';
import { entryOfRow, parkedOfRow, runOfRow } from './sync-row.ts';

const OF_STREAM = 'stream = (SELECT id FROM streams WHERE slot = ? AND resource = ?)';
const WANT_FULL = 'UPDATE streams SET wants_full = 1 WHERE slot = ? AND resource = ?';
const ALLOW = `UPDATE rows SET fate = 3 WHERE ${OF_STREAM} AND fate IN (1, 4) AND fate <> 0
  AND generation = (SELECT generation FROM streams WHERE slot = ? AND resource = ?)`;
const HELD = 'SELECT held FROM streams WHERE slot = ? AND resource = ?';
const APPROVE = 'UPDATE streams SET approved = ?, wants_full = 1 WHERE slot = ? AND resource = ?';
const RELEASE = `UPDATE parked SET next_try_at = ?, tries = 0 WHERE needs IN (SELECT value FROM json_each(?))
  AND stream IN (SELECT id FROM streams WHERE slot = ?)`;
const PARKED = `SELECT * FROM parked WHERE ${OF_STREAM} AND key > ? ORDER BY key LIMIT ?`;
const PARKED_ENTRIES = `SELECT key, record_id, why, reason, needs, tries, parked_at, next_try_at FROM parked
  WHERE ${OF_STREAM} AND key > ? ORDER BY key LIMIT ?`;
const RETRY = `UPDATE parked SET next_try_at = ?, tries = 0 WHERE ${OF_STREAM} AND key IN (SELECT value FROM json_each(?))`;
const PARKED_COUNT = `SELECT count(*) AS n FROM parked WHERE ${OF_STREAM}`;
const ALL_PARKED = `SELECT EXISTS (SELECT 1 FROM parked WHERE ${OF_STREAM}) AND NOT EXISTS (
  SELECT 1 FROM rows JOIN streams ON rows.stream = streams.id AND rows.generation = streams.generation
  WHERE slot = ? AND resource = ? AND fate <> 2
  AND rows.id NOT IN (SELECT record_id FROM parked WHERE ${OF_STREAM} AND record_id IS NOT NULL)) AS n`;
const Count = z.object({ n: z.int() });
/** The refresh of one record holds the lease of its stream like a run, and is none. */
const RUNS = `SELECT * FROM runs WHERE ${OF_STREAM} AND started_at >= ? AND code IS NOT 'RECORD_REFRESH' ORDER BY no DESC LIMIT ?`;
const RUNS_BEFORE = `SELECT * FROM runs WHERE ${OF_STREAM} AND no < ? AND code IS NOT 'RECORD_REFRESH' ORDER BY no DESC LIMIT ?`;
const FORGET =
  'DELETE FROM runs WHERE no IN (SELECT no FROM runs WHERE ended_at < ? ORDER BY ended_at LIMIT ?)';
const HeldRow = z.object({ held: z.string().nullable() });
const HeldText = z.object({ kind: z.enum(['deletes', 'resync']), missing: z.int() });

/** Requests of staff between the runs of a stream, in `mirror.db`. */
export class SqliteSyncControl implements SyncControl {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** The next run of the stream is a full resync. */
  requestFull({ slot, resource }: StreamKey): void {
    this.#database.run(WANT_FULL, slot, resource);
  }

  /** A person has checked the held changes: these rows may be deleted, or a full resync may swap with so many missing. */
  approve({ slot, resource }: StreamKey): void {
    const held = this.#heldOf(slot, resource);
    if (held === null) return;
    if (held.kind === 'deletes') this.#database.run(ALLOW, slot, resource, slot, resource);
    else this.#database.run(APPROVE, held.missing, slot, resource);
  }

  /** Mappings for these products now exist: the next run takes the records that wait for them. @returns how many */
  release(slot: string, products: readonly string[], now: number): number {
    return this.#database.run(RELEASE, now, JSON.stringify(products), slot);
  }

  /** In the order of their keys. */
  parked({ slot, resource }: StreamKey, after: string, limit: number): readonly Parked[] {
    return this.#database.all(PARKED, slot, resource, after, limit).map(parkedOfRow);
  }

  /** The same records without their content. */
  parkedEntries({ slot, resource }: StreamKey, after: string, limit: number): readonly QuarantineEntry[] {
    return this.#database.all(PARKED_ENTRIES, slot, resource, after, limit).map(entryOfRow);
  }

  /** The next run takes these records. @returns how many */
  retry({ slot, resource }: StreamKey, keys: readonly string[], now: number): number {
    return this.#database.run(RETRY, now, slot, resource, JSON.stringify(keys));
  }

  parkedCount({ slot, resource }: StreamKey): number {
    return Count.parse(this.#database.get(PARKED_COUNT, slot, resource)).n;
  }

  isAllParked({ slot, resource }: StreamKey): boolean {
    return (
      Count.parse(this.#database.get(ALL_PARKED, slot, resource, slot, resource, slot, resource)).n === 1
    );
  }

  /** Newest first. */
  runsSince({ slot, resource }: StreamKey, since: number, limit: number): readonly RunRecord[] {
    return this.#database.all(RUNS, slot, resource, since, limit).map(runOfRow);
  }

  /** Newest first. */
  runsBefore({ slot, resource }: StreamKey, before: number | null, limit: number): readonly RunRecord[] {
    const below = before ?? Number.MAX_SAFE_INTEGER;
    return this.#database.all(RUNS_BEFORE, slot, resource, below, limit).map(runOfRow);
  }

  /** @returns how many were deleted */
  forgetRuns(endedBefore: number, limit: number): number {
    return this.#database.run(FORGET, endedBefore, limit);
  }

  #heldOf(slot: string, resource: string): z.infer<typeof HeldText> | null {
    const row = this.#database.get(HELD, slot, resource);
    const text = row === undefined ? null : HeldRow.parse(row).held;
    return text === null ? null : HeldText.parse(JSON.parse(text));
  }
}
