import {
  isJsonObject,
  type Json,
  kindOf,
  type PageToken,
  readId,
  sourceError,
  z,
} from '../../../src/driver-kit/provider.ts';
import type { ServiceList } from './lists.ts';

/** The service's largest page. */
export const PAGE_SIZE = 100;

/** The list object of 2026-05-01, or `data` with a `pagination` block; some lists have `meta` instead. */
const wrapper = z.looseObject({
  data: z.array(z.unknown()).max(1_000),
  has_more: z.boolean().nullish(),
  pagination: z.looseObject({ hasMore: z.boolean().nullish(), total: z.int().min(0).nullish() }).nullish(),
  meta: z.looseObject({ total: z.int().min(0).nullish() }).nullish(),
});

/** Records to skip, the number of the page, or the id of the last record. */
type Place = PageToken['at'];

/** The place of a token; null: the beginning. @throws SOURCE_REFUSED when the place belongs to a list of another style */
export function placeIn(list: ServiceList, token: PageToken | null): Place | null {
  if (token === null) return null;
  if ((typeof token.at === 'string') === (list.style === 'cursor')) return token.at;
  throw sourceError('SOURCE_REFUSED', 'the place where the list was left does not fit its style any more');
}

export function queryOf(list: ServiceList, place: Place | null): Record<string, string> {
  const limit = { limit: String(PAGE_SIZE) };
  if (list.style === 'offset') return { ...limit, offset: String(place ?? 0) };
  if (list.style === 'page') return { ...limit, page: String(place ?? 1) };
  return place === null ? limit : { ...limit, starting_after: String(place) };
}

export interface Listed {
  readonly items: readonly unknown[];
  /** Where the next page begins; null: this was the last one. */
  readonly next: Place | null;
}

/**
 * Reads a list's answer in either of its two shapes. `has_more` may be true on an exactly full last page, so an empty page is always the end.
 * @throws SOURCE_MALFORMED when it is neither shape, or its last record gives no cursor
 */
export function readList(list: ServiceList, place: Place | null, body: Json): Listed {
  const parsed = wrapper.safeParse(body);
  if (!parsed.success) {
    const problem = parsed.error.issues[0];
    throw sourceError(
      'SOURCE_MALFORMED',
      `this is no list (${problem?.path.join('.') || kindOf(body)}: ${problem?.message})`,
    );
  }
  const { data: items, has_more, pagination, meta } = parsed.data;
  const offset = list.style === 'offset' && typeof place === 'number' ? place : 0;
  const total = pagination?.total ?? meta?.total;
  const more =
    has_more ??
    pagination?.hasMore ??
    (list.style === 'offset' && typeof total === 'number'
      ? offset + items.length < total
      : items.length >= PAGE_SIZE);
  if (!more || items.length === 0) return { items, next: null };
  return { items, next: nextPlace(list, place, items) };
}

function nextPlace(list: ServiceList, place: Place | null, items: readonly unknown[]): Place {
  if (list.style === 'offset') return (typeof place === 'number' ? place : 0) + items.length;
  if (list.style === 'page') return (typeof place === 'number' ? place : 1) + 1;
  const last = items.at(-1);
  const id = readId(isJsonObject(last) ? last['id'] : undefined);
  if ('problem' in id)
    throw sourceError('SOURCE_MALFORMED', `the list cannot be gone on with: its last record: ${id.problem}`);
  return id.id;
}
