import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { command, documentOf } from './command-line.ts';

const TREE = fileURLToPath(new URL('../../../', import.meta.url));
const run = promisify(execFile);

describe('tillctl driver new', { timeout: 300_000 }, () => {
  const copy = mkdtempSync(join(tmpdir(), 'tillctl-driver-'));
  let made: {
    readonly files: readonly string[];
    readonly lists: readonly string[];
    readonly by_hand: unknown;
  };

  /** Runs a tool of the project in the copy; rejects with its words when it fails. */
  const inCopy = (program: string, ...words: readonly string[]) =>
    run(program, [...words], { cwd: copy, maxBuffer: 16 * 1024 * 1024 });
  const tool = (name: string) => join(TREE, 'node_modules/.bin', name);

  beforeAll(async () => {
    for (const part of [
      'src',
      'drivers',
      'test/conformance',
      'test/drivers/lesson',
      'test/support',
      'test/simulation',
    ])
      cpSync(join(TREE, part), join(copy, part), { recursive: true });
    for (const file of [
      'package.json',
      'tsconfig.json',
      'biome.json',
      '.dependency-cruiser.mjs',
      '.gitignore',
    ])
      cpSync(join(TREE, file), join(copy, file));
    mkdirSync(join(copy, 'config'));
    symlinkSync(join(TREE, 'node_modules'), join(copy, 'node_modules'));
    const { stdout } = await inCopy(
      process.execPath,
      'src/cli/tillctl.ts',
      'driver',
      'new',
      'acme',
      '--json',
    );
    const document: unknown = JSON.parse(stdout);
    made = (document as { data: typeof made }).data;
  }, 300_000);
  afterAll(() => rmSync(copy, { recursive: true, force: true }));

  it('writes every part of a driver, and enters it in every list', () => {
    expect(made.files).toEqual(
      expect.arrayContaining([
        'drivers/terminals/acme/manifest.ts',
        'drivers/terminals/acme/decode.ts',
        'drivers/terminals/acme/virtual.ts',
        'drivers/terminals/acme/README.md',
        'drivers/terminals/acme/acme.example.jsonc',
        'test/drivers/acme/acme.test.ts',
        'test/conformance/subjects/acme.ts',
        'test/conformance/acme.test.ts',
      ]),
    );
    expect(made.lists).toEqual([
      'drivers/index.ts',
      'drivers/virtual.ts',
      'test/conformance/subjects/list.ts',
    ]);
    expect(made.by_hand).toEqual([]);
    for (const file of [...made.files, ...made.lists])
      expect(readFileSync(join(copy, file), 'utf8')).not.toMatch(/lesson/i);
  });

  it('what it wrote type-checks', async () => {
    const only = {
      extends: './tsconfig.json',
      include: ['drivers', 'test/conformance/subjects', 'test/drivers/acme'],
    };
    writeFileSync(join(copy, 'tsconfig.acme.json'), JSON.stringify(only));
    await inCopy(tool('tsc'), '--noEmit', '-p', 'tsconfig.acme.json');
  });

  it('what it wrote passes the linter and keeps to the layers', async () => {
    const code = [...made.files, ...made.lists].filter((file) => file.endsWith('.ts'));
    await inCopy(tool('biome'), 'check', '--error-on-warnings', ...code);
    await inCopy(tool('depcruise'), '--config', '.dependency-cruiser.mjs', 'drivers');
  });

  it('keeps the first promises of every driver, untouched', async () => {
    const { stdout } = await inCopy(
      process.execPath,
      ...['test/conformance/conformance.ts', '--driver', 'acme', '--scenario', 'opening/'],
    );
    expect(stdout).toContain('acme over tcp');
  });

  it('decodes at once', async () => {
    const { stdout } = await inCopy(
      process.execPath,
      ...['src/cli/tillctl.ts', 'decode', '--protocol', 'acme', '02', '51', '03', '52'],
    );
    expect(JSON.parse(stdout)).toMatchObject({ protocol: 'acme', name: 'Who', checksum: { ok: true } });
  });

  it('does not write over a driver', async () => {
    const again = inCopy(process.execPath, 'src/cli/tillctl.ts', 'driver', 'new', 'acme');
    await expect(again).rejects.toMatchObject({ stderr: expect.stringContaining('acme already') });
  });
});

describe('tillctl driver new refuses', () => {
  it.each(['Acme', 'a', 'my-bank', '9lives', '../evil', 'a'.repeat(25)])(
    'the name "%s" with exit 2',
    async (name) => {
      const ran = await command(['driver', 'new', '--json', '--', name]);
      expect([ran.exit, documentOf(ran.out)]).toMatchObject([2, { error: { code: 'usage' } }]);
    },
  );

  it.each(['zvt', 'lesson'])('the name of the driver %s with exit 1', async (name) => {
    const ran = await command(['driver', 'new', name, '--json']);
    expect([ran.exit, documentOf(ran.out)]).toMatchObject([1, { error: { code: 'driver_exists' } }]);
  });
});
