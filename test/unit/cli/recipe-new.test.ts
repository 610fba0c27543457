import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { aFolder } from '../../support/money-database.ts';
import { command } from './command-line.ts';

const SCHEMA = { type: 'array', items: { properties: { id: {}, name: {}, email: {} } } };
const DOCUMENT = {
  openapi: '3.0.3',
  info: { title: 'Desk' },
  servers: [{ url: 'https://desk.example/v1' }],
  paths: {
    '/customers': { get: { responses: { 200: { content: { 'application/json': { schema: SCHEMA } } } } } },
  },
};
const ANSWER = { data: [{ id: 1, name: 'Anna', email: 'anna@example.com' }] };

/** A server of documents by their path; another path has none. */
async function aServer(documents: Readonly<Record<string, string>>): Promise<string> {
  const server = createServer(({ url = '' }, answer) => {
    answer.writeHead(url in documents ? 200 : 404).end(documents[url]);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
}

const drafted = (...from: readonly string[]) =>
  command(['recipe', 'new', ...from.flatMap((one) => ['--from', one])]);

it.each(['a file', 'an address'])(
  'a draft is made from %s, and its recipe passes the check',
  async (from) => {
    const folder = aFolder();
    writeFileSync(join(folder, 'openapi.json'), JSON.stringify(DOCUMENT));
    const url = await aServer({ '/openapi.json': JSON.stringify(DOCUMENT) });
    const { exit, out, err } = await drafted(
      from === 'a file' ? join(folder, 'openapi.json') : `${url}/openapi.json`,
    );
    expect([exit, err]).toEqual([0, expect.stringMatching(/^next: .*`tillctl recipe check FILE`/m)]);
    expect(JSON.parse(out)).toMatchObject({ id: 'desk', resources: { customers: { path: '/customers' } } });
    writeFileSync(join(folder, 'desk.json'), out);
    expect(await command(['recipe', 'check', join(folder, 'desk.json')])).toMatchObject({ exit: 0 });
  },
);

it('a draft is made from a saved answer, too, and says what is open', async () => {
  const file = join(aFolder(), 'customers.json');
  writeFileSync(file, JSON.stringify(ANSWER));
  const { exit, out, err } = await drafted(file);
  expect([exit, err]).toEqual([0, expect.stringMatching(/^open: /)]);
  expect(JSON.parse(out)).toMatchObject({ resources: { customers: { fields: { name: 'name' } } } });
});

it('several answers make one draft, and of an OpenAPI document there is only one', async () => {
  const folder = aFolder();
  const files = ['customers.json', 'products.json'].map((name) => join(folder, name));
  for (const file of files) writeFileSync(file, JSON.stringify(ANSWER));
  const { exit, out, err } = await drafted(...files);
  expect(exit).toBe(0);
  expect(Object.keys(JSON.parse(out).resources)).toEqual(['customers', 'products']);
  expect(err.match(/"auth" is a guess/g)).toHaveLength(1);
  const document = join(folder, 'openapi.json');
  writeFileSync(document, JSON.stringify(DOCUMENT));
  expect(await drafted(document, files[0] ?? '')).toMatchObject({
    exit: 2,
    err: expect.stringMatching(/several --from are answers/),
  });
});

it('what is no document is refused in words', async () => {
  const url = await aServer({ '/yaml': 'openapi: 3.0.3', '/other': '{"swagger": "2.0"}' });
  for (const [from, words] of [
    [`${url}/nothing`, /nothing cannot be read: it answers 404/],
    ['http://127.0.0.1:1/openapi.json', /openapi\.json cannot be read: /],
    [`${url}/yaml`, /is no JSON; a document in YAML must be converted first/],
    [`${url}/other`, /is no OpenAPI 3 document/],
    ['/nonexistent/openapi.json', /openapi\.json/],
  ] as const)
    expect(await drafted(from)).toMatchObject({ exit: 2, out: '', err: expect.stringMatching(words) });
});
