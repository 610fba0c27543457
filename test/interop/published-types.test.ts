import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import type { Recipe } from '../../drivers/providers/rest/recipe.ts';
import { recipeSchema } from '../../drivers/providers/rest/recipe-rules.ts';
import { RECIPES } from '../../drivers/providers/rest/settings.ts';
import { aFolder } from '../support/money-database.ts';
import { foreignFolder } from './foreign-package.ts';
import { published } from './published.ts';
import { AS_SENT, TYPES_OF_OTHERS, type TypesOfOthers } from './published-types.ts';

// A compiler on a busy machine.
vi.setConfig({ testTimeout: 240_000 });

const COMPILER = join(foreignFolder('typescript'), 'bin', 'tsc');
const OPTIONS = {
  compilerOptions: {
    target: 'es2024',
    module: 'esnext',
    moduleResolution: 'bundler',
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
  },
  include: ['*.ts'],
};

/** What the compiler says of a recipe's records; nothing where they are what the types say. */
function compiled(types: TypesOfOthers, program: string): Promise<string> {
  const folder = aFolder();
  const imports = types.imports.replaceAll('PACKAGE', published(types.published));
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(OPTIONS));
  writeFileSync(join(folder, 'as-sent.ts'), AS_SENT);
  writeFileSync(
    join(folder, 'records.ts'),
    [imports, "import type { Sent, Capital } from './as-sent.ts';", program].join('\n'),
  );
  return new Promise((resolve) => {
    execFile(process.execPath, [COMPILER, '-p', folder], (_, stdout, stderr) =>
      resolve(`${stdout}${stderr}`),
    );
  });
}

const recipeOf = (name: string): Recipe => recipeSchema.parse(RECIPES[name]);
const examplesOf = ({ recipe, records }: TypesOfOthers) =>
  Object.entries(records).flatMap(([resource, type]) =>
    (recipeOf(recipe).resources[resource]?.examples ?? []).map((example) => [type, example.in] as const),
  );

const statement = (type: string, record: unknown) => `(${JSON.stringify(record)}) satisfies ${type};`;

/** The record with each of its fields misspelt in turn, however deep it lies. */
function misspelt(value: unknown): readonly unknown[] {
  if (Array.isArray(value))
    return value.flatMap((one, at) => misspelt(one).map((wrong) => value.with(at, wrong)));
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const { [name]: _, ...rest } = value as Record<string, unknown>;
    return [
      { ...rest, [`${name}_`]: inner },
      ...misspelt(inner).map((wrong) => ({ ...rest, [name]: wrong })),
    ];
  });
}

describe.each(TYPES_OF_OTHERS)('the recipe $recipe and the types of $published.name', (types) => {
  it('reads records of these types, and any field spelt otherwise is refused', async () => {
    const examples = examplesOf(types);
    expect(new Set(examples.map(([type]) => type)).size).toBe(Object.keys(types.records).length);
    const right = examples.map(([type, record]) => statement(type, record));
    const wrong = examples.flatMap(([type, record]) =>
      misspelt(record).map((one) => `// @ts-expect-error\n${statement(type, one)}`),
    );
    expect(wrong.length).toBeGreaterThan(20);
    expect(await compiled(types, [...right, ...wrong].join('\n'))).toBe('');
  });
});

it('the types of stripe are those of the version that the recipe asks for', async () => {
  const [types] = TYPES_OF_OTHERS.filter(({ recipe }) => recipe === 'stripe');
  if (!types) throw new Error('no types of stripe');
  const asked = recipeOf('stripe').headers['Stripe-Version'];
  expect(await compiled(types, `(${JSON.stringify(asked)}) satisfies Stripe.LatestApiVersion;`)).toBe('');
  expect(await compiled(types, "'2020-08-27' satisfies Stripe.LatestApiVersion;")).toContain(
    'does not satisfy',
  );
});
