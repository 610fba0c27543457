import { expect, it } from 'vitest';
import { recipeTrialText } from '../../../../src/cli/show/recipe-trial.ts';

const shown = (request: string | null) =>
  recipeTrialText({
    object: 'recipe_trial',
    provider: 'provider_a',
    resource: 'invoices',
    request: 'GET /orders',
    received: 1,
    has_more: false,
    records: [
      {
        raw: {},
        mapped: { id: 'o', updated_at: null, deleted: false, fields: { status: 'pending' } },
        problem: null,
        op: 'write',
        request,
        written: { status: 'pending' },
        warnings: [],
      },
    ],
    warnings: [],
  });

it('a trial of records that stay here says that the rules of the service were not asked', () => {
  expect(shown(null)).toMatch(/stay on this machine.*whether the service would take them is not checked/);
  expect(shown('POST /v2/invoices')).not.toMatch(/stay on this machine/);
});
