import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));

/** Audits the lock file of the house with one entry changed. */
function auditWith(change: Readonly<Record<string, unknown>>) {
  const folder = mkdtempSync(join(tmpdir(), 'tilld-lock-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const changed = { ...packages['node_modules/zod'], ...change };
  const lock = { packages: { ...packages, 'node_modules/zod': changed } };
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock));
  return spawnSync(process.execPath, ['.ci/lock-audit.mjs', folder], { encoding: 'utf8' });
}

it('the lock files of the house are in order', () => {
  expect(spawnSync(process.execPath, ['.ci/lock-audit.mjs'], { encoding: 'utf8' })).toMatchObject({
    status: 0,
  });
});

it.each([
  ['no hash', { integrity: undefined }, 'has no sha512 hash'],
  ['a weak hash', { integrity: 'sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=' }, 'has no sha512 hash'],
  [
    'another source',
    { resolved: 'https://registry.example/zod.tgz' },
    'comes from https://registry.example/',
  ],
  [
    'a source that looks like the registry',
    { resolved: 'https://registry.npmjs.org.example/zod.tgz' },
    'comes from',
  ],
  ['a repository', { resolved: 'git+ssh://git@host.example/zod.git#1' }, 'comes from git+ssh'],
  ['an install script', { hasInstallScript: true }, 'runs a script when it is installed'],
])('a package with %s is found', (_name, change, words) => {
  const { status, stderr } = auditWith(change);
  expect([status, stderr]).toEqual([1, expect.stringContaining(`node_modules/zod ${words}`)]);
});
