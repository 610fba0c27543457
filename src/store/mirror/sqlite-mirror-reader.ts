import { z } from 'zod';
import { AppError } from '../../base/errors.ts';
import { canonicalId, isUuid } from '../../base/ids.ts';
import type { ProcessMoment } from '../../base/process-moment.ts';
import type { MirrorPage, MirrorQuery, MirrorReader, MirrorRow } from '../../integration/views/mirror.ts';
import type { StreamKey } from '../../integration/window/stream.ts';
import type { Database } from '../database.ts';
import { type RowSelection, selectionOf } from './row-selection.ts';
import { bodyOf } from './sync-row.ts';
import { SIZE } from './sync-statements.ts';
import { WordIndex } from './word-index.ts';

const STREAM =
  'SELECT id, generation, fresh_at, fresh_run, fresh_ms FROM streams WHERE slot = ? AND resource = ?';
const SHOWN = 'SELECT id, updated_at, body FROM rows WHERE stream = ? AND generation = ?';
const LIST = `${SHOWN} AND id > ? AND fate <> 2 ORDER BY id LIMIT ?`;
/** A source may write a UUID in capitals, and keeps the id of its rows: either form finds the row. */
const FIND = `SELECT seq, id, updated_at, body FROM rows WHERE stream = ? AND generation = ? AND id IN (?, ?, ?) AND fate <> 2 ORDER BY id DESC LIMIT 1`;
const FIND_PUBLIC = `SELECT seq, id, updated_at, body FROM rows INDEXED BY rows_by_public_id WHERE stream = ? AND generation = ?
  AND json_extract(body, '$.public_id') = ? AND json_extract(body, '$.public_id') IS NOT NULL AND fate <> 2 LIMIT 1`;
const AT = 'SELECT id, updated_at, body FROM rows WHERE seq = ?';

const Stream = z.object({
  id: z.int(),
  generation: z.int(),
  fresh_at: z.int().nullable(),
  fresh_run: z.string().nullable(),
  fresh_ms: z.int().nullable(),
});
const Row = z.object({ id: z.string(), updated_at: z.int().nullable(), body: z.string().nullable() });
const Found = Row.extend({ seq: z.int() });
const Size = z.object({ rows: z.int() });
const NOTHING: MirrorPage = { rows: [], hasMore: false, offset: 0, total: 0 };

/** Reads the mirrored rows, in `mirror.db`. */
export class SqliteMirrorReader implements MirrorReader {
  readonly #database: Database;
  readonly #words: WordIndex;

  constructor(database: Database) {
    this.#database = database;
    this.#words = new WordIndex(database);
  }

  list(stream: StreamKey, after: string | null, limit: number): readonly MirrorRow[] {
    const shown = this.#shown(stream);
    if (!shown) return [];
    return this.#database.all(LIST, shown.id, shown.generation, after ?? '', limit).map(mirrorRowOf);
  }

  find(stream: StreamKey, id: string): MirrorRow | null {
    const found = this.#find(stream, id);
    return found && mirrorRowOf(found);
  }

  page(stream: StreamKey, query: MirrorQuery): MirrorPage {
    const shown = this.#shown(stream);
    if (!shown) {
      if (!('offset' in query.place)) throw unknownCursor();
      return { ...NOTHING, offset: query.place.offset };
    }
    const { search = '' } = query;
    if (isUuid(search.trim())) return this.#onlyRow(stream, query);
    const selection = selectionOf(this.#database, this.#words, shown, query);
    return this.#pageOf(stream, selection, query);
  }

  sizeOf(stream: StreamKey): { readonly rows: number; readonly freshAt: number | null } {
    const shown = this.#shown(stream);
    if (!shown) return { rows: 0, freshAt: null };
    const { rows } = Size.parse(this.#database.get(SIZE, shown.id, shown.generation));
    return { rows, freshAt: shown.fresh_at };
  }

  freshAt(stream: StreamKey): number | null {
    return this.#shown(stream)?.fresh_at ?? null;
  }

  begunIn(stream: StreamKey): ProcessMoment | null {
    const { fresh_run: run = null, fresh_ms: ms = null } = this.#shown(stream) ?? {};
    return run === null || ms === null ? null : { run, ms };
  }

  /** One row more than the page holds says whether there are more. */
  #pageOf(
    stream: StreamKey,
    selection: RowSelection,
    { place, limit, isCounted = false }: MirrorQuery,
  ): MirrorPage {
    const isBackward = 'before' in place;
    const edge =
      'offset' in place ? null : this.#seqOf(stream, 'after' in place ? place.after : place.before);
    const found = selection.read({
      edge,
      isBackward,
      limit: limit + 1,
      offset: 'offset' in place ? place.offset : 0,
    });
    const kept = found.slice(0, limit);
    const inOrder = isBackward ? kept.toReversed() : kept;
    return {
      rows: inOrder.flatMap((seq) => this.#at(seq)),
      hasMore: found.length > limit,
      offset: 'offset' in place ? place.offset : isCounted ? offsetOf(selection, inOrder) : null,
      total: isCounted ? (endOf(place, found.length, limit) ?? selection.count()) : null,
    };
  }

  /** A search for an id finds its row, if the filters fit. */
  #onlyRow(stream: StreamKey, { search = '', where = {}, customerId, place }: MirrorQuery): MirrorPage {
    const row = this.find(stream, search.trim());
    const fits =
      row !== null &&
      (customerId === undefined || row.body['customer_id'] === customerId) &&
      Object.entries(where).every(([field, value]) => row.body[field] === value);
    const offset = 'offset' in place ? place.offset : 0;
    const rows = fits && offset === 0 && !('after' in place) ? [row] : [];
    return { rows, hasMore: false, offset, total: fits ? 1 : 0 };
  }

  #at(seq: number): readonly MirrorRow[] {
    const row = this.#database.get(AT, seq);
    return row === undefined ? [] : [mirrorRowOf(row)];
  }

  #seqOf(stream: StreamKey, id: string): number {
    const found = this.#find(stream, id);
    if (!found) throw unknownCursor();
    return found.seq;
  }

  #find(stream: StreamKey, id: string): z.output<typeof Found> | null {
    const shown = this.#shown(stream);
    if (!shown) return null;
    const { id: no, generation } = shown;
    const found =
      this.#database.get(FIND, no, generation, id, canonicalId(id), capitalsOf(id)) ??
      this.#database.get(FIND_PUBLIC, no, generation, id);
    return found === undefined ? null : Found.parse(found);
  }

  #shown({ integration, resource }: StreamKey): z.output<typeof Stream> | null {
    const found = this.#database.get(STREAM, integration, resource);
    return found === undefined ? null : Stream.parse(found);
  }
}

/** The number of all rows, where the page is the last one at an offset: without counting. Null: it is not, or lies behind the end. */
function endOf(place: MirrorQuery['place'], found: number, limit: number): number | null {
  if (!('offset' in place) || found > limit || (found === 0 && place.offset > 0)) return null;
  return place.offset + found;
}

function offsetOf(selection: RowSelection, rows: readonly number[]): number {
  const [first] = rows;
  return first === undefined ? selection.count() : selection.countBefore(first);
}

/** A UUID in capitals; every other id unchanged. */
function capitalsOf(id: string): string {
  return isUuid(id) ? id.toUpperCase() : id;
}

function mirrorRowOf(raw: unknown): MirrorRow {
  const { id, updated_at, body } = Row.parse(raw);
  return { id, updatedAt: updated_at, body: bodyOf(body) };
}

function unknownCursor(): AppError {
  return new AppError('CURSOR_UNKNOWN', 'the cursor names nothing that is mirrored');
}
