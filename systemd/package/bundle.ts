import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Plugin, rolldown } from 'rolldown';
import { pageFiles } from '../../src/boot/pages.ts';

/** The source tree, with a slash at its end. */
export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** These bring binaries that are found beside their own files, so they are shipped as they are. */
export const EXTERNAL = ['better-sqlite3', '@serialport/bindings-cpp', '@lydell/node-pty'] as const;

const ENTRIES = { tilld: 'src/main.ts', tillctl: 'src/cli/tillctl.ts' };

/**
 * Compiles the daemon and the command line into ES modules that run without the sources: one file per entry, and one for each part
 * that is loaded when it is first needed.
 * @param folder a folder named `src`, beside which lie `package.json` and `config/` as in the source tree
 * @param extra what a test plants in the sources
 */
export async function bundle(folder: string, extra: readonly Plugin[] = []): Promise<void> {
  const build = await rolldown({
    cwd: ROOT,
    input: ENTRIES,
    platform: 'node',
    external: [...EXTERNAL],
    // Its main file is one that no bundler can follow.
    resolve: { alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' } },
    plugins: [...extra, ownPlace()],
    logLevel: 'warn',
  });
  await build.write({
    dir: folder,
    format: 'esm',
    // All in one folder: see `ownPlace`.
    chunkFileNames: '[name]-[hash].js',
    comments: { legal: false },
  });
  await build.close();
  putPages(join(folder, 'console'));
}

/** The files of the pages, with the libraries that they ask for: browsers read them as they are. */
function putPages(folder: string): void {
  for (const { path, text } of pageFiles()) {
    const file = join(folder, path === '/' ? 'index.html' : path.replace('/console/', ''));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

/**
 * A module of ours finds files by its own place (`new URL('../package.json', import.meta.url)`); in the bundle it goes on to see the
 * place that it had in the sources, whatever file it came to lie in.
 */
function ownPlace(): Plugin {
  return {
    name: 'own-place',
    transform(code, id) {
      const path = relative(ROOT, id);
      if (!path.startsWith('src/')) return null;
      const place = `./${path.slice(path.indexOf('/') + 1)}`;
      // Who calls them names the Node that runs them.
      const script = code.replace(/^#!.*\n/, '');
      return script.replaceAll('import.meta.url', `new URL(${JSON.stringify(place)}, import.meta.url).href`);
    },
  };
}
