import { z } from 'zod';
import type { Parked, QuarantineEntry, RunRecord } from '../../integration/ports.ts';
import type { SyncControl } from '../../integration/sync-control.ts';
import type { StreamKey } from '../../integration/window/stream.ts';
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
  requestFull({ integration, resource }: StreamKey): void {
    this.#database.run(WANT_FULL, integration, resource);
  }

  /** A person has checked the held changes: these rows may be deleted, or a full resync may swap with so many missing. */
  approve({ integration, resource }: StreamKey): void {
    const held = this.#heldOf(integration, resource);
    if (held === null) return;
    if (held.kind === 'deletes') this.#database.run(ALLOW, integration, resource, integration, resource);
    else this.#database.run(APPROVE, held.missing, integration, resource);
  }

  /** Mappings for these products now exist: the next run takes the records that wait for them. @returns how many */
  release(integration: string, products: readonly string[], now: number): number {
    return this.#database.run(RELEASE, now, JSON.stringify(products), integration);
  }

  /** In the order of their keys. */
  parked({ integration, resource }: StreamKey, after: string, limit: number): readonly Parked[] {
    return this.#database.all(PARKED, integration, resource, after, limit).map(parkedOfRow);
  }

  /** The same records without their content. */
  parkedEntries(
    { integration, resource }: StreamKey,
    after: string,
    limit: number,
  ): readonly QuarantineEntry[] {
    return this.#database.all(PARKED_ENTRIES, integration, resource, after, limit).map(entryOfRow);
  }

  /** The next run takes these records. @returns how many */
  retry({ integration, resource }: StreamKey, keys: readonly string[], now: number): number {
    return this.#database.run(RETRY, now, integration, resource, JSON.stringify(keys));
  }

  parkedCount({ integration, resource }: StreamKey): number {
    return Count.parse(this.#database.get(PARKED_COUNT, integration, resource)).n;
  }

  isAllParked({ integration, resource }: StreamKey): boolean {
    return (
      Count.parse(
        this.#database.get(ALL_PARKED, integration, resource, integration, resource, integration, resource),
      ).n === 1
    );
  }

  /** Newest first. */
  runsSince({ integration, resource }: StreamKey, since: number, limit: number): readonly RunRecord[] {
    return this.#database.all(RUNS, integration, resource, since, limit).map(runOfRow);
  }

  /** Newest first. */
  runsBefore(
    { integration, resource }: StreamKey,
    before: number | null,
    limit: number,
  ): readonly RunRecord[] {
    const below = before ?? Number.MAX_SAFE_INTEGER;
    return this.#database.all(RUNS_BEFORE, integration, resource, below, limit).map(runOfRow);
  }

  /** @returns how many were deleted */
  forgetRuns(endedBefore: number, limit: number): number {
    return this.#database.run(FORGET, endedBefore, limit);
  }

  #heldOf(integration: string, resource: string): z.infer<typeof HeldText> | null {
    const row = this.#database.get(HELD, integration, resource);
    const text = row === undefined ? null : HeldRow.parse(row).held;
    return text === null ? null : HeldText.parse(JSON.parse(text));
  }
}
