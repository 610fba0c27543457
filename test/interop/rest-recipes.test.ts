import { afterEach, describe, expect, it } from 'vitest';
import { rest } from '../../drivers/providers/rest/manifest.ts';
import type { Connector } from '../../src/integration/connector.ts';
import { idsOf, openOverHttp, walk } from '../support/source-context.ts';
import {
  FEATHERS_PAGE,
  type ForeignServer,
  type StartServer,
  type StoredInvoice,
  startFeathersServer,
  startJsonServer,
} from './rest-servers.ts';

const FIRST_MS = Date.parse('2026-03-01T10:00:00.000Z');
const INVOICES: readonly StoredInvoice[] = Array.from({ length: 117 }, (_, index) => ({
  id: index + 1,
  number: `R-${index + 1}`,
  total: `${index}.50`,
  // Nine of them at a time change in the same millisecond.
  changed: new Date(FIRST_MS + Math.floor(index / 9) * 60_000).toISOString(),
}));

const resource = (page: object, query: object, from: object, items = '') => ({
  path: '/invoices',
  items,
  query,
  page,
  changes: { from: { format: 'iso_ms', ...from } },
  id: 'id',
  updatedAt: { value: 'changed', format: 'iso' },
  fields: { total_minor: '$round($number(total) * 100)' },
  get: { path: '/invoices/{id}' },
});

const recipe = (id: string, resources: object) => ({
  recipe: {
    recipe: 1,
    id,
    title: id,
    documentation: 'https://www.npmjs.com/package/json-server',
    auth: { type: 'none' },
    resources,
  },
});

const sorted = { _sort: 'changed,id', _order: 'asc,asc' };
const JSON_SERVER = recipe('json_server', {
  by_link: resource(
    { style: 'link', size: 20, sizeParameter: '_limit' },
    { ...sorted, _page: '1' },
    { parameter: 'changed_gte' },
  ),
  by_offset: resource({ style: 'offset', offset: '_start', size: 20, sizeParameter: '_limit' }, sorted, {
    parameter: 'changed_gte',
  }),
});
const FEATHERS = recipe('feathers', {
  invoices: resource(
    { style: 'offset', offset: '$skip', size: 100, sizeParameter: '$limit', total: 'total' },
    { '$sort[changed]': '1', '$sort[id]': '1' },
    { parameter: 'changed[$gte]' },
    'data',
  ),
});

const SERVERS: readonly [
  name: string,
  servers: StartServer,
  settings: object,
  resources: readonly string[],
  page: number,
][] = [
  ['json-server', startJsonServer, JSON_SERVER, ['by_link', 'by_offset'], 20],
  ['Feathers', startFeathersServer, FEATHERS, ['invoices'], FEATHERS_PAGE],
];

const running: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of running.splice(0)) await one.close();
});

describe.each(SERVERS)('a recipe and %s', (name, start, settings, resources, page) => {
  async function open(): Promise<{ readonly server: ForeignServer; readonly connector: Connector }> {
    const server = await start(INVOICES);
    const opened = await openOverHttp(rest, settings, { baseUrl: server.url });
    running.push(opened, server);
    return { server, connector: opened.connector };
  }

  it.each(resources)(`every record comes, in pages: %s of ${name}`, async (of) => {
    const { connector } = await open();
    const { records, pages } = await walk(connector, of);
    expect(pages.flatMap(({ bad }) => bad)).toEqual([]);
    expect(pages.length).toBeGreaterThanOrEqual(Math.ceil(INVOICES.length / page));
    expect(records.map(({ id, updatedAt, fields }) => [id, updatedAt, fields['total_minor']])).toEqual(
      INVOICES.map((one) => [String(one.id), Date.parse(one.changed), Math.round(Number(one.total) * 100)]),
    );
    expect(await connector.test(new AbortController().signal)).toEqual({ valid: true, error: '' });
  });

  it.each(resources)(
    `what changed since is asked for by the source's own filter: %s of ${name}`,
    async (of) => {
      const { connector, server } = await open();
      const now = FIRST_MS + 86_400_000;
      const changed = new Date(now).toISOString();
      await output(`${server.url}/invoices/7`, 'PATCH', { changed, total: '99.00' });
      await output(`${server.url}/invoices`, 'POST', { id: 500, number: 'R-500', total: '1.00', changed });
      const { records } = await walk(connector, of, { from: now, to: now + 60_000 });
      expect(idsOf(records)).toEqual(['7', '500']);
      expect(records[0]?.fields['total_minor']).toBe(9_900);
    },
  );

  it(`one is had by its id, and one that is not there is none: ${name}`, async () => {
    const { connector } = await open();
    const signal = new AbortController().signal;
    for (const of of resources) {
      expect(await connector.get?.(of, '42', signal)).toMatchObject({
        id: '42',
        fields: { number: 'R-42' },
      });
      expect(await connector.get?.(of, '4242', signal)).toBeNull();
    }
  });
});

async function output(url: string, method: string, body: object): Promise<void> {
  const reply = await fetch(url, {
    method,
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify(body),
  });
  if (!reply.ok) throw new Error(`${method} ${url}: ${reply.status}`);
}
