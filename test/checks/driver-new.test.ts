import { realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { type MadeDriver, ProjectCopy } from '../support/project-copy.ts';

describe('what tillctl driver new writes', { timeout: 300_000 }, () => {
  const copy = new ProjectCopy();
  let made: MadeDriver;
  const tool = (name: string) => realpathSync(join(import.meta.dirname, 'node_modules/.bin', name));

  beforeAll(async () => {
    made = await copy.newDriver('acme');
  }, 300_000);
  afterAll(() => copy.remove());

  it('type-checks', async () => {
    const only = {
      extends: './tsconfig.json',
      include: ['drivers', 'test/conformance/subjects', 'test/drivers/acme'],
    };
    writeFileSync(join(copy.folder, 'tsconfig.acme.json'), JSON.stringify(only));
    await copy.node(tool('tsc'), '--noEmit', '-p', 'tsconfig.acme.json');
  });

  it('passes the linter and keeps to the layers', async () => {
    const code = [...made.files, ...made.lists].filter((file) => file.endsWith('.ts'));
    await copy.node(tool('biome'), 'check', '--error-on-warnings', ...code);
    await copy.node(tool('depcruise'), '--config', '.dependency-cruiser.mjs', 'drivers');
  });
});
