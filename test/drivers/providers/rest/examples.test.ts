import jsonata from 'jsonata';
import { describe, expect, it } from 'vitest';
import { recipeSchema } from '../../../../drivers/providers/rest/recipe-rules.ts';
import { RECIPES } from '../../../../drivers/providers/rest/settings.ts';
import { recipeMistakes } from '../../../../src/agent/recipe-trials.ts';
import { PEOPLE_RECIPE } from '../../../support/people-provider.ts';

function withExample(example: object): object {
  const { customers } = PEOPLE_RECIPE.resources;
  return { ...PEOPLE_RECIPE, resources: { customers: { ...customers, examples: [example] } } };
}

/** The names of fields in an expression, wherever they stand. */
function namesIn(part: unknown): readonly string[] {
  if (part === null || typeof part !== 'object') return [];
  const inner = Object.values(part).flatMap(namesIn);
  return 'type' in part && part.type === 'name' && 'value' in part ? [String(part.value), ...inner] : inner;
}

const keysIn = (value: unknown): readonly string[] =>
  value === null || typeof value !== 'object'
    ? []
    : Object.entries(value).flatMap(([key, inner]) => [key, ...keysIn(inner)]);

describe('the examples in a recipe', () => {
  it.each(Object.entries(RECIPES))('are fulfilled by the built-in recipe %s', async (_, recipe) => {
    expect(await recipeMistakes(recipe)).toEqual([]);
  });

  it.each(Object.entries(RECIPES))('hold every field that the built-in recipe %s reads', (_, given) => {
    const { resources, values } = recipeSchema.parse(given);
    const missing = Object.entries(resources).flatMap(
      ([resource, { id, updatedAt, deleted, fields, examples }]) => {
        const known = new Set([...Object.keys(values), ...keysIn(examples.map((example) => example.in))]);
        const expressions = [id, updatedAt?.value ?? 'null', deleted ?? 'null', ...Object.values(fields)];
        const names = expressions.flatMap((expression) => namesIn(jsonata(expression).ast()));
        return names.filter((name) => !known.has(name)).map((name) => `${resource}: ${name}`);
      },
    );
    expect(missing).toEqual([]);
  });

  it('name the field that is another one, with its place', async () => {
    const right = {
      in: { id: 7, name: 'Anna' },
      out: { id: '7', name: 'Anna', deleted: false, updatedAt: null },
    };
    expect(await recipeMistakes(withExample(right))).toEqual([]);
    expect(await recipeMistakes(withExample({ ...right, out: { name: 'Bo', id: '7' } }))).toEqual([
      {
        path: ['resources', 'customers', 'examples', 0, 'out', 'name'],
        message: 'is "Bo", and the recipe gives "Anna"',
      },
    ]);
  });

  it('name a record that cannot be read', async () => {
    expect(await recipeMistakes(withExample({ in: { name: 'Anna' }, out: {} }))).toEqual([
      {
        path: ['resources', 'customers', 'examples', 0, 'in'],
        message: expect.stringMatching(/^cannot be read: /),
      },
    ]);
  });
});
