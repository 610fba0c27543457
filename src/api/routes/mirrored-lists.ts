import { z } from 'zod';
import { AppError } from '../../base/errors.ts';
import { canonicalId, isUuid } from '../../base/ids.ts';
import type { MirrorPlace, MirrorQuery } from '../../integration/views/mirror.ts';
import type { Api, ReplyShape, RoutePlugin } from '../api.ts';
import {
  type ListStyle,
  type MirroredQuery,
  mirroredDataOf,
  mirroredListOf,
  mirroredPageOf,
  mirroredQueryOf,
} from '../contract/mirrored.ts';
import { Uuid } from '../contract/primitives.ts';
import { instantOrNull } from '../render/instant.ts';
import type { RefusalCode } from '../reply/refusals.ts';
import type { ServiceVersion } from '../version.ts';
import { atCursor, cursorsOf } from './cursor.ts';
import { VersionQuery } from './list-reply.ts';
import { MirrorSource, type MirrorSourceDeps } from './mirror-source.ts';
import { LISTS_OF_CUSTOMERS, MIRRORED_LISTS, type MirroredList, mirroredList } from './mirrored-table.ts';

const ById = z.strictObject({ id: Uuid });
const ByPublicId = z.strictObject({ id: z.string().min(1).max(256).describe('The public id, or the UUID.') });
const ByCustomer = z.strictObject({ customerId: Uuid });
const AGE = 'Read from the mirror, also offline; `fresh_at` and `Age` say how old it is.';

/** The mirrored lists of the service, at the service's own addresses; nothing is ever written through them. */
export function mirroredListRoutes(deps: MirrorSourceDeps): RoutePlugin {
  const source = new MirrorSource(deps);
  return async (api) => {
    for (const list of MIRRORED_LISTS) {
      listRoute(api, source, list);
      oneRoute(api, source, list);
    }
    for (const { name, style } of LISTS_OF_CUSTOMERS)
      customerListRoute(api, source, mirroredList(name), style);
  };
}

function listRoute(api: Api, source: MirrorSource, list: MirroredList): void {
  const { path, style, words, scope, tag, filters, order, where = {} } = list;
  api.route({
    method: 'GET',
    url: path,
    schema: { querystring: mirroredQueryOf(style, filters) },
    config: {
      operationId: `list${words.many}`,
      tag,
      access: scope,
      summary: `List ${spaced(words.many)}${order ? `, ${order.inWords}` : ''}. ${AGE}`,
      replies: [listShape(list)],
      refusals: refusalsOf(style),
      isMirrored: true,
    },
    handler: ({ query, serviceVersion }, reply) => {
      const asked = { ...(order ? { order } : {}), where: { ...where, ...filtersOf(query) } };
      return pageReply(source, list, { query, asked, url: path, version: serviceVersion, style }, reply);
    },
  });
}

function oneRoute(api: Api, source: MirrorSource, list: MirroredList): void {
  const { path, words, scope, tag, resource, unknown, hasPublicId, isUnwrapped } = list;
  if (!unknown) return;
  const shape = isUnwrapped
    ? resource.extend({ fresh_at: mirroredDataOf(resource).shape.fresh_at })
    : mirroredDataOf(resource);
  api.route({
    method: 'GET',
    url: `${path}/:id`,
    schema: { params: hasPublicId ? ByPublicId : ById, querystring: VersionQuery },
    config: {
      operationId: `get${words.one}`,
      tag,
      access: scope,
      summary: `Retrieve one of the ${spaced(words.many)}. ${AGE}`,
      replies: [{ status: 200, description: `The ${spaced(words.one)}.`, schema: shape }],
      refusals: [unknown, 'LIST_NOT_MIRRORED'],
      isMirrored: true,
    },
    handler: ({ params }, reply) => {
      const row = source.find(list, params.id);
      if (!row)
        throw new AppError(unknown, `No ${spaced(words.one)} has this id, as far as the mirror knows`);
      const [data] = source.rendered(list, [row]);
      const freshAt = source.freshAt(list.name);
      source.sendAge(reply, freshAt);
      const age = { fresh_at: instantOrNull(freshAt) };
      return isUnwrapped ? { ...data, ...age } : { data, ...age };
    },
  });
}

