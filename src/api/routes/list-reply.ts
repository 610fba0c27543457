import { z } from 'zod';
import type { ReplyShape } from '../api.ts';
import { listOf, pageOf } from '../contract/primitives.ts';
import type { ServiceVersion } from '../version.ts';

/** One page of a list. `offset` and `total` where the list is paged by offset. */
export interface Page {
  readonly items: readonly unknown[];
  readonly hasMore: boolean;
  readonly url: string;
  readonly limit: number;
  readonly offset?: number;
  readonly total?: number;
}

/** Whether the version shows where a page stands in its list, so that the list is counted. */
export function isCounted(version: ServiceVersion): boolean {
  return version === '2026-01-15';
}

/** A page in the shape of the version: the list object, or `data` with `pagination` before it. */
export function listReply(version: ServiceVersion, page: Page): object {
  const { items, hasMore, url, limit, offset, total } = page;
  if (version === '2026-05-01') return { object: 'list', data: items, has_more: hasMore, url };
  return { data: items, pagination: { limit, offset, total, hasMore } };
}

/** A list that is one page. */
export function wholeList(version: ServiceVersion, url: string, items: readonly unknown[]): object {
  const total = items.length;
  return listReply(version, { items, hasMore: false, url, limit: Math.max(1, total), offset: 0, total });
}

/** The shapes of a page, made when the OpenAPI document asks for them: nothing else does. */
export function listShape(resource: z.ZodType, description: string): ReplyShape {
  return {
    status: 200,
    description,
    get schema() {
      return listOf(resource);
    },
    get olderSchema() {
      return pageOf(resource);
    },
  };
}

/** The query of routes without a parameter of their own. */
export const VersionQuery = z.strictObject({ version: z.string().optional() });
