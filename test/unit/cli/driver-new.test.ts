import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type MadeDriver, ProjectCopy } from '../../support/project-copy.ts';
import { command, documentOf } from './command-line.ts';

describe('tillctl driver new', { timeout: 300_000 }, () => {
  const copy = new ProjectCopy();
  let made: MadeDriver;

  beforeAll(async () => {
    made = await copy.newDriver('acme');
  }, 300_000);
  afterAll(() => copy.remove());

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
      expect(readFileSync(join(copy.folder, file), 'utf8')).not.toMatch(/sample/i);
  });

  it('keeps the first promises of every driver, untouched', async () => {
    const { stdout } = await copy.node(
      ...['test/conformance/conformance.ts', '--driver', 'acme', '--scenario', 'opening/'],
    );
    expect(stdout).toContain('acme over tcp');
  });

  it('decodes at once', async () => {
    const { stdout } = await copy.node(
      ...['src/cli/tillctl.ts', 'decode', '--protocol', 'acme', '02', '51', '03', '52'],
    );
    expect(JSON.parse(stdout)).toMatchObject({ protocol: 'acme', name: 'Who', checksum: { ok: true } });
  });

  it('does not write over a driver', async () => {
    const again = copy.node('src/cli/tillctl.ts', 'driver', 'new', 'acme');
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

  it('a kind of protocol that there is not, with exit 2', async () => {
    const ran = await command(['driver', 'new', 'acme', '--kind', 'bluetooth', '--json']);
    expect([ran.exit, documentOf(ran.out)]).toMatchObject([2, { error: { code: 'usage' } }]);
  });

  it.each(['zvt', 'sample'])('the name of the driver %s with exit 1', async (name) => {
    const ran = await command(['driver', 'new', name, '--json']);
    expect([ran.exit, documentOf(ran.out)]).toMatchObject([1, { error: { code: 'driver_exists' } }]);
  });
});