function customerListRoute(api: Api, source: MirrorSource, list: MirroredList, style: ListStyle): void {
  const { name, words, scope, filters } = list;
  api.route({
    method: 'GET',
    url: `/v2/customers/:customerId/${name}`,
    schema: { params: ByCustomer, querystring: mirroredQueryOf(style, filters) },
    config: {
      operationId: `listCustomer${words.many}`,
      tag: 'Customers',
      access: scope,
      summary: `List the ${spaced(words.many)} of a customer. ${AGE}`,
      replies: [listShape(list)],
      refusals: [...refusalsOf(style), 'CUSTOMER_UNKNOWN'],
      isMirrored: true,
    },
    handler: ({ params, query, serviceVersion }, reply) => {
      const { customerId } = params;
      requireCustomer(source, customerId);
      const url = `/v2/customers/${customerId}/${name}`;
      const asked = { customerId, where: filtersOf(query) };
      return pageReply(source, list, { query, asked, url, version: serviceVersion, style }, reply);
    },
  });
}

/** Where customers are not mirrored, one without a row cannot be told from one that does not exist. @throws CUSTOMER_UNKNOWN */
export function requireCustomer(source: MirrorSource, customerId: string): void {
  const customers = mirroredList('customers');
  if (source.has('customers') && !source.find(customers, customerId))
    throw new AppError('CUSTOMER_UNKNOWN', 'No customer has this id, as far as the mirror knows');
}

interface AskedPage {
  readonly query: MirroredQuery;
  readonly asked: Pick<MirrorQuery, 'where' | 'order' | 'customerId'>;
  readonly url: string;
  readonly version: ServiceVersion;
  readonly style: ListStyle;
}

function pageReply(
  source: MirrorSource,
  list: MirroredList,
  { query, asked, url, version, style }: AskedPage,
  reply: Parameters<MirrorSource['sendAge']>[0],
): object {
  const { limit, search } = query;
  const isCounted = version === '2026-01-15';
  const words = search === undefined ? {} : { search };
  const page = atCursor(query, () =>
    source.page(list, { ...asked, ...words, place: placeOf(style, query), limit, isCounted }),
  );
  const freshAt = source.freshAt(list.name);
  source.sendAge(reply, freshAt);
  const data = source.rendered(list, page.rows);
  const age = { fresh_at: instantOrNull(freshAt) };
  if (!isCounted) return { object: 'list', data, has_more: page.hasMore, url, ...age };
  const { offset, total, hasMore } = page;
  return { data, pagination: { limit, offset, total, hasMore }, ...age };
}

/** @throws CURSORS_CONFLICT */
function placeOf(style: ListStyle, query: MirroredQuery): MirrorPlace {
  if (style === 'offset') return { offset: query.offset ?? 0 };
  if (style === 'page') return { offset: ((query.page ?? 1) - 1) * query.limit };
  const { startingAfter, endingBefore } = cursorsOf(query);
  if (startingAfter !== undefined) return { after: cursorId(startingAfter) };
  return endingBefore === undefined ? { offset: 0 } : { before: cursorId(endingBefore) };
}

function cursorId(id: string): string {
  return isUuid(id) ? canonicalId(id) : id;
}

function filtersOf({ status, currency }: MirroredQuery): Record<string, string> {
  return { ...(status === undefined ? {} : { status }), ...(currency === undefined ? {} : { currency }) };
}

function listShape({ resource, words }: MirroredList): ReplyShape {
  return {
    status: 200,
    description: `One page of ${spaced(words.many)}.`,
    get schema() {
      return mirroredListOf(resource);
    },
    get olderSchema() {
      return mirroredPageOf(resource);
    },
  };
}

function refusalsOf(style: ListStyle): readonly RefusalCode[] {
  return [
    'LIST_NOT_MIRRORED',
    ...(style === 'cursor' ? (['CURSOR_UNKNOWN', 'CURSORS_CONFLICT'] as const) : []),
  ];
}

/** `PaymentIntents` → `payment intents` */
function spaced(words: string): string {
  return words.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
}
