import type { Ask } from '../ask.ts';
import { meets } from '../expect.ts';
import { type Method, OPERATIONS } from '../interface.ts';
import { ask, type Group, type Row } from '../row.ts';
import { FlatWords } from '../shapes.ts';

const SECTION = 'Errors: Responses outside the envelope';
const covers = ['flat:404', 'status:404'];
/** Just the words, and nothing beside them. */
const flat = { status: 404, flat: null, body: FlatWords };
const paths = [...new Set(OPERATIONS.map(({ path }) => path))];
const METHODS: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const ID = '0198c5a0-0000-7000-8000-0000000000aa';

export const routeGroup: Group = {
  name: 'unknown routes',
  rows: [
    ...[
      '/',
      '/v2',
      '/v2/',
      '/v2/nothing-here',
      '/v3/terminal-payments',
      '/terminal-payments',
      '/v1/terminal-payments',
      '/v2/terminal-payments/',
      '/v2//terminal-payments',
      `/v2/terminal-payments/${ID}/`,
      `/v2/terminal-payments/${ID}/nothing`,
      '/v2/Terminal-Payments',
      '/v2/tax-rates',
      '/v2/checkout-sessions',
    ].map((path) => unknownRow({ path })),
    ...paths.flatMap((path) =>
      METHODS.filter((method) => !OPERATIONS.some((one) => one.path === path && one.method === method)).map(
        (method) => unknownRow({ method, path: path.replace('{id}', ID) }),
      ),
    ),
    {
      id: 'route/without-key',
      section: SECTION,
      what: 'an unknown route is 404 also without a key',
      covers,
      run: async (side) => meets(await side.send({ path: '/v2/nothing-here' }), flat),
    },
  ],
};

function unknownRow(asked: Ask): Row {
  const line = `${asked.method ?? 'GET'} ${asked.path.replace(ID, '{id}')}`;
  return {
    id: `route/${line}`,
    section: SECTION,
    what: `${line} is no route: 404, flat, words and at most a request id`,
    covers,
    run: async (side) => void (await ask(side, asked, flat)),
  };
}
