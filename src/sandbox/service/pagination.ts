import { invalid, refuse } from './errors.ts';
import type { ServiceVersion } from './versions.ts';

/** A parsed query string; a parameter that came more than once is an array. */
export type Query = Readonly<Record<string, string | readonly string[]>>;

/** One page of a list, in the order of the list. */
export interface Page<T> {
  readonly data: readonly T[];
  readonly hasMore: boolean;
  readonly limit: number;
  /** Items before the first of this page. */
  readonly offset: number;
  readonly total: number;
}

/**
 * Cursor style: `limit`, `starting_after`, `ending_before` (ids).
 * `hasMore` is true on an exactly full last page too: the interface allows it, so clients must bear it.
 * @throws Refusal 400 for a limit outside 1–100, both cursors (`parameter_invalid`), an unknown one (`resource_missing`).
 */
export function cursorPage<T extends { readonly id: string }>(items: readonly T[], query: Query): Page<T> {
  const limit = limitIn(query);
  const after = single(query, 'starting_after');
  const before = single(query, 'ending_before');
  if (after !== undefined && before !== undefined) {
    throw refuse(400, 'parameter_invalid', 'Send starting_after or ending_before, not both.', {
      param: 'ending_before',
    });
  }
  const end = before === undefined ? items.length : indexOf(items, before, 'ending_before');
  const offset =
    after === undefined
      ? before === undefined
        ? 0
        : Math.max(0, end - limit)
      : indexOf(items, after, 'starting_after') + 1;
  const data = items.slice(offset, Math.min(end, offset + limit));
  return { data, hasMore: data.length === limit, limit, offset, total: items.length };
}

/** Offset style: `limit`, `offset`. @throws Refusal 400 for a limit outside 1–100 or a negative offset. */
export function offsetPage<T>(items: readonly T[], query: Query): Page<T> {
  const limit = limitIn(query);
  const offset = integer(query, 'offset', 0, Number.MAX_SAFE_INTEGER) ?? 0;
  const data = items.slice(offset, offset + limit);
  return { data, hasMore: data.length === limit, limit, offset, total: items.length };
}

/** The list object of 2026-05-01, or the pagination block of 2026-01-15. */
export function listBody(page: Page<unknown>, version: ServiceVersion, url: string): unknown {
  const { data, hasMore, limit, offset, total } = page;
  if (version === '2026-01-15') return { data, pagination: { limit, offset, total, hasMore } };
  return { object: 'list', data, has_more: hasMore, url };
}

/** A parameter that may come once. @throws Refusal 400 when it came more often. */
export function single(query: Query, name: string): string | undefined {
  const value = query[name];
  if (value === undefined || typeof value === 'string') return value;
  throw invalid(name, `${name} may be sent once.`);
}

/** A parameter that may repeat. */
export function many(query: Query, name: string): readonly string[] {
  const value = query[name];
  if (value === undefined) return [];
  return typeof value === 'string' ? [value] : value;
}

function limitIn(query: Query): number {
  return integer(query, 'limit', 1, 100) ?? 20;
}

function integer(query: Query, name: string, least: number, most: number): number | undefined {
  const text = single(query, name);
  if (text === undefined) return undefined;
  const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw invalid(
    name,
    `${name} must be an integer of at least ${least}${most === 100 ? ' and at most 100' : ''}.`,
  );
}

function indexOf(items: readonly { readonly id: string }[], id: string, param: string): number {
  const index = items.findIndex((item) => item.id === id);
  if (index >= 0) return index;
  throw refuse(400, 'resource_missing', `${param} names no item.`, { param });
}
