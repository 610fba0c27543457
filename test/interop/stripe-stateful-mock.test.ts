import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rest } from '../../drivers/providers/rest/manifest.ts';
import { EVERYTHING, type OpenConnector, openOverHttp, walk } from '../support/source-context.ts';
import { type ForeignServer, startStripe } from './rest-servers.ts';

const KEY = 'sk_test_0123456789';
const MANY = 120;

let server: ForeignServer;
let opened: OpenConnector;

async function create(list: string, fields: Record<string, string>): Promise<{ readonly id: string }> {
  const headers = { authorization: `Bearer ${KEY}` };
  const body = new URLSearchParams(fields);
  const reply = await fetch(`${server.url}/v1/${list}`, { method: 'POST', headers, body });
  if (!reply.ok) throw new Error(`${list}: ${reply.status} ${await reply.text()}`);
  return await reply.json();
}

beforeAll(async () => {
  server = await startStripe();
  const credentials = { apiKey: KEY, baseUrl: `${server.url}/v1` };
  opened = await openOverHttp(rest, { recipe: 'stripe' }, credentials);
});
afterAll(async () => {
  await opened.close();
  await server.close();
});

describe('the recipe stripe and stripe-stateful-mock', () => {
  // Of a customer the server keeps the address alone.
  it.each([
    ['customers', 'email'],
    ['products', 'name'],
  ])('every record comes once, by its cursor: %s', async (list, field) => {
    const values = Array.from({ length: MANY }, (_, at) => `${at + 1}@example.com`);
    const made: unknown[] = [];
    for (const value of values) made.push([(await create(list, { [field]: value })).id, value]);
    const { pages, records } = await walk(opened.connector, list);
    expect(pages.map(({ bad }) => bad)).toEqual([[], []]);
    expect(records.map(({ id, fields }) => [id, fields[field]]).sort()).toEqual(made.sort());
  });

  it('one is had by its id, and one that is not there is none', async () => {
    const signal = new AbortController().signal;
    const { id } = await create('customers', { email: 'anna@example.com' });
    expect(await opened.connector.get?.('customers', id, signal)).toMatchObject({
      id,
      deleted: false,
      fields: { email: 'anna@example.com' },
    });
    expect(await opened.connector.get?.('customers', 'cus_none', signal)).toBeNull();
  });

  it('a key that is none of its own is refused, with its words', async () => {
    const credentials = { apiKey: 'nonsense', baseUrl: `${server.url}/v1` };
    const { connector, close } = await openOverHttp(rest, { recipe: 'stripe' }, credentials);
    const refused = connector.list('customers', EVERYTHING, null, new AbortController().signal);
    await expect(refused).rejects.toMatchObject({
      code: 'SOURCE_UNAUTHORISED',
      message: expect.stringContaining('Invalid API Key'),
    });
    await close();
  });
});
