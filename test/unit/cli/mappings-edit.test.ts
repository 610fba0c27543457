import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ProductMapping, ReplaceMappings } from '../../../src/api/contract/integration.ts';
import { MappingSuggestion } from '../../../src/api/contract/sync.ts';
import { mappingsOf, sheetOf } from '../../../src/cli/mapping-sheet.ts';
import { command } from './command-line.ts';
import { FakeDaemon, list } from './fake-daemon.ts';

const A = '/v2/integrations/provider_a';
const HAIRCUT = '0198d000-0000-7000-8000-000000000001';
const SHAVE = '0198d000-0000-7000-8000-000000000002';

function mapping(externalId: string, more: Partial<ProductMapping> = {}): ProductMapping {
  const empty = { internalId: null, ignored: false, metadata: {}, product: null, priceOverride: null };
  return ProductMapping.parse({ externalId, ...empty, ...more } satisfies ProductMapping);
}

const KEPT = [
  mapping('p-1', {
    internalId: HAIRCUT,
    product: { id: HAIRCUT, name: 'Haircut' },
    metadata: { name: 'Cut', type: 'service' },
    priceOverride: 1450,
  }),
  mapping('p-2', { ignored: true }),
  mapping('p-3'),
];
const SUGGESTION = MappingSuggestion.parse({
  object: 'mapping_suggestion',
  externalId: 'p-3',
  name: 'Shaving',
  waiting: 4,
  suggestions: [{ internalId: SHAVE, name: 'Shave', by: 'name', likeness: 0.9 }],
} satisfies MappingSuggestion);

function products(...rows: readonly (readonly [id: string, name: string])[]) {
  const data = rows.map(([id, name]) => ({ id, object: 'product', name }));
  return {
    status: 200,
    body: { object: 'list', data, has_more: false, url: '/v2/products', fresh_at: null },
  };
}

describe('the table of mappings', () => {
  const none = () => Promise.reject(new Error('asked'));

  it.each([
    ['nothing special', 'p-1'],
    ['spaces inside', 'p 1 of 2'],
    ['two spaces, a tab and a line break', 'a  b\tc\nd'],
    ['a beginning that would be a comment', '# one'],
    ['quotes', '"quoted"'],
    ['an edge of spaces', ' edge '],
    ['a backslash', 'a\\u0020b'],
    ['what is no letter', '\u202Egnp.exe'],
    ['other scripts', 'Größe 洗髪'],
  ])('gives back each package as it was: %s', async (_, externalId) => {
    const all = [mapping(externalId, { internalId: HAIRCUT, product: { id: HAIRCUT, name: 'Cut  (x)' } })];
    const [read, ...more] = await mappingsOf(sheetOf('provider_a', all, []), all, none);
    expect(more).toEqual([]);
    expect(sheetOf('provider_a', all, [])).not.toMatch(/[^\P{C}\n\t]/u);
    expect(read).toEqual({
      externalId,
      internalId: HAIRCUT,
      ignored: false,
      metadata: {},
      priceOverride: null,
    });
  });

  it('keeps what it does not show', async () => {
    const read = await mappingsOf(sheetOf('provider_a', KEPT, [SUGGESTION]), KEPT, none);
    expect(read).toEqual(KEPT.map(({ product: _, ...one }) => one));
  });

  it.each([
    ['p-1', 'line 1: p-1 needs a product'],
    ['p-1\tignored\np-1\t-', 'line 2: p-1 stands there twice'],
    ['p-1\tignored\t14.50', 'line 1: the price 14.50'],
    ['p-1\tignored\t-5', 'line 1: the price -5'],
    ['"p-1\tignored', 'line 1: the package "p-1 cannot be read'],
  ])('refuses %j with the number of its line', async (text, words) => {
    await expect(mappingsOf(text, KEPT, none)).rejects.toMatchObject({
      code: 'USAGE',
      message: expect.stringContaining(words),
    });
  });
});

