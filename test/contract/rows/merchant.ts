import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { hold } from '../breach.ts';
import type { Expected } from '../expect.ts';
import { shapeOf } from '../expect.ts';
import { LIST_LIMIT, LIST_OBJECT, MERCHANT_LISTS, type MerchantList, type Operation } from '../interface.ts';
import { ask, askAs, type Group, type Row } from '../row.ts';
import { listOf, pageOf } from '../shapes.ts';
import type { Side } from '../sides/side.ts';
import { badParameterRow, cursorRows, listRow, offsetRows, pageAt, STEP } from './list-walks.ts';
import { merchantReads } from './merchant-reads.ts';

const OLDER = { 'Service-Version': '2026-01-15' };
const Item = z.looseObject({ id: z.uuid() });
/** What tilld adds where it reads its mirror. */
const FRESH = { fresh_at: z.iso.datetime() };
const GIVEN = 'Endpoints: Pagination';

const notMirroredRow: Row = {
  id: 'account/not-mirrored',
  section: 'Errors: Status codes',
  what: 'a list that is not mirrored is 501 not_implemented, and the message names the configuration',
  covers: ['status:501', 'code:501 not_implemented'],
  exempt: { sandbox: 'the service serves its own lists, so none is missing there: “GET /invoices”' },
  run: async (side) => {
    const error = { type: 'api_error', code: 'not_implemented', param: null } as const;
    for (const { path } of MERCHANT_LISTS) {
      const { text } = await ask(side, { path }, { status: 501, error });
      hold(text.includes('mirror') && text.includes('lists'), () => `it says ${text}`);
    }
  },
};

/** The lists of the merchant's account: the service's own, and the agent's mirror of them. */
export const merchantGroups: readonly Group[] = [
  ...MERCHANT_LISTS.map((list): Group => {
    const operation = operationOf(list);
    return {
      name: `the list GET ${list.path}`,
      rows: [
        ...styleRows(operation),
        objectRow(operation),
        blockRow(operation),
        usualLimitRow(operation),
        ...['0', '101', 'ten'].map((limit) => badParameterRow(operation, 'limit', limit)),
        scopeRow(operation),
        ...(list.one ? [oneRow(list), absentRow(list)] : []),
      ],
    };
  }),
  { name: 'reads of the account', rows: merchantReads },
  {
    name: 'an account that is not mirrored',
    setting: { mirror: 'empty' },
    rows: [notMirroredRow],
  },
];

function operationOf({ path, list, scope }: MerchantList): Operation {
  return { method: 'GET', path, section: GIVEN, scope, status: 200, list };
}

function styleRows(operation: Operation): readonly Row[] {
  if (operation.list === 'cursor') return cursorRows(operation);
  return operation.list === 'page' ? pageRows(operation) : offsetRows(operation);
}

/** Reading by page. */
function pageRows(operation: Operation): readonly Row[] {
  return [
    listRow(
      operation,
      'page',
      'pages, until one has fewer items than the limit, give every item once and in order',
      async (side) => {
        const all = (await pageAt(side, operation, `limit=${LIST_LIMIT.most}`)).ids;
        const walked: string[] = [];
        for (let page = 1; ; page += 1) {
          const { ids } = await pageAt(side, operation, `limit=${STEP}&page=${page}`);
          walked.push(...ids);
          if (ids.length < STEP) break;
        }
        hold(
          walked.join() === all.join(),
          () => `page by page it gave ${walked.length} items for ${all.length}`,
        );
        hold(all.length > LIST_LIMIT.usual, () => `there are only ${all.length}`);
      },
    ),
    ...['0', '-1', '1.5', 'ten'].map((page) => badParameterRow(operation, 'page', page)),
  ];
}

function objectRow(operation: Operation): Row {
  const covers = [...LIST_OBJECT.map((name) => `field:list.${name}`), `operation:GET ${operation.path}`];
  const what = 'under 2026-05-01 it is the list object; the mirror adds fresh_at and Age';
  return listRow(
    operation,
    'list-object',
    what,
    async (side) => {
      const body = listOf(Item).extend(isMirror(side) ? FRESH : {});
      const answer = await ask(side, { path: `${operation.path}?limit=3` }, { status: 200, body });
      const { url, data, has_more } = shapeOf('the list', body, answer.json);
      hold(
        url === operation.path && data.length === 3 && has_more,
        () => `it gave ${answer.text.slice(0, 200)}`,
      );
      const age = answer.headers['age'];
      hold(!isMirror(side) || /^\d+$/.test(String(age)), () => `Age is ${age}`);
    },
    { covers },
  );
}

