import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
/** `test/crash/compare/peers` installs what it measures in a way of its own. */
const LOCKS = globSync('**/package-lock.json', {
  cwd: ROOT,
  exclude: ['**/node_modules/**', 'test/crash/**'],
});

interface Locked {
  readonly engines?: unknown;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const packagesOf = (file: string): Readonly<Record<string, Locked>> =>
  JSON.parse(readFileSync(join(ROOT, file), 'utf8')).packages;

describe.each(LOCKS)('%s', (file) => {
  const packages = packagesOf(file);

  it('asks nothing of the Node of the host: npm would warn of it, or leave a package out without a word', () => {
    const asking = Object.keys(packages).filter(
      (path) => path !== '' && packages[path]?.engines !== undefined,
    );
    expect(asking).toEqual([]);
  });

  it('names the optional packages of every platform: npm ci refuses it otherwise', () => {
    const names = Object.values(packages).flatMap((entry) => Object.keys(entry.optionalDependencies ?? {}));
    expect(
      names.filter((name) => !Object.keys(packages).some((path) => path.endsWith(`node_modules/${name}`))),
    ).toEqual([]);
  });
});
