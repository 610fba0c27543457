import { isUuid } from '../../base/ids.ts';
import { invalid, refuse } from './errors.ts';
import type { ServiceVersion } from './versions.ts';

/** A parsed query string; a repeated parameter is an array. */
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

/** Query parameters of the two styles. */
export const CURSOR_PARAMETERS = ['limit', 'starting_after', 'ending_before'] as const;
export const OFFSET_PARAMETERS = ['limit', 'offset'] as const;
export const PAGE_PARAMETERS = ['limit', 'page'] as const;

/** How a cursor list is selected from its items. */
interface Selection<T> {
  /** The filters; a cursor may name an item that they exclude (by now). */
  readonly isWanted?: (item: T) => boolean;
  /** Sorts items into the order of the list. */
  readonly inOrder?: (items: T[]) => T[];
}

/**
 * Cursor style: `limit`, `starting_after`, `ending_before` (ids).
 * `hasMore` is true on an exactly full last page too: the interface allows it, so clients must handle it.
 * @throws Refusal 400 for a limit outside 1–100, both cursors (`parameter_invalid`), an unknown one (`resource_missing`).
 */
export function cursorPage<T extends { readonly id: string }>(
  items: readonly T[],
  query: Query,
  { isWanted = () => true, inOrder = (found) => found }: Selection<T> = {},
): Page<T> {
  const limit = limitOf(query);
  const { after, before } = cursorsIn(query);
  const cursor = after ?? before;
  const found = inOrder(items.filter((item) => isWanted(item) || item.id === cursor));
  const start = after === undefined ? 0 : indexOf(found, after, 'starting_after') + 1;
  const end = before === undefined ? found.length : indexOf(found, before, 'ending_before');
  const offset = before === undefined ? start : Math.max(0, end - limit);
  const data = found.slice(offset, Math.min(end, offset + limit));
  const named = found.find(({ id }) => id === cursor);
  const unwanted = named && !isWanted(named) ? 1 : 0;
  return {
    data,
    hasMore: data.length === limit,
    limit,
    offset: after === undefined ? offset : offset - unwanted,
    total: found.length - unwanted,
  };
}

/** Offset style: `limit`, `offset`. @throws Refusal 400 for a limit outside 1–100 or a negative offset. */
export function offsetPage<T>(items: readonly T[], query: Query): Page<T> {
  const limit = limitOf(query);
  const offset = integer(query, 'offset', 0, Number.MAX_SAFE_INTEGER) ?? 0;
  const data = items.slice(offset, offset + limit);
  return { data, hasMore: data.length === limit, limit, offset, total: items.length };
}

/** Where a page of a long list begins: `offset`, or `page` from 1 on. @throws Refusal 400. */
export function positionOf(query: Query, limit: number, style: 'offset' | 'page'): number {
  if (style === 'offset') return integer(query, 'offset', 0, Number.MAX_SAFE_INTEGER) ?? 0;
  return ((integer(query, 'page', 1, 1_000_000_000) ?? 1) - 1) * limit;
}

/** The range of a page of a long cursor list whose ids encode their index. @throws Refusal 400. */
export function cursorIndex(
  query: Query,
  limit: number,
  total: number,
  indexOfId: (id: string) => number | null,
): { readonly from: number; readonly to: number } {
  const { after, before } = cursorsIn(query);
  const place = (id: string, param: string) => {
    const index = indexOfId(id);
    if (index === null) throw refuse(400, 'resource_missing', `${param} names no item.`, { param });
    return index;
  };
  if (before !== undefined) {
    const to = place(before, 'ending_before');
    return { from: Math.max(0, to - limit), to };
  }
  const from = after === undefined ? 0 : place(after, 'starting_after') + 1;
  return { from, to: Math.min(total, from + limit) };
}

/** The list object of 2026-05-01, or the pagination block of 2026-01-15 and of lists that are not core lists. */
export function listBody(page: Page<unknown>, version: ServiceVersion, url: string, isCore = true): unknown {
  const { data, hasMore, limit, offset, total } = page;
  if (version === '2026-01-15' || !isCore) return { data, pagination: { limit, offset, total, hasMore } };
  return { object: 'list', data, has_more: hasMore, url };
}

/** A parameter that may appear once. @throws Refusal 400 when it is repeated. */
export function single(query: Query, name: string): string | undefined {
  const value = query[name];
  if (value === undefined || typeof value === 'string') return value;
  throw invalid(name, `${name} may be sent once.`);
}

/** UUIDs of a parameter that may repeat, in lower case. @throws Refusal 400 for anything else. */
export function uuids(query: Query, name: string): ReadonlySet<string> {
  const value = query[name] ?? [];
  const ids = typeof value === 'string' ? [value] : value;
  if (ids.every(isUuid)) return new Set(ids.map((id) => id.toLowerCase()));
  throw invalid(name, `${name} must be a UUID.`);
}

function cursorsIn(query: Query): {
  readonly after?: string | undefined;
  readonly before?: string | undefined;
} {
  const after = cursorIn(query, 'starting_after');
  const before = cursorIn(query, 'ending_before');
  if (after === undefined || before === undefined) return { after, before };
  throw refuse(400, 'parameter_invalid', 'Send starting_after or ending_before, not both.', {
    param: 'ending_before',
  });
}

function cursorIn(query: Query, name: string): string | undefined {
  const id = single(query, name);
  return id !== undefined && isUuid(id) ? id.toLowerCase() : id;
}

/** @throws Refusal 400 outside 1–100. */
export function limitOf(query: Query): number {
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