function blockRow(operation: Operation): Row {
  const covers = ['field:pagination.limit', 'field:pagination.offset', 'field:pagination.total'];
  const what = 'under 2026-01-15 it is data and pagination, with limit, offset and total';
  return listRow(
    operation,
    'pagination-block',
    what,
    async (side) => {
      const all = (await pageAt(side, operation, `limit=${LIST_LIMIT.most}`)).ids;
      const [query, offset] = await secondPage(operation, all);
      const body = pageOf(Item).extend(isMirror(side) ? FRESH : {});
      const asked = { path: `${operation.path}?limit=${STEP}${query}`, headers: OLDER };
      const { json } = await ask(side, asked, { status: 200, body });
      const { pagination, data } = shapeOf('the page', body, json);
      hold(
        pagination['offset'] === offset && pagination['total'] === all.length && pagination['limit'] === STEP,
        () => `pagination is ${JSON.stringify(pagination)}, of ${all.length} at ${offset}`,
      );
      hold(data[0]?.id === all[offset], () => `the page begins at ${data[0]?.id}`);
    },
    { covers },
  );
}

async function secondPage({ list }: Operation, all: readonly string[]): Promise<readonly [string, number]> {
  if (list === 'cursor') return [`&starting_after=${all[STEP - 1]}`, STEP];
  return [list === 'page' ? '&page=2' : `&offset=${STEP}`, STEP];
}

function usualLimitRow(operation: Operation): Row {
  return listRow(
    operation,
    'usual-limit',
    `without a limit a page holds ${LIST_LIMIT.usual}`,
    async (side) => {
      const { data } = await pageAt(side, operation, '');
      hold(data.length === LIST_LIMIT.usual, () => `it gave ${data.length} items`);
    },
  );
}

function scopeRow(operation: Operation): Row {
  const { scope, path } = operation;
  return listRow(
    operation,
    'scope',
    `it needs ${scope}, and nothing else`,
    async (side) => {
      const error = {
        type: 'authorization_error',
        code: 'insufficient_permissions',
        details: { required: [scope] },
      } as const;
      await askAs(side, `without ${scope}`, { path }, { status: 403, error });
      await askAs(side, `only ${scope}`, { path }, { status: 200 });
    },
    { section: 'Authentication: 6', covers: [`scope:${scope}`] },
  );
}

function oneRow({ path, one, list, scope }: MerchantList): Row {
  return {
    id: `list${path}/one`,
    section: 'Endpoints: Conventions',
    what: `one of them is ${one}, as the list gives it`,
    covers: [`operation:GET ${path}/{id}`],
    run: async (side) => {
      const { data } = await pageAt(
        side,
        { method: 'GET', path, section: GIVEN, scope, status: 200, list },
        'limit=2',
      );
      const expected = data[1];
      const extra = isMirror(side) ? FRESH : {};
      const shape = one === 'unwrapped' ? Item.extend(extra) : z.strictObject({ data: Item, ...extra });
      const { json } = await ask(side, { path: `${path}/${expected?.id}` }, { status: 200, body: shape });
      const got = one === 'unwrapped' ? json : shapeOf('it', z.looseObject({ data: Item }), json).data;
      const { id, created_at } = shapeOf('it', z.looseObject({ id: z.uuid(), created_at: z.string() }), got);
      hold(
        id === expected?.id && created_at === expected['created_at'],
        () => `it gave ${JSON.stringify(got)}`,
      );
    },
  };
}

function absentRow({ path, absent }: MerchantList): Row {
  const envelope = {
    type: 'invalid_request_error',
    code: absent === 'resource_missing' ? absent : ['resource_not_found', 'resource_missing'],
    param: null,
  } as const;
  const expected: Expected =
    absent === 'flat' ? { status: 404, flat: null } : { status: 404, error: envelope };
  return {
    id: `list${path}/absent`,
    section: 'Errors: Other codes',
    what: `one that is not there is 404${absent === 'flat' ? ', flat' : ''}`,
    covers: ['status:404', absent === 'flat' ? 'flat:404' : 'code:404 resource_missing'],
    run: async (side) => void (await ask(side, { path: `${path}/${randomUUID()}` }, expected)),
  };
}

function isMirror(side: Side): boolean {
  return side.name === 'local';
}
