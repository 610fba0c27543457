import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { hold } from '../breach.ts';
import { shapeOf } from '../expect.ts';
import { LIST_LIMIT, LIST_STYLES, type Operation } from '../interface.ts';
import { ask, type Row } from '../row.ts';
import { listOf } from '../shapes.ts';
import type { Side } from '../sides/side.ts';
import { nameOf } from '../subjects.ts';

/** Small enough that every list has several pages. */
export const STEP = 5;

/** A row about one list. */
export function listRow(
  operation: Operation,
  id: string,
  what: string,
  run: Row['run'],
  more: Partial<Row> = {},
): Row {
  const covers = [`operation:${nameOf(operation)}`, `style:${operation.list}`];
  return { id: `list${operation.path}/${id}`, section: 'Endpoints: Pagination', what, covers, run, ...more };
}

/** A parameter that cannot be. */
export function badParameterRow(operation: Operation, param: string, value: string): Row {
  return listRow(
    operation,
    `${param}=${value || 'empty'}`,
    `${param}=${value} is 400 and names ${param}`,
    async (side) => {
      const error = { type: 'invalid_request_error', code: 'validation_error', param } as const;
      await ask(side, { path: `${operation.path}?${param}=${value}` }, { status: 400, error });
    },
  );
}

/** Reading by cursor. */
export function cursorRows(operation: Operation): readonly Row[] {
  const { path } = operation;
  const [, after, before] = LIST_STYLES.cursor;
  return [
    listRow(
      operation,
      after,
      `pages behind ${after}, until has_more is false, give every item once and in order`,
      async (side) => {
        const all = (await pageAt(side, operation, `limit=${LIST_LIMIT.most}`)).ids;
        const walked: string[] = [];
        for (let more = true; more; ) {
          const cursor = walked.length === 0 ? '' : `&${after}=${walked.at(-1)}`;
          const page = await pageAt(side, operation, `limit=${STEP}${cursor}`);
          walked.push(...page.ids);
          more = page.has_more;
          hold(walked.length <= LIST_LIMIT.most, () => 'has_more does not become false');
        }
        hold(
          walked.slice(0, all.length).join() === all.join(),
          () => `page by page it gave other items: ${walked.length} for ${all.length}`,
        );
      },
    ),
    listRow(operation, before, `${before} gives the items right before that one`, async (side) => {
      const all = (await pageAt(side, operation, `limit=${LIST_LIMIT.most}`)).ids;
      const { ids } = await pageAt(side, operation, `limit=${STEP}&${before}=${all[10]}`);
      hold(
        ids.join() === all.slice(10 - STEP, 10).join(),
        () => `it gave ${ids.map((id) => all.indexOf(id)).join()} before 10`,
      );
    }),
    listRow(
      operation,
      'both-cursors',
      'both cursors at once are 400 parameter_invalid',
      async (side) => {
        const [first] = (await pageAt(side, operation, 'limit=1')).ids;
        const error = { type: 'invalid_request_error', code: 'parameter_invalid', param: null } as const;
        await ask(side, { path: `${path}?${after}=${first}&${before}=${first}` }, { status: 400, error });
      },
      { covers: ['code:400 parameter_invalid'] },
    ),
    ...[after, before].flatMap((param) =>
      [randomUUID(), 'evt_nothing', 'x'].map((cursor, index) =>
        listRow(
          operation,
          `${param}-unknown-${index + 1}`,
          `${param}=${index === 0 ? 'an unknown id' : cursor} names no item: 400 resource_missing`,
          async (side) => {
            const error = { type: 'invalid_request_error', code: 'resource_missing', param } as const;
            await ask(side, { path: `${path}?${param}=${cursor}` }, { status: 400, error });
          },
          { covers: ['code:400 resource_missing'] },
        ),
      ),
    ),
  ];
}

/** Reading by offset. */
export function offsetRows(operation: Operation): readonly Row[] {
  return [
    listRow(
      operation,
      'offset',
      'pages by offset, until one has fewer items than the limit, give every item once and in order',
      async (side) => {
        const all = (await pageAt(side, operation, `limit=${LIST_LIMIT.most}`)).ids;
        const walked: string[] = [];
        for (let offset = 0; offset <= all.length; offset += STEP) {
          const { ids, has_more } = await pageAt(side, operation, `limit=${STEP}&offset=${offset}`);
          walked.push(...ids);
          hold(
            has_more || offset + STEP >= all.length,
            () => `at offset ${offset} has_more is false, and there is more`,
          );
          hold(
            !has_more || ids.length === STEP,
            () => `at offset ${offset} has_more is true on a page that is not full`,
          );
        }
        hold(
          walked.join() === all.join(),
          () => `page by page it gave ${walked.length} items for ${all.length}`,
        );
      },
    ),
    listRow(operation, 'offset-beyond', 'an offset beyond the end gives an empty page', async (side) => {
      const { data, has_more } = await pageAt(side, operation, 'offset=100000');
      hold(data.length === 0 && !has_more, () => `it gave ${data.length} items, has_more ${has_more}`);
    }),
    ...['-1', '1.5', 'ten'].map((offset) => badParameterRow(operation, 'offset', offset)),
  ];
}

const WithId = z.looseObject({ id: z.string() });

/** One page in the current version. @throws Breach */
export async function pageAt(side: Side, { path }: Operation, query: string) {
  const answer = await ask(side, { path: query === '' ? path : `${path}?${query}` }, { status: 200 });
  const { data, has_more } = shapeOf('the page', listOf(WithId).loose(), answer.json);
  const ids = data.map(({ id }) => id);
  hold(new Set(ids).size === ids.length, () => 'an item is there twice');
  return { data, ids, has_more };
}
