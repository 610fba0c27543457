import { describe, expect, it, onTestFinished } from 'vitest';
import { rest } from '../../../drivers/providers/rest/manifest.ts';
import type { Recipe } from '../../../drivers/providers/rest/recipe.ts';
import { recipeSchema } from '../../../drivers/providers/rest/recipe-rules.ts';
import { RECIPES } from '../../../drivers/providers/rest/settings.ts';
import { EVERYTHING, openOverHttp } from '../../support/source-context.ts';
import { answer, startPeer } from '../../unit/net/peer.ts';
import { CATALOGUE } from './catalogue.ts';
import type { Documented } from './documented.ts';

const signal = new AbortController().signal;
const FACTS = { hasMore: false, total: 2, nextAddress: null, lastId: null };

type Handler = Parameters<typeof startPeer>[0];

async function staged(one: Documented, handler: Handler) {
  const peer = await startPeer(handler);
  onTestFinished(peer.close);
  const credentials = { apiKey: one.apiKey, baseUrl: peer.url + one.prefix };
  const opened = await openOverHttp(rest, one.settings, credentials);
  onTestFinished(opened.close);
  return { connector: opened.connector, seen: peer.seen };
}

const recipeOf = (name: string): Recipe => recipeSchema.parse(RECIPES[name]);
const lists = CATALOGUE.flatMap((one) =>
  Object.entries(one.lists).map(([resource, list]) => ({ ...one, one, resource, list })),
);

describe.each(lists)('$recipe, $resource', ({ one, recipe, resource, list }) => {
  it('reads the records of its examples in the envelope that its documentation shows, at its address, with its credential', async () => {
    const { examples } = recipeOf(recipe).resources[resource] ?? { examples: [] };
    expect(examples.length).toBeGreaterThan(0);
    const records = examples.map((example) => example.in);
    const { connector, seen } = await staged(one, (response, { url }) => {
      const { pathname } = new URL(url, 'http://x');
      const { body } = one.page(records, FACTS, list.key);
      const isThere = pathname === one.prefix + list.path;
      answer(response, isThere ? 200 : 404, JSON.stringify(isThere ? body : {}));
    });
    const page = await connector.list(resource, EVERYTHING, null, signal);
    expect(page.bad).toEqual([]);
    expect(page.records).toHaveLength(records.length);
    for (const [at, { out }] of examples.entries()) {
      const { id, deleted, fields } = page.records[at] ?? {};
      const { updatedAt: _, ...wanted } = out;
      expect({ ...fields, id, deleted }).toMatchObject(wanted);
    }
    const [first] = seen;
    const headers = Object.entries(first?.headers ?? {}).map(([name, value]) => `${name}: ${value}`);
    const sent = [...headers, first?.url, first?.body].join('\n');
    for (const part of one.carries) expect(sent).toContain(part);
  });
});

describe.each(CATALOGUE)('$recipe', (one) => {
  it.each(one.refusals)('a %i of %j is %s, with its words', async (status, body, code, words) => {
    const { connector } = await staged(one, (response) => {
      answer(response, status, JSON.stringify(body), { 'retry-after': '7' });
    });
    const error = await connector.list(one.main, EVERYTHING, null, signal).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code, message: expect.stringContaining(words) });
    if (code === 'SOURCE_RATE_LIMITED') expect(error).toMatchObject({ context: { retryAfterMs: 7_000 } });
    expect(String(error)).not.toContain(one.apiKey);
  });
});

describe('the catalogue', () => {
  it('has a source for every recipe that is not proven otherwise', () => {
    const named = CATALOGUE.map(({ recipe }) => recipe);
    expect([...named, 'cliniko', 'directus', 'woocommerce'].sort()).toEqual(Object.keys(RECIPES).sort());
  });

  it('names the value that a recipe needs', async () => {
    const [xero] = CATALOGUE.filter(({ recipe }) => recipe === 'xero');
    const { values: _, ...settings } = { values: undefined, ...xero?.settings };
    await expect(openOverHttp(rest, settings, { baseUrl: 'https://x.example' })).rejects.toThrow(
      'the recipe needs "settings.values.tenant_id"',
    );
  });
});
