import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  recipeJsonSchema,
  recipeJsonSchemaFile,
  recipeReadmeFile,
  withVocabulary,
} from '../../../src/agent/recipe-documents.ts';
import { recipeMistakes } from '../../../src/agent/recipe-trials.ts';
import type { Json, JsonObject, SourceRecord } from '../../../src/integration/connector.ts';
import { mapCustomer } from '../../../src/integration/mapping/customer.ts';
import { mapInvoice } from '../../../src/integration/mapping/invoice.ts';
import { mapMembership } from '../../../src/integration/mapping/membership.ts';
import { mapProduct } from '../../../src/integration/mapping/product.ts';
import { VOCABULARY } from '../../../src/integration/mapping/vocabulary.ts';

const RULES = {
  requiresMappings: false,
  managedBy: 'local' as const,
  mappingOf: () => undefined,
};

/** A record of the examples, which notes the fields that a mapper reads. */
function noted(resource: string, read: Set<string>, without: readonly string[] = []): JsonObject {
  const fields = (VOCABULARY[resource] ?? []).filter(({ name }) => !without.includes(name));
  const values = Object.fromEntries(fields.map(({ name, example }): [string, Json] => [name, example]));
  return new Proxy(values, {
    get: (target, name) => {
      if (typeof name === 'string') read.add(name);
      return Reflect.get(target, name);
    },
  });
}

function record(fields: JsonObject): SourceRecord {
  return { id: '1', updatedAt: null, deleted: false, fields };
}

describe('the documents of recipes', () => {
  it('the JSON schema is that of the code', () => {
    expect(readFileSync(recipeJsonSchemaFile(), 'utf8')).toBe(recipeJsonSchema());
  });

  it('the table of fields is that of the code', () => {
    const readme = readFileSync(recipeReadmeFile(), 'utf8');
    expect(readme).toContain('| customers | `email` | text |');
    expect(withVocabulary(readme)).toBe(readme);
  });

  it('the recipe that they show has no mistake, and at most forty lines', async () => {
    const [text = ''] =
      /(?<=```json\n)\{\n {2}"recipe"[\s\S]*?(?=```)/.exec(readFileSync(recipeReadmeFile(), 'utf8')) ?? [];
    expect(await recipeMistakes(JSON.parse(text))).toEqual([]);
    expect(text.trim().split('\n').length).toBeLessThanOrEqual(40);
  });

  it.each([
    ['customers', mapCustomer, []],
    ['products', mapProduct, ['type']],
    ['memberships', mapMembership, []],
  ] as const)(
    'the table has every field of %s that is read, and its examples fit',
    (resource, map, without) => {
      const read = new Set<string>();
      const provider = resource === 'memberships' ? 'provider_d' : 'provider_a';
      const mappingOf = () =>
        ({ externalId: 'gold', internalId: 'b', isIgnored: false, metadata: '{}' }) as never;
      const mapped = map({ ...RULES, mappingOf, provider }, record(noted(resource, read, without)));
      expect(mapped).toMatchObject({ kind: 'write' });
      const names = (VOCABULARY[resource] ?? []).map(({ name }) => name);
      for (const name of read) expect(names).toContain(name);
      expect(names.filter((name) => !read.has(name) && !without.includes(name as never))).toEqual([]);
    },
  );

  it('the table has every field of an invoice and its lines that is read, and its examples fit', () => {
    const [read, readOfLine] = [new Set<string>(), new Set<string>()];
    const line = noted('invoices.lines[]', readOfLine);
    const fields = noted('invoices', read);
    const lines = new Proxy(fields, {
      get: (target, name) => (name === 'lines' ? [line] : Reflect.get(target, name)),
    });
    expect(mapInvoice({ ...RULES, provider: 'provider_a' }, record(lines))).toMatchObject({
      kind: 'write',
      body: { state: 'open', due_minor: 1000, invoice: { total_minor: 2935, line_items: [{ quantity: 1 }] } },
    });
    const names = (VOCABULARY['invoices'] ?? []).map(({ name }) => name);
    for (const name of read) expect(names).toContain(name);
    expect(names.filter((name) => !read.has(name))).toEqual(['lines']);
    expect([...readOfLine].sort()).toEqual(
      (VOCABULARY['invoices.lines[]'] ?? []).map(({ name }) => name).sort(),
    );
  });
});
