import LinkHeader from 'http-link-header';
import {
  assertNever,
  at,
  type Json,
  type PageToken,
  type SourceReply,
  sourceError,
} from '../../../src/driver-kit/provider.ts';
import type { Page } from './recipe.ts';

type Parameters = Readonly<Record<string, string | number>>;

/** The request for a page: parameters, or an address that the source itself named. */
export type PageRequest = { readonly parameters: Parameters } | { readonly address: string };

/** The request for the page at a token. @throws SOURCE_REFUSED when the token belongs to another style */
export function requestOf(page: Page, token: PageToken | null): PageRequest {
  const place = token?.at;
  switch (page.style) {
    case 'offset':
      return { parameters: { [page.offset]: numberIn(place, page.first), ...sized(page) } };
    case 'page':
      return { parameters: { [page.page]: numberIn(place, page.first), ...sized(page) } };
    case 'cursor':
      return {
        parameters: { ...(place === undefined ? {} : { [page.cursor]: String(place) }), ...sized(page) },
      };
    case 'link':
      return typeof place === 'string' ? { address: place } : { parameters: sized(page) };
    case 'whole':
      return { parameters: {} };
    default:
      return assertNever(page);
  }
}

/** What a page shows of its list. */
export interface Shown {
  readonly body: Json;
  readonly reply: SourceReply;
  /** Number of records. */
  readonly count: number;
  /** The id of the last record, where it could be read. */
  readonly lastId: string | null;
}

/**
 * Where the next page begins; null: this was the last one. A page that is not full does not end a list unless the recipe says so: a source
 * may hold back records, or return fewer than requested.
 * @throws SOURCE_MALFORMED when the source says that there is more, and does not say where
 */
export function nextPlace(page: Page, token: PageToken | null, shown: Shown): string | number | null {
  switch (page.style) {
    case 'offset':
      return nextOffset(page, numberIn(token?.at, page.first), shown);
    case 'page':
      return nextNumber(page, numberIn(token?.at, page.first), shown);
    case 'cursor':
      return nextCursor(page, shown);
    case 'link':
      return nextLink(page, shown);
    case 'whole':
      return null;
    default:
      return assertNever(page);
  }
}

/** Whether the place after a page that is not full was only assumed: the source did not say that there is more. */
export function isUnsure(page: Page, shown: Shown): boolean {
  const { body, count } = shown;
  if (count >= ('size' in page ? page.size : 0)) return false;
  if (page.style === 'offset')
    return page.total === undefined || wholeNumber(at(body, page.total)) === undefined;
  if (page.style === 'page') return totalPages(page, shown) === undefined;
  return page.style === 'cursor' && page.next === undefined && page.hasMore === undefined;
}

function nextOffset(page: Page & { style: 'offset' }, from: number, { body, count }: Shown): number | null {
  if (count === 0 || (page.end === 'short' && count < page.size)) return null;
  const total = page.total === undefined ? undefined : wholeNumber(at(body, page.total));
  return total !== undefined && from - page.first + count >= total ? null : from + count;
}

function nextNumber(page: Page & { style: 'page' }, current: number, shown: Shown): number | null {
  if (shown.count === 0 || (page.end === 'short' && shown.count < page.size)) return null;
  const total = totalPages(page, shown);
  return total !== undefined && current - page.first + 1 >= total ? null : current + 1;
}

function totalPages(page: Page & { style: 'page' }, { body, reply }: Shown): number | undefined {
  const inBody = page.totalPages === undefined ? undefined : wholeNumber(at(body, page.totalPages));
  return inBody ?? wholeNumber(reply.headers[page.totalPagesHeader?.toLowerCase() ?? '']);
}

function nextCursor(page: Page & { style: 'cursor' }, { body, count, lastId }: Shown): string | null {
  const hasMore = page.hasMore === undefined ? undefined : at(body, page.hasMore);
  if (hasMore === false) return null;
  if (page.next !== undefined) {
    const next = at(body, page.next);
    if (next === undefined || next === null || next === '') return null;
    if (typeof next === 'string' || typeof next === 'number') return String(next);
    throw sourceError('SOURCE_MALFORMED', `the next cursor at "${page.next}" is neither text nor a number`);
  }
  if (count === 0) return null;
  if (lastId === null)
    throw sourceError('SOURCE_MALFORMED', 'the last record of a page has no id to go on from');
  return lastId;
}

function nextLink(page: Page & { style: 'link' }, { body, reply }: Shown): string | null {
  const next = page.next === undefined ? ofHeader(reply.headers['link']) : at(body, page.next);
  if (next === undefined || next === null || next === '') return null;
  if (typeof next === 'string') return next;
  throw sourceError('SOURCE_MALFORMED', `the next address at "${page.next}" is not text`);
}

/** @see RFC 8288 */
function ofHeader(header: string | undefined): string | undefined {
  if (header === undefined || header.trim() === '') return undefined;
  try {
    const links = new LinkHeader(header);
    return links.refs.find(({ rel }) => rel.toLowerCase().split(/\s+/).includes('next'))?.uri;
  } catch {
    throw sourceError('SOURCE_MALFORMED', 'the header Link cannot be read');
  }
}

function sized(page: Page): Parameters {
  return 'sizeParameter' in page && page.sizeParameter !== undefined
    ? { [page.sizeParameter]: page.size }
    : {};
}

function numberIn(place: string | number | undefined, first: number): number {
  if (typeof place === 'string')
    throw sourceError('SOURCE_REFUSED', 'the place where the list was left is of another style');
  return place ?? first;
}

function wholeNumber(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d{1,12}$/.test(value.trim()) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : undefined;
}
