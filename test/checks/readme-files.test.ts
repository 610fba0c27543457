import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, it } from 'vitest';

const TREE = join(import.meta.dirname, '../..');
/** Folders whose README has a line for every file; of the others it shows the parts. */
const WHOLE =
  'agent bin certificates config driver-packages fleet integration net outbox payment runtime service store terminal transport webhooks';

it.each(WHOLE.split(' '))(
  'every file of src/%s stands in its README, or in that of its own folder',
  (folder) => {
    const files = execFileSync('git', ['ls-files', `src/${folder}`], { cwd: TREE, encoding: 'utf8' }).split(
      '\n',
    );
    const unnamed = unnamedOf(
      files.filter((file) => /\.(ts|js)$/.test(file)),
      readmeOf,
    );
    expect(unnamed).toEqual([]);
  },
);

it('a file that no README names is found', () => {
  const readme = (folder: string) => (folder === 'src/store' ? '| `a.ts` | one |' : '');
  expect(unnamedOf(['src/store/a.ts', 'src/store/b/a.ts', 'src/store/b/c.ts'], readme)).toEqual([
    'src/store/b/c.ts',
  ]);
});

function unnamedOf(files: readonly string[], textOf: (folder: string) => string): readonly string[] {
  const isNamed = (name: string, folder: string): boolean =>
    folder !== 'src' &&
    ([`\`${name}\``, `/${name}\``].some((one) => textOf(folder).includes(one)) ||
      isNamed(name, dirname(folder)));
  return files.filter((file) => !isNamed(basename(file), dirname(file)));
}

function readmeOf(folder: string): string {
  const path = join(TREE, folder, 'README.md');
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}
