import type { Ask } from '../ask.ts';
import { hold } from '../breach.ts';
import { meets, shapeOf } from '../expect.ts';
import { INTEGRATIONS, type IntegrationOperation, PROVIDERS } from '../interface.ts';
import { ask, askAs, type Group, type Row } from '../row.ts';
import { dataOf, FlatWords, Integration, listOf, pageOf } from '../shapes.ts';
import type { Side } from '../sides/side.ts';
import { CREDENTIALS, integration, LIST, post, put, row, SECTION } from './integration-asks.ts';
import { lifecycleRows, syncRows } from './integration-lifecycle.ts';
import { mappingRows } from './integration-mappings.ts';
import { settingRows } from './integration-settings.ts';
import { statsRows } from './integration-stats.ts';

const OLDER = { 'Service-Version': '2026-01-15' };
const NO_ID = '0198c5a0-0000-7000-8000-0000000000aa';
const ONLY_HERE = 'a connector serves every integration there: “activate and test accept all four”';

export const integrationGroups: readonly Group[] = [
  {
    name: 'integrations',
    rows: [...lookingRows(), ...syncRows(), ...lifecycleRows(), ...statsRows()],
  },
  { name: 'integrations: settings and mappings', rows: [...settingRows(), ...mappingRows()] },
  { name: 'integrations: refusals', rows: INTEGRATIONS.flatMap(refusalRows) },
  { name: 'integrations without a connector', setting: { connectors: 'none' }, rows: unservedRows() },
];

function lookingRows(): readonly Row[] {
  return [
    row(
      'list',
      'all four slots are listed, in their order, each with its snapshot',
      ['GET /', ...PROVIDERS],
      async (side) => {
        const answer = await ask(side, { path: LIST }, { status: 200, body: listOf(Integration) });
        const { data, has_more } = shapeOf('the list', listOf(Integration), answer.json);
        const order = data.map(({ provider }) => provider).join();
        hold(order === PROVIDERS.join() && !has_more, () => `they are ${order}`);
        hold(new Set(data.map(({ id }) => id)).size === PROVIDERS.length, () => 'two slots have one id');
        for (const one of data) {
          const seen = await ask(
            side,
            { path: integration(one.provider) },
            { status: 200, body: dataOf(Integration) },
          );
          hold(JSON.stringify(seen.json) === JSON.stringify({ data: one }), () => `${one.provider} differs`);
        }
      },
    ),
    row('list-pages', 'the list is read by limit and offset', ['GET /'], async (side) => {
      const answer = await ask(side, { path: `${LIST}?limit=2&offset=1` }, { status: 200 });
      const { data, has_more } = shapeOf('the list', listOf(Integration), answer.json);
      hold(data.map(({ provider }) => provider).join() === 'provider_b,terminal', () => 'other slots');
      hold(has_more, () => 'there is a fourth slot');
    }),
    row('list-older', 'under 2026-01-15 the list comes with its pagination', ['GET /'], async (side) => {
      const asked = { path: LIST, headers: OLDER };
      await ask(side, asked, { status: 200, body: pageOf(Integration) });
    }),
    ...['0', '101', 'ten'].map((limit) =>
      row(`list-limit-${limit}`, `a limit of ${limit} is 400`, ['GET /'], async (side) => {
        await refused(side, { path: `${LIST}?limit=${limit}` });
      }),
    ),
  ];
}

async function refused(side: Side, asked: Ask): Promise<void> {
  const answer = await ask(side, asked, { status: 400 });
  hold(/"code":"[a-z_]+"/.test(answer.text), () => 'the refusal has no code');
}

/** What every operation refuses: an integration that does not exist, no key, and a key without its scope. */
function refusalRows(operation: IntegrationOperation): readonly Row[] {
  const { method, path, scope } = operation;
  const name = `${method} ${path}`;
  const covers = [`operation:${name}`, 'status:404', 'status:401', 'status:403'];
  const as = { section: SECTION, covers };
  const unknown: Row = {
    ...as,
    id: `integration/unknown ${name}`,
    what: `${name} of a provider that does not exist is 404 resource_not_found`,
    run: async (side) => {
      const error = { type: 'invalid_request_error', code: 'resource_not_found', param: null } as const;
      await ask(side, asked(operation, 'provider_x'), { status: 404, error });
    },
  };
  const closed: Row = {
    ...as,
    id: `integration/closed ${name}`,
    what: `${name} needs a key, and one with ${scope}`,
    run: async (side) => {
      meets(await side.send(asked(operation, 'provider_a')), {
        status: 401,
        error: { type: 'authentication_error', code: 'authentication_failed' },
      });
      const key = scope === 'settings:read' ? 'only payments:write' : 'only settings:read';
      const error = {
        type: 'authorization_error',
        code: 'insufficient_permissions',
        details: { required: [scope] },
      } as const;
      await askAs(side, key, asked(operation, 'provider_a'), { status: 403, error });
    },
  };
  return path.includes('{provider}') ? [unknown, closed] : [closed];
}

/** A request that is in order but for whom it asks. */
function asked({ method, path }: IntegrationOperation, provider: string): Ask {
  const names = {
    '{provider}': provider,
    '{externalId}': 'p-1',
    '{externalInvoiceId}': 'i-1',
    '{id}': NO_ID,
  };
  const to = Object.entries(names).reduce((text, [name, value]) => text.replace(name, value), path);
  const body = BODIES[path.split('/').at(-1) ?? ''];
  return { method, path: to, ...(method === 'GET' || body === undefined ? {} : { body }) };
}

const BODIES: Readonly<Record<string, unknown>> = {
  activate: { credentials: CREDENTIALS },
  rotate: { credentials: CREDENTIALS },
  test: { credentials: CREDENTIALS },
  'sync-toggle': { enabled: true },
  'invoice-lookback': { invoiceLookbackDays: 30 },
  'product-mapping-policy': { requireProductMappings: true },
  'product-mappings': { mappings: [] },
};

/** What an integration refuses that no connector serves; its settings and mappings can be looked at all the same. */
function unservedRows(): readonly Row[] {
  const exempt = { sandbox: ONLY_HERE };
  const flat = { status: 404, flat: null, body: FlatWords };
  const policy = row(
    'policy-unserved',
    'a mapping policy of an integration without a connector is 404, and only words',
    ['PUT product-mapping-policy'],
    async (side) => {
      const path = integration('provider_a', 'product-mapping-policy');
      await ask(side, put(path, { productMappingMode: 'import_only' }), flat);
    },
  );
  const activate = row(
    'activate-unserved',
    'an integration without a connector is not activated: 400, and it says that none is configured',
    ['POST activate'],
    async (side) => {
      const error = {
        type: 'invalid_request_error',
        code: 'invalid_status',
        details: { configured: false },
      } as const;
      const asks = post(integration('provider_a', 'activate'), { credentials: CREDENTIALS });
      await ask(side, asks, { status: 400, error });
    },
  );
  return [policy, activate].map((one) => ({ ...one, exempt }));
}
