import { z } from 'zod';
import { canonicalId } from '../../base/ids.ts';
import { type MirrorQuery, MOST_COUNTED } from '../../integration/views/mirror.ts';
import type { Database } from '../database.ts';
import { WordIndex, type WordQuery } from './word-index.ts';

/** Numbers of `seq` in a block, as the triggers of the schema have it. */
const BLOCK_BITS = 12;
const LAST = Number.MAX_SAFE_INTEGER;

const BLOCKS = 'SELECT block, rows FROM row_blocks WHERE stream = ? AND generation = ? ORDER BY block';
const IN_ORDER = 'FROM rows INDEXED BY rows_in_order WHERE stream = ? AND generation = ? AND fate <> 2';
const FORWARD = `SELECT seq ${IN_ORDER} AND seq > ? ORDER BY seq LIMIT ? OFFSET ?`;
const BACKWARD = `SELECT seq ${IN_ORDER} AND seq < ? ORDER BY seq DESC LIMIT ?`;
const COUNT_BETWEEN = `SELECT count(*) AS n ${IN_ORDER} AND seq >= ? AND seq < ?`;
const OF_CUSTOMER = `FROM rows INDEXED BY rows_by_customer WHERE stream = ? AND generation = ? AND fate <> 2
  AND json_extract(body, '$.customer_id') IN (?, ?) AND json_extract(body, '$.customer_id') IS NOT NULL`;

const Block = z.object({ block: z.int(), rows: z.int() });
const Seq = z.object({ seq: z.int() });
const Count = z.object({ n: z.int() });

/** Where a page is read: on one side of `edge`, or behind `offset` rows. */
export interface ReadFrom {
  /** `seq` of the row of the cursor; null: none. */
  readonly edge: number | null;
  readonly isBackward: boolean;
  readonly limit: number;
  readonly offset: number;
}

/** The rows of a stream that a query selects, as their `seq`. */
export interface RowSelection {
  read(from: ReadFrom): readonly number[];
  count(): number;
  countBefore(seq: number): number;
}

interface Shown {
  readonly id: number;
  readonly generation: number;
}

/** Selects by the cheapest means: the block counts, the rows of a customer, an order of its own, or the words. */
export function selectionOf(
  database: Database,
  index: WordIndex,
  shown: Shown,
  query: MirrorQuery,
): RowSelection {
  const { search = '', where = {}, customerId, order } = query;
  const words = WordIndex.wordsOf(search);
  const isUnspoken = search.trim() !== '' && words.length === 0;
  if (isUnspoken) return NOTHING;
  const isPlain = words.length === 0 && Object.keys(where).length === 0;
  if (customerId === undefined && order === undefined && isPlain) return everyRow(database, shown);
  if (customerId !== undefined || order !== undefined) return fewRows(database, index, shown, query, words);
  return rowsWithWords(index, { stream: shown.id, generation: shown.generation, words, where });
}

/** A text without a letter or digit occurs in no row. */
const NOTHING: RowSelection = { read: () => [], count: () => 0, countBefore: () => 0 };

/** All rows: the counts of the blocks lead to any offset. */
function everyRow(database: Database, { id, generation }: Shown): RowSelection {
  const blocks = () => database.all(BLOCKS, id, generation).map((row) => Block.parse(row));
  const total = () => blocks().reduce((sum, { rows }) => sum + rows, 0);
  return {
    read: ({ edge, isBackward, limit, offset }) => {
      if (isBackward) return seqs(database.all(BACKWARD, id, generation, edge ?? LAST, limit));
      const start = edge === null ? blockAt(blocks(), offset) : { after: edge, rest: 0 };
      return start === null
        ? []
        : seqs(database.all(FORWARD, id, generation, start.after, limit, start.rest));
    },
    count: total,
    countBefore: (seq) => {
      const own = Number(BigInt(seq) >> BigInt(BLOCK_BITS));
      const before = blocks().reduce((sum, { block, rows }) => sum + (block < own ? rows : 0), 0);
      return before + Count.parse(database.get(COUNT_BETWEEN, id, generation, own * 2 ** BLOCK_BITS, seq)).n;
    },
  };
}

/** The block in which the row at `offset` lies, and the rows to skip in it; null: the list ends before. */
function blockAt(blocks: readonly z.output<typeof Block>[], offset: number) {
  let rest = offset;
  for (const { block, rows } of blocks) {
    if (rest < rows) return { after: block * 2 ** BLOCK_BITS - 1, rest };
    rest -= rows;
  }
  return null;
}

/** The rows of one customer, or a small list with an order of its own: filtered and ordered as they are read. */
function fewRows(
  database: Database,
  index: WordIndex,
  shown: Shown,
  { where = {}, customerId, order }: MirrorQuery,
  words: readonly string[],
): RowSelection {
  const ids = customerId === undefined ? [] : [customerId, canonicalId(customerId)];
  const fields = Object.entries(where);
  const from = [
    customerId === undefined ? IN_ORDER : OF_CUSTOMER,
    ...fields.map(([field]) => `AND json_extract(body, '$.${fieldName(field)}') = ?`),
  ].join(' ');
  const values = [shown.id, shown.generation, ...ids, ...fields.map(([, value]) => value)];
  const by = order
    ? `json_extract(body, '$.${fieldName(order.field)}') ${order.descending ? 'DESC' : 'ASC'} NULLS LAST, `
    : '';
  const all = (): readonly number[] => {
    const found = seqs(database.all(`SELECT seq ${from} ORDER BY ${by}seq LIMIT ?`, ...values, MOST_COUNTED));
    return words.length === 0 ? found : found.filter((seq) => index.hasWords(seq, words));
  };
  return {
    read: ({ edge, isBackward, limit, offset }) => {
      if (edge === null) return all().slice(offset, offset + limit);
      if (isBackward)
        return all()
          .filter((seq) => seq < edge)
          .toReversed()
          .slice(0, limit);
      return all()
        .filter((seq) => seq > edge)
        .slice(0, limit);
    },
    count: () => all().length,
    countBefore: (seq) => all().indexOf(seq),
  };
}

function rowsWithWords(index: WordIndex, query: WordQuery): RowSelection {
  index.write(2);
  return {
    read: ({ edge, isBackward, limit, offset }) =>
      isBackward
        ? index.find(query, { before: edge ?? LAST }, limit)
        : index.find(query, { after: edge ?? 0 }, limit, offset),
    count: () => index.countBefore(query, LAST),
    countBefore: (seq) => index.countBefore(query, seq),
  };
}

/** Field names come from the table of lists, never from a request. */
function fieldName(name: string): string {
  return name.replace(/[^a-z_]/g, '');
}

function seqs(rows: readonly unknown[]): readonly number[] {
  return rows.map((row) => Seq.parse(row).seq);
}
