import { z } from 'zod';
import { hasCode } from '../../base/errors.ts';
import { MOST_COUNTED } from '../../integration/views/mirror.ts';
import type { Database } from '../database.ts';
import { cut, foldedWords, wordsOfRow } from './folded-words.ts';
import { bodyOf } from './sync-row.ts';

/** Rows whose words one transaction writes: some 5 ms. */
const AT_ONCE = 1_000;
/** A prefix of so many characters has a list of rows of its own (`prefix` of the table), which is read row by row; a longer one is merged as a whole. */
const LISTED_PREFIX = 4;
/** Rows that are read to see whether they have a longer word. */
const SAMPLE = 150;
const MOST_SEARCHED = 8;
/** The fields that `where` may name. */
const FACETS = ['status', 'currency'] as const;

const PENDING = `SELECT u.seq AS seq, r.stream AS stream, r.generation AS generation, r.body AS body FROM unindexed u
  LEFT JOIN rows r ON r.seq = u.seq AND r.fate <> 2 ORDER BY u.seq LIMIT ?`;
const FORGET = 'DELETE FROM row_words WHERE rowid = ?';
const WRITE = 'INSERT INTO row_words (rowid, words) VALUES (?, ?)';
const INDEXED = 'DELETE FROM unindexed WHERE seq <= ?';
const FORWARD =
  'SELECT rowid AS seq FROM row_words WHERE row_words MATCH ? AND rowid > ? ORDER BY rowid LIMIT ? OFFSET ?';
const BACKWARD =
  'SELECT rowid AS seq FROM row_words WHERE row_words MATCH ? AND rowid < ? ORDER BY rowid DESC LIMIT ?';
const COUNT = `SELECT count(*) AS n FROM (SELECT 1 FROM row_words WHERE row_words MATCH ? AND rowid < ? LIMIT ?)`;
const BODY = 'SELECT body FROM rows WHERE seq = ?';

const Pending = z.object({
  seq: z.int(),
  stream: z.int().nullable(),
  generation: z.int().nullable(),
  body: z.string().nullable(),
});
const Seq = z.object({ seq: z.int() });
const Count = z.object({ n: z.int() });
const Body = z.object({ body: z.string().nullable() });

/** A search in one generation of one stream. */
export interface WordQuery {
  readonly stream: number;
  readonly generation: number;
  /** As {@link WordIndex.wordsOf} gives them. */
  readonly words: readonly string[];
  readonly where: Readonly<Record<string, string>>;
}

/**
 * The full-text index of the service's rows (FTS5), and the search in it.
 *
 * Why it is written behind the rows: a thousand rows in one transaction take half of the time of ten pages of a hundred. Triggers note which rows are
 * changed (`unindexed`), and a search first writes what is noted, so it finds what was committed before it.
 *
 * INVARIANTS:
 * - what a person types is never syntax: only folded words, letters and digits, reach MATCH, each in quotes;
 * - a filter is a word, too, which no text can contain, so that a search never reads rows that a filter excludes.
 */
export class WordIndex {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** The words of a search, at most eight, the same one once. */
  static wordsOf(search: string): readonly string[] {
    return [...new Set(foldedWords(search))].slice(0, MOST_SEARCHED);
  }

  /** Writes the words of at most `batches` thousand changed rows; false: there are more. Without disk space it writes nothing, and a search misses them. */
  write(batches = 1): boolean {
    for (let batch = 0; batch < batches; batch += 1) {
      const pending = this.#database.all(PENDING, AT_ONCE).map((row) => Pending.parse(row));
      if (pending.length > 0) this.#writeAll(pending);
      if (pending.length < AT_ONCE) return true;
    }
    return false;
  }

  /** `seq` of the matching rows behind the place, or before it, nearest first. */
  find(
    query: WordQuery,
    place: { readonly after: number } | { readonly before: number },
    limit: number,
    offset = 0,
  ) {
    if ('before' in place) return this.#all(BACKWARD, matchOf(query), place.before, limit);
    const long = query.words.filter((word) => [...word].length > LISTED_PREFIX);
    if (long.length === 0 || offset + limit > SAMPLE) return this.#forward(query, place.after, limit, offset);
    return this.#sampled(query, new Set(long), place.after, limit, offset);
  }