describe('tillctl mappings P edit', () => {
  let daemon: FakeDaemon;
  let folder: string;
  let kept: ProductMapping[];
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tillctl-edit-'));
    kept = [...KEPT];
    daemon = await new FakeDaemon()
      .on(`GET ${A}/product-mappings`, () => list(kept))
      .on(`GET ${A}/product-mappings/suggestions`, () => list([SUGGESTION]))
      .on(`GET ${A}/parked/causes`, () => list([]))
      .on('GET /v2/products', () =>
        products([HAIRCUT, 'Haircut'], [SHAVE, 'Shave'], [SHAVE, 'Twin'], [HAIRCUT, 'twin']),
      )
      .on(`PUT ${A}/product-mappings`, ({ body }) => ({
        status: 200,
        body: { success: true, count: ReplaceMappings.parse(body).mappings.length },
      }))
      .start();
  });
  afterEach(async () => {
    await daemon.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Edits with `sed`, as a person would with an editor, and answers the question. */
  const edited = (script: string, answer = 'y\n', more: readonly string[] = []) =>
    command(['--socket', daemon.socket, 'mappings', 'provider_a', 'edit', ...more], {
      canAsk: true,
      cwd: folder,
      env: { EDITOR: `sed -i -e '${script}'` },
      input: (async function* () {
        yield new TextEncoder().encode(answer);
      })(),
    });
  const stored = () => daemon.seen.filter(({ method }) => method === 'PUT').map(({ body }) => body);
  const fileOf = (err: string) => / edit (\/\S+)/.exec(err)?.[1] ?? 'none';

  it('stores what was changed, by name or by id, behind the difference and a question', async () => {
    const ran = await edited('s/^p-3\\( *\\t\\)-/p-3\\1shave/; s/1450/1500/');
    expect(ran).toMatchObject({ exit: 0, out: expect.stringContaining('provider_a has 3 mappings now.') });
    expect(ran.err).toContain('0 added, 2 changed, 0 removed, 1 unchanged');
    expect(stored()).toEqual([
      {
        mappings: [
          expect.objectContaining({ externalId: 'p-1', internalId: HAIRCUT, priceOverride: 1500 }),
          expect.objectContaining({ externalId: 'p-2', ignored: true }),
          expect.objectContaining({ externalId: 'p-3', internalId: SHAVE }),
        ],
      },
    ]);
  });

  it('changes nothing where nothing was changed, or the answer is no; then the table is kept, and is gone on with', async () => {
    expect(await edited('s/none/none/')).toMatchObject({ exit: 1, err: 'Nothing was changed.\n' });
    const no = await edited('s/1450/1500/', 'n\n');
    expect(no).toMatchObject({ exit: 1, err: expect.stringContaining('Your table is kept') });
    expect(stored()).toEqual([]);
    const file = fileOf(no.err);
    expect(await edited('s/none/none/', 'y\n', [file])).toMatchObject({ exit: 0 });
    expect(stored()).toHaveLength(1);
    expect(readFileSync(file, 'utf8')).toContain('1500');
  });

  it.each([
    ['s/^p-3\\( *\\t\\)-/p-3\\1beard/', 'there is no product "beard"'],
    ['s/^p-3\\( *\\t\\)-/p-3\\1twin/', '"twin" is the name of 2 products'],
    ['s/1450/14,50/', 'the price 14,50'],
  ])('stores nothing of a table with an error, and keeps it: %s', async (script, words) => {
    const ran = await edited(script);
    expect(ran.exit).toBe(2);
    expect(ran.err).toContain(words);
    expect(readFileSync(fileOf(ran.err), 'utf8')).toContain('p-1');
    expect(stored()).toEqual([]);
  });

  it('stores nothing over what another person has stored meanwhile', async () => {
    const file = join(folder, 'table.tsv');
    writeFileSync(file, sheetOf('provider_a', KEPT, []));
    daemon.on('GET /v2/products', () => {
      kept = [...KEPT, mapping('p-4')];
      return products([SHAVE, 'Shave']);
    });
    const ran = await edited('s/^p-3\\( *\\t\\)-/p-3\\1shave/', 'y\n', [file]);
    expect(ran).toMatchObject({ exit: 2, err: expect.stringContaining('changed meanwhile') });
    expect(stored()).toEqual([]);
  });

  it('needs a terminal, and an editor that works', async () => {
    const args = ['--socket', daemon.socket, 'mappings', 'provider_a', 'edit'];
    expect(await command(args, { canAsk: false })).toMatchObject({
      exit: 2,
      err: expect.stringContaining('diff and apply'),
    });
    const ran = await command(args, { canAsk: true, env: { EDITOR: 'false' } });
    expect(ran).toMatchObject({
      exit: 2,
      err: expect.stringContaining('the editor "false" ended with 1'),
    });
  });
});
