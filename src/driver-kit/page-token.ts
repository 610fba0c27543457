import { z } from 'zod';
import type { SourceRecord } from '../integration/connector.ts';
import { sourceError } from '../integration/failure/source-error.ts';

/** The position of the next page, by the style of the list, and the marks of the last one: they reveal a list that does not advance. */
const tokenSchema = z.strictObject({
  /** The offset, the number of the page, the cursor, or the address. */
  at: z.union([z.int().min(0), z.string().min(1).max(1_800)]),
  /** First and last id of the page before. */
  seen: z.string().max(80).optional(),
  /** How many pages in a row were the same. */
  same: z.int().min(0).optional(),
});

export type PageToken = z.output<typeof tokenSchema>;

/** @throws SOURCE_REFUSED for an unusable token: settings that changed the style invalidate old tokens */
export function readToken(text: string | null): PageToken | null {
  if (text === null) return null;
  const parsed = tokenSchema.safeParse(json(text));
  if (!parsed.success)
    throw sourceError(
      'SOURCE_REFUSED',
      'the place where the list was left does not fit the settings any more',
    );
  return parsed.data;
}

/** A source may send the same page again once; a source that keeps sending it ignores the request. */
const MOST_REPEATS = 3;

/** Empty pages are normal where a source filters after it has counted; so many in a row are not. */
const MOST_EMPTY = 100;

/**
 * The token of the next page.
 * @throws SOURCE_MALFORMED when the list does not advance, or its next position is too long
 */
export function nextToken(last: PageToken | null, at: string | number, marks: string): string {
  const same = last?.seen === marks ? (last.same ?? 0) + 1 : 0;
  if (same > (marks === '' ? MOST_EMPTY : MOST_REPEATS)) {
    throw sourceError(
      'SOURCE_MALFORMED',
      `the source sends the same ${marks === '' ? 'empty page' : 'page'} again and again: it does not heed what is asked for`,
    );
  }
  if (typeof at === 'string' && at === last?.at) {
    throw sourceError('SOURCE_MALFORMED', 'the next page that the source names is the one that it just sent');
  }
  const token = tokenSchema.safeParse({ at, seen: marks, same });
  if (!token.success)
    throw sourceError('SOURCE_MALFORMED', 'the next page that the source names has no usable address');
  return JSON.stringify(token.data);
}

/** The short identity of a page: its first and last id, and its number of records. */
export function marksOf(records: readonly SourceRecord[]): string {
  const first = records[0];
  const last = records.at(-1);
  return first && last ? `${first.id.slice(-30)} ${last.id.slice(-30)} ${records.length}` : '';
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
