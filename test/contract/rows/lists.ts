import { z } from 'zod';
import { hold } from '../breach.ts';
import { shapeOf } from '../expect.ts';
import { LIST_LIMIT, LIST_OBJECT, OPERATIONS, type Operation, PAGINATION_BLOCK } from '../interface.ts';
import { ask, type Group, type Row } from '../row.ts';
import { Delivery, Device, Endpoint, Event, listOf, Payment, pageOf } from '../shapes.ts';
import type { Side } from '../sides/side.ts';
import { nameOf } from '../subjects.ts';
import { DEAD, deliveriesTo, ENDPOINTS, registered } from './hooks.ts';
import { badParameterRow, cursorRows, listRow, offsetRows, pageAt, STEP } from './list-walks.ts';
import { PAYMENTS, requested } from './sales.ts';

const WRAPPERS = 'Resources: List wrappers';
/** More than a page holds when nobody says how many. */
const FILLED = LIST_LIMIT.usual + 3;
const OLDER = { 'Service-Version': '2026-01-15' };
/** Webhook endpoints are fewer than anything else: a side keeps only so many. */
const MANY = 12;

const ITEM: Readonly<Record<string, z.ZodType>> = {
  [PAYMENTS]: Payment,
  '/v2/terminal-devices': Device,
  '/v2/events': Event,
  [ENDPOINTS]: Endpoint,
  '/v2/webhook-deliveries': Delivery,
};

const lists: readonly Operation[] = OPERATIONS.filter((operation) => 'list' in operation);
const ofStyle = (style: Operation['list']) => lists.filter(({ list }) => list === style);

/** Every list of the interface, in both of its shapes and by its style. One group for each, so that it is filled once. */
export const listGroups: readonly Group[] = lists.map((operation) => ({
  name: `the list ${nameOf(operation)}`,
  rows: [
    fillRow(operation),
    shapeRow(operation),
    olderShapeRow(operation),
    sumsRow(operation),
    usualLimitRow(operation),
    ...['0', '101', '-1', '1.5', 'ten', ''].map((limit) => badParameterRow(operation, 'limit', limit)),
    repeatedRow(operation),
    ...(ofStyle('cursor').includes(operation) ? cursorRows(operation) : []),
    ...(ofStyle('offset').includes(operation) ? offsetRows(operation) : []),
  ],
}));

/** How many items a list has at least, once it is filled. */
function filled({ path }: Operation): number {
  return path === ENDPOINTS ? MANY : FILLED;
}

/** Sales that are cancelled while they wait, each with its events, wanted by an endpoint. */
function fillRow(operation: Operation): Row {
  return listRow(
    operation,
    'limit',
    `a page holds at most ${LIST_LIMIT.most}, at least ${LIST_LIMIT.least}, as the limit says`,
    async (side) => {
      await fill(side);
      for (const limit of [LIST_LIMIT.least, STEP, LIST_LIMIT.most]) {
        const { data } = await pageAt(side, operation, `limit=${limit}`);
        hold(
          data.length === limit || (limit > filled(operation) && data.length >= filled(operation)),
          () => `limit=${limit} gave ${data.length} items`,
        );
      }
    },
  );
}

async function fill(side: Side): Promise<void> {
  const [wanting, ...others] = await endpoints(side);
  const device_id = side.freshDevice();
  const first = await requested(side, { device_id });
  await side.begin(first.id);
  for (let index = 1; index < FILLED; index += 1) {
    const { id } = await requested(side, { device_id });
    await ask(side, { method: 'POST', path: `${PAYMENTS}/${id}/cancel` }, { status: 200 });
  }
  hold(others.length === MANY - 1, () => 'not every endpoint was made');
  const noted = 2 * FILLED - 1;
  await side.until(
    'a delivery of every event',
    async () => (await deliveriesTo(side, wanting?.id ?? '')).length >= noted,
  );
}

/** As many as both sides keep; the first of them wants what will happen. */
async function endpoints(side: Side) {
  const made = [
    await registered(side, { ...DEAD, events: ['terminal_payment.requested', 'terminal_payment.cancelled'] }),
  ];
  while (made.length < MANY) made.push(await registered(side));
  return made;
}

