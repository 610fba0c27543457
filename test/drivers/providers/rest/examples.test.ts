import { describe, expect, it } from 'vitest';
import { RECIPES } from '../../../../drivers/providers/rest/settings.ts';
import { recipeMistakes } from '../../../../src/agent/recipe-trials.ts';
import { PEOPLE_RECIPE } from '../../../support/people-provider.ts';

function withExample(example: object): object {
  const { customers } = PEOPLE_RECIPE.resources;
  return { ...PEOPLE_RECIPE, resources: { customers: { ...customers, examples: [example] } } };
}

describe('the examples in a recipe', () => {
  it.each(Object.entries(RECIPES))('are fulfilled by the built-in recipe %s', async (_, recipe) => {
    expect(await recipeMistakes(recipe)).toEqual([]);
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
