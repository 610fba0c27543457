import { describe, expect, it, onTestFinished } from 'vitest';
import { rest } from '../../drivers/providers/rest/manifest.ts';
import { openOverHttp } from '../support/source-context.ts';
import { answer, type Seen, startPeer } from '../unit/net/peer.ts';
import { foreignPackage } from './foreign-package.ts';

// A client that others wrote and our recipe ask the same of one address: their requests must be the same.

const CHANGED = { from: Date.UTC(2026, 2, 1, 10), to: Date.UTC(2026, 2, 2) };

interface Frappe {
  db(): { getDocList(doctype: string, asked: object): Promise<unknown> };
}
interface Odoo {
  connect(): Promise<unknown>;
  call_kw(model: string, method: string, args: unknown, options: unknown): Promise<unknown>;
}

async function listening(reply: object) {
  const peer = await startPeer((response) => answer(response, 200, JSON.stringify(reply)));
  onTestFinished(peer.close);
  return peer;
}

/** What the recipe sends for a list of what changed. */
async function asked(settings: object, apiKey: string, resource: string, reply: object): Promise<Seen> {
  const { url, seen } = await listening(reply);
  const { connector, close } = await openOverHttp(rest, settings, { apiKey, baseUrl: url });
  onTestFinished(close);
  await connector.list(resource, CHANGED, null, new AbortController().signal);
  const [one] = seen;
  if (!one) throw new Error(`${resource} was not asked for`);
  return one;
}

describe('the recipe erpnext and the SDK of Frappe', () => {
  it.each([
    ['customers', 'Customer'],
    ['products', 'Item'],
    ['invoices', 'Sales Invoice'],
  ])('ask for the same: %s', async (resource, doctype) => {
    const key = 'api-key-1:api-secret-1';
    const ours = await asked({ recipe: 'erpnext', timeZone: 'UTC' }, key, resource, { data: [] });
    const { pathname, searchParams } = new URL(ours.url, 'http://x');
    const { url, seen } = await listening({ data: [] });
    const { FrappeApp } = foreignPackage('frappe-js-sdk') as {
      FrappeApp: new (url: string, token: object) => Frappe;
    };
    const app = new FrappeApp(url, { useToken: true, token: () => key, type: 'token' });
    const [field = '', order] = (searchParams.get('order_by') ?? '').split(/ (?=\w+$)/);
    await app.db().getDocList(doctype, {
      fields: JSON.parse(searchParams.get('fields') ?? ''),
      filters: JSON.parse(searchParams.get('filters') ?? ''),
      orderBy: { field, order },
      limit_start: Number(searchParams.get('limit_start')),
      limit: Number(searchParams.get('limit_page_length')),
    });
    const theirs = new URL(seen[0]?.url ?? '', 'http://x');
    expect(pathname).toBe(theirs.pathname);
    expect(ours.headers.authorization).toBe(seen[0]?.headers.authorization);
    // The SDK has the newer of the two names of a page's size, and says that records are objects, as they are anyway.
    const { limit, as_dict: _, ...others } = Object.fromEntries(theirs.searchParams);
    const spaceless = (given: Record<string, string | undefined>) =>
      Object.entries(given)
        .map(([name, value]) => [name, name === 'fields' ? value?.replaceAll('", "', '","') : value])
        .sort();
    expect(spaceless(Object.fromEntries(searchParams))).toEqual(
      spaceless({ ...others, limit_page_length: limit }),
    );
  });
});

describe('the recipe odoo and a client of Odoo', () => {
  it.each(['customers', 'products', 'invoices'])('ask for the same: %s', async (resource) => {
    const key = 'odoo-key-0123456789';
    const values = { database: 'shop', user_id: '2' };
    const reply = { jsonrpc: '2.0', id: 1, result: [] };
    const ours = await asked({ recipe: 'odoo', values }, key, resource, reply);
    const { params, ...envelope } = JSON.parse(ours.body);
    const peer = await listening({ jsonrpc: '2.0', id: 1, result: 2 });
    const { default: OdooClient } = foreignPackage('@fernandoslim/odoo-jsonrpc') as {
      default: new (connection: object) => Odoo;
    };
    const { protocol, hostname, port } = new URL(peer.url);
    const place = { baseUrl: `${protocol}//${hostname}`, port: Number(port) };
    const client = new OdooClient({ ...place, db: 'shop', username: 'anna', apiKey: key });
    await client.connect();
    const [, , , model, method, args, options] = params.args;
    await client.call_kw(model, method, args, options);
    const theirs = peer.seen[1];
    expect(ours.url).toBe(theirs?.url);
    expect({ ...envelope, params, id: 1 }).toEqual({ ...JSON.parse(theirs?.body ?? ''), id: 1 });
  });
});