  /** Whether a row has the words of a search; it is read, not searched. */
  hasWords(seq: number, words: readonly string[]): boolean {
    return this.#missing(seq, words).length === 0;
  }

  /** Matching rows before `seq`, counted up to {@link MOST_COUNTED}. */
  countBefore(query: WordQuery, seq: number): number {
    return Count.parse(this.#database.get(COUNT, matchOf(query), seq, MOST_COUNTED)).n;
  }

  /**
   * Merging the lists of all words that begin with a long, frequent prefix takes 70 ms where a million rows have one. So such a word is first replaced by
   * its first characters, and the rows are read to see whether they have it. Words that few of them have are then searched whole.
   */
  #sampled(
    query: WordQuery,
    shortened: Set<string>,
    after: number,
    limit: number,
    offset: number,
  ): readonly number[] {
    while (shortened.size > 0) {
      const candidates = this.#forward(query, after, SAMPLE, 0, shortened);
      const had = new Map([...shortened].map((word) => [word, 0]));
      const hits = candidates.filter((seq) => {
        const missing = this.#missing(seq, [...shortened]);
        for (const word of shortened) if (!missing.includes(word)) had.set(word, (had.get(word) ?? 0) + 1);
        return missing.length === 0;
      });
      if (candidates.length < SAMPLE || hits.length >= offset + limit)
        return hits.slice(offset, offset + limit);
      const rare = [...had].filter(([, rows]) => rows < SAMPLE / 10).map(([word]) => word);
      for (const word of rare.length > 0 ? rare : [...shortened]) shortened.delete(word);
    }
    return this.#forward(query, after, limit, offset);
  }

  #forward(query: WordQuery, after: number, limit: number, offset: number, shortened?: ReadonlySet<string>) {
    return this.#all(FORWARD, matchOf(query, shortened), after, limit, offset);
  }

  #all(sql: string, ...values: readonly unknown[]): readonly number[] {
    return this.#database.all(sql, ...values).map((row) => Seq.parse(row).seq);
  }

  #missing(seq: number, searched: readonly string[]): readonly string[] {
    const row = this.#database.get(BODY, seq);
    const words = row === undefined ? [] : wordsOfRow(bodyOf(Body.parse(row).body));
    return searched.filter((word) => !words.some((one) => one.startsWith(word)));
  }

  #writeAll(pending: readonly z.output<typeof Pending>[]): void {
    try {
      this.#database.transaction(() => {
        for (const { seq, stream, generation, body } of pending) {
          this.#database.run(FORGET, seq);
          if (stream === null || generation === null || body === null) continue;
          this.#database.run(WRITE, seq, textOf(stream, generation, body));
        }
        this.#database.run(INDEXED, pending.at(-1)?.seq);
      });
    } catch (error) {
      if (!hasCode(error, 'STORAGE_FULL')) throw error;
    }
  }
}

function textOf(stream: number, generation: number, text: string): string {
  const body = bodyOf(text);
  const facets = FACETS.flatMap((field) => {
    const value = body[field];
    return typeof value === 'string' ? [facet(field, value)] : [];
  });
  return [ofGeneration(stream, generation), ...facets, ...wordsOfRow(body)].join(' ');
}

function matchOf({ stream, generation, words, where }: WordQuery, shortened?: ReadonlySet<string>): string {
  const facets = Object.entries(where).map(([field, value]) => `"${facet(field, value)}"`);
  const prefixes = words.map((word) => `"${shortened?.has(word) ? cut(word, LISTED_PREFIX) : word}"*`);
  return [`"${ofGeneration(stream, generation)}"`, ...facets, ...prefixes].join(' AND ');
}

function ofGeneration(stream: number, generation: number): string {
  return `=${stream}.${generation}`;
}

/** One word of the index: no other character than those of its tokenizer. */
function facet(field: string, value: string): string {
  const plain = value.replace(/[^A-Za-z0-9_-]/gu, (letter) => `.${letter.codePointAt(0)?.toString(16)}.`);
  return `=${field}=${plain}`;
}
