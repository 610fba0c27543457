import { z } from 'zod';
import { canonicalId, isUuid } from '../../base/ids.ts';
import type { ProcessMoment } from '../../base/process-moment.ts';
import type { MirrorQuery, MirrorReader, MirrorRow } from '../../integration/mirror.ts';
import type { StreamKey } from '../../integration/stream.ts';
import type { Database } from '../database.ts';
import { bodyOf } from './sync-row.ts';

const OF_STREAM = 'stream = (SELECT id FROM streams WHERE slot = ? AND resource = ?)';
const GENERATION = 'generation = (SELECT generation FROM streams WHERE slot = ? AND resource = ?)';
const SHOWN = `SELECT id, updated_at, body FROM rows WHERE ${OF_STREAM} AND ${GENERATION}`;
const LIST = `${SHOWN} AND id > ? AND fate <> 2 ORDER BY id LIMIT ?`;
/** Rows that are gone count toward the limit, or a long range of them would be read at once. */
const SLICE = `SELECT id, updated_at, body, fate FROM rows WHERE ${OF_STREAM} AND ${GENERATION} AND id > ? ORDER BY id LIMIT ?`;
/** A source may write a UUID in capitals, and keeps the id of its rows: either form finds the row. */
const FIND = `${SHOWN} AND id IN (?, ?, ?) AND fate <> 2 ORDER BY id DESC LIMIT 1`;
const SIZE = `SELECT count(*) AS rows FROM rows INDEXED BY rows_by_fate WHERE ${OF_STREAM} AND ${GENERATION} AND fate IN (0, 1, 3, 4)`;
const FRESH = 'SELECT fresh_at FROM streams WHERE slot = ? AND resource = ?';
const BEGUN = 'SELECT fresh_run, fresh_ms FROM streams WHERE slot = ? AND resource = ?';

const Row = z.object({ id: z.string(), updated_at: z.int().nullable(), body: z.string().nullable() });
const SliceRow = Row.extend({ fate: z.int() });
const Size = z.object({ rows: z.int() });
const Fresh = z.object({ fresh_at: z.int().nullable() });
const Begun = z.object({ fresh_run: z.string().nullable(), fresh_ms: z.int().nullable() });
const NEVER = { fresh_run: null, fresh_ms: null };
const GONE = 2;

/** Reads the mirrored rows, in `mirror.db`. */
export class SqliteMirrorReader implements MirrorReader {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  list({ slot, resource }: StreamKey, after: string | null, limit: number): readonly MirrorRow[] {
    return this.#database.all(LIST, slot, resource, slot, resource, after ?? '', limit).map(mirrorRowOf);
  }

  find({ slot, resource }: StreamKey, id: string): MirrorRow | null {
    const row = this.#database.get(FIND, slot, resource, slot, resource, id, canonicalId(id), capitalsOf(id));
    return row === undefined ? null : mirrorRowOf(row);
  }

  search({ slot, resource }: StreamKey, query: MirrorQuery, after: string | null, scanned: number) {
    const slice = this.#database
      .all(SLICE, slot, resource, slot, resource, after ?? '', scanned)
      .map((row) => SliceRow.parse(row));
    const rows: MirrorRow[] = [];
    for (const raw of slice) {
      if (raw.fate === GONE || !holdsWords(raw.body, query.words)) continue;
      const row = mirrorRowOf(raw);
      if (!hasFields(row, query.where)) continue;
      rows.push(row);
      if (rows.length >= query.limit) return { rows, next: raw.id };
    }
    return { rows, next: slice.length < scanned ? null : (slice.at(-1)?.id ?? null) };
  }

  sizeOf({ slot, resource }: StreamKey): { readonly rows: number; readonly freshAt: number | null } {
    const { rows } = Size.parse(this.#database.get(SIZE, slot, resource, slot, resource));
    return { rows, freshAt: this.freshAt({ slot, resource }) };
  }

  freshAt({ slot, resource }: StreamKey): number | null {
    const fresh = this.#database.get(FRESH, slot, resource);
    return fresh === undefined ? null : Fresh.parse(fresh).fresh_at;
  }

  begunIn({ slot, resource }: StreamKey): ProcessMoment | null {
    const { fresh_run: run, fresh_ms: ms } = Begun.parse(this.#database.get(BEGUN, slot, resource) ?? NEVER);
    return run === null || ms === null ? null : { run, ms };
  }
}

/** A UUID in capitals; every other id unchanged. */
function capitalsOf(id: string): string {
  return isUuid(id) ? id.toUpperCase() : id;
}

function mirrorRowOf(raw: unknown): MirrorRow {
  const { id, updated_at, body } = Row.parse(raw);
  return { id, updatedAt: updated_at, body: bodyOf(body) };
}

function holdsWords(body: string | null, words: readonly string[]): boolean {
  if (words.length === 0) return true;
  const text = (body ?? '').toLowerCase();
  return words.every((word) => text.includes(word.toLowerCase()));
}

function hasFields({ body }: MirrorRow, where: MirrorQuery['where']): boolean {
  return Object.entries(where).every(([field, value]) => body[field] === value);
}
