import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pageFiles, pageTexts } from '../../../src/agent/pages.ts';
import type { PageFile } from '../../../src/api/ports.ts';

/** What a module asks for: `from 'x'`, `import 'x'`, `import('x')`. */
const SPECIFIER = /(?:\bfrom|^import|\bimport\()\s*['"]([^'"\n]+)['"]/gm;

describe('the files of the pages', () => {
  const files = pageFiles();
  const paths = files.map(({ path }) => path);
  const textOf = (path: string) => files.find((file) => file.path === path)?.text ?? '';

  it('are what browsers need and nothing else: no README, no settings of tools', () => {
    expect(paths).toContain('/');
    expect(paths).toContain('/console/app/main.js');
    expect(paths.filter((path) => !/^\/$|\.(js|css|svg|webmanifest)$/.test(path))).toEqual([]);
  });

  const { release = '' } = files[0] ?? {};

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
          .map(
            (name) =>
              map[name]?.replace(`/pages/${release}`, '') ?? new URL(name, `http://x${path}`).pathname,
          ),
      )
      .filter((path) => !paths.includes(path));
    expect([...new Set(missing)]).toEqual([]);
    const linked = [...textOf('/').matchAll(/(?:href|src)="(\/[^"]+)"/g)].map(([, path = '']) =>
      path.replace(`/pages/${release}`, ''),
    );
    expect(linked.filter((path) => !paths.includes(path))).toEqual([]);
  });

  it('have the address of their release in the page, but the manifest and the icon: every style, script and library', () => {
    const addresses = [...textOf('/').matchAll(/"(\/[^"]+)"/g)].map(([, address = '']) => address);
    expect(addresses.filter((address) => !address.startsWith(`/pages/${release}/console/`))).toEqual([
      '/console/app.webmanifest',
      '/console/icon.svg',
    ]);
    expect(addresses.length).toBeGreaterThan(10);
  });

  it('are of another release once any of them is changed', () => {
    const folder = mkdtempSync(join(tmpdir(), 'tilld-pages-'));
    for (const { file, text } of pageTexts()) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), text);
    }
    expect(pageFiles('de', folder)[0]?.release).toBe(release);
    writeFileSync(join(folder, 'sentences/tongue.js'), '// changed\n', { flag: 'a' });
    expect(pageFiles('de', folder)[0]?.release).not.toBe(release);
    rmSync(folder, { recursive: true });
  });

  it('carry a policy without unsafe-*, in which the import map is known by its hash alone', () => {
    for (const { policy } of files) {
      expect(policy).toMatch(/script-src 'self' 'sha256-[\w+/]{43}='(;|$)/);
      expect(policy).not.toMatch(/unsafe|\*|https?:|data:/);
    }
  });

  it('name the language of the shop where there is one', () => {
    expect(textOf('/')).toMatch(/<html lang="en">/);
    const [index] = pageFiles('fr').filter(({ path }) => path === '/');
    expect(index?.text).toContain('<html lang="fr" data-language="fr">');
    expect(index?.etag).not.toBe(files.find(({ path }) => path === '/')?.etag);
  });

  it('are the same in a package, where their libraries are below console/vendor', () => {
    const folder = mkdtempSync(join(tmpdir(), 'tilld-pages-'));
    for (const { file, text } of pageTexts()) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), text);
    }
    const packaged = pageFiles(undefined, folder);
    rmSync(folder, { recursive: true });
    const byPath = (one: PageFile, other: PageFile) => one.path.localeCompare(other.path);
    expect(packaged.toSorted(byPath)).toEqual(files.toSorted(byPath));
  });
});