function shapeRow(operation: Operation): Row {
  const { path } = operation;
  const covers = [...LIST_OBJECT.map((name) => `field:list.${name}`), 'version:2026-05-01'];
  return listRow(
    operation,
    'list-object',
    'under 2026-05-01 it is the list object, with nothing beside its four fields',
    async (side) => {
      const answer = await ask(
        side,
        { path: `${path}?limit=3` },
        { status: 200, body: listOf(ITEM[path] ?? z.never()) },
      );
      const { url, data, has_more } = shapeOf('the list', listOf(z.unknown()), answer.json);
      hold(url === path, () => `url is ${url}`);
      hold(data.length === 3 && has_more, () => `of many it gave ${data.length}, has_more ${has_more}`);
    },
    { section: WRAPPERS, covers },
  );
}

function olderShapeRow(operation: Operation): Row {
  const { path } = operation;
  return listRow(
    operation,
    'pagination-block',
    'under 2026-01-15 it is data and pagination, with nothing beside them',
    async (side) => {
      const asked = { path: `${path}?limit=3`, headers: OLDER };
      const item = ITEM[path] ?? z.never();
      const answer = await ask(side, asked, { status: 200, body: pageOf(item) });
      const { data, pagination } = shapeOf('the page', pageOf(z.unknown()), answer.json);
      const { limit, hasMore = true } = pagination;
      hold(
        limit === 3 && data.length === 3,
        () => `limit=3 gave ${data.length} items, and pagination says ${limit}`,
      );
      hold(hasMore === true, () => 'hasMore is false, and there is more');
    },
    { section: WRAPPERS, covers: ['field:pagination.limit', 'version:2026-01-15'] },
  );
}

function sumsRow(operation: Operation): Row {
  const { path, list } = operation;
  return listRow(
    operation,
    'pagination-sums',
    'under 2026-01-15 pagination says the offset and the total',
    async (side) => {
      const wanted = list === 'offset' ? 2 : 0;
      const asked = {
        path: `${path}?limit=3${list === 'offset' ? `&offset=${wanted}` : ''}`,
        headers: OLDER,
      };
      const { json } = await ask(side, asked, { status: 200 });
      const { offset, total } = shapeOf('the page', WithPagination, json).pagination;
      hold(offset === wanted, () => `pagination.offset is ${offset}, not ${wanted}`);
      hold(
        Number(total) >= filled(operation),
        () => `pagination.total is ${total}, of ${filled(operation)} and more`,
      );
    },
    {
      section: WRAPPERS,
      covers: PAGINATION_BLOCK.map((name) => `field:pagination.${name}`),
    },
  );
}

function usualLimitRow(operation: Operation): Row {
  const { usual } = LIST_LIMIT;
  return listRow(
    operation,
    'usual-limit',
    `without a limit a page holds ${usual}, and says so under 2026-01-15`,
    async (side) => {
      const { data, has_more } = await pageAt(side, operation, '');
      const isFull = filled(operation) > usual;
      hold(data.length === (isFull ? usual : filled(operation)), () => `it gave ${data.length} items`);
      hold(has_more || !isFull, () => 'has_more is false, and there is more');
      const asked = { path: operation.path, headers: OLDER };
      const { json } = await ask(side, asked, { status: 200 });
      const { pagination } = shapeOf('the page', WithPagination, json);
      hold(pagination.limit === usual, () => `pagination.limit is ${pagination.limit}`);
    },
  );
}

const WithPagination = z.looseObject({
  pagination: z.looseObject({ limit: z.int(), offset: z.int().optional(), total: z.int().optional() }),
});

function repeatedRow(operation: Operation): Row {
  return listRow(operation, 'limit-twice', 'a parameter that comes twice is 400 and named', async (side) => {
    const error = { type: 'invalid_request_error', code: 'validation_error', param: 'limit' } as const;
    await ask(side, { path: `${operation.path}?limit=5&limit=6` }, { status: 400, error });
  });
}
