import { z } from 'zod';
import { AppError } from '../../base/errors.ts';
import { text } from '../../fleet/contract/text.ts';

/** The parameters of every list. */
export const PAGE = {
  limit: z.coerce.number().int().min(1).max(500).default(50),
  starting_after: z.string().max(1_000).optional().describe('The `next_cursor` of the page before.'),
};

const Key = z.array(z.union([text(500), z.number()]));

/**
 * Where the page before has ended: the sort key of its last row.
 * @throws REQUEST_INVALID
 */
export function keyOf<T>(cursor: string | undefined, schema: z.ZodType<T>): T | null {
  if (cursor === undefined) return null;
  try {
    return schema.parse(Key.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))));
  } catch (cause) {
    throw new AppError('REQUEST_INVALID', 'starting_after is no next_cursor of this list', { cause });
  }
}

/** @param rows one more than the page holds, where there are more */
export function pageOf<R, V>(
  rows: readonly R[],
  limit: number,
  key: (row: R) => readonly (string | number)[],
  view: (row: R) => V,
) {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const hasMore = rows.length > limit && last !== undefined;
  return {
    object: 'list' as const,
    data: shown.map(view),
    has_more: hasMore,
    next_cursor: hasMore ? Buffer.from(JSON.stringify(key(last))).toString('base64url') : null,
  };
}

export function instant(date: Date): string;
export function instant(date: Date | null): string | null;
export function instant(date: Date | null): string | null {
  return date === null ? null : date.toISOString();
}
