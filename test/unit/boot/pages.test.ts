import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PACKED_PAGES, packedPages, pageFiles, pageTexts } from '../../../src/boot/pages.ts';

/** What a module asks for: `from 'x'`, `import 'x'`, `import('x')`. */
const SPECIFIER = /(?:\bfrom|^import|\bimport\()\s*['"]([^'"\n]+)['"]/gm;

describe('the files of the pages', () => {
  const files = pageFiles();
  const paths = files.map(({ path }) => path);
  const textOf = (path: string) => files.find((file) => file.path === path)?.text ?? '';

  it('are what browsers need and nothing else: no README, no settings of tools', () => {
    expect(paths).toContain('/');
    expect(paths).toContain('/console/app/main.js');
    expect(paths.filter((path) => !/^\/$|\.(js|css|svg)$/.test(path))).toEqual([]);
  });

  it('hold every file that another one asks for', () => {
    const map = JSON.parse(
      /<script type="importmap">([\s\S]*?)<\/script>/.exec(textOf('/'))?.[1] ?? '{}',
    ).imports;
    const missing = files
      .filter(({ path }) => path.endsWith('.js'))
      .flatMap(({ path, text }) =>
        [...text.matchAll(SPECIFIER)]
          .map(([, name = '']) => name)
          .filter((name) => /^[.@\w][\w@./-]*$/.test(name) && !name.endsWith('.ts'))
          .map((name) => map[name] ?? new URL(name, `http://x${path}`).pathname),
      )
      .filter((path) => !paths.includes(path));
    expect([...new Set(missing)]).toEqual([]);
    const linked = [...textOf('/').matchAll(/(?:href|src)="(\/[^"]+)"/g)].map(([, path = '']) => path);
    expect(linked.filter((path) => !paths.includes(path))).toEqual([]);
  });

  it('carry a policy without unsafe-*, in which the import map is known by its hash alone', () => {
    for (const { policy } of files) {
      expect(policy).toMatch(/script-src 'self' 'sha256-[\w+/]{43}='(;|$)/);
      expect(policy).not.toMatch(/unsafe|\*|https?:|data:/);
    }
  });

  it('are the same out of the one file of a package, which is read once and no more', () => {
    const folder = mkdtempSync(join(tmpdir(), 'tilld-pages-'));
    const packed = join(folder, PACKED_PAGES);
    writeFileSync(packed, packedPages(pageTexts()));
    const unpacked = pageFiles(packed);
    rmSync(folder, { recursive: true });
    expect(unpacked.map((file) => ({ ...file }))).toEqual(files.map((file) => ({ ...file })));
  });
});
