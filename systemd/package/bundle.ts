import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Plugin, rolldown } from 'rolldown';
import { pageTexts } from '../../src/agent/pages.ts';

/** The source tree, with a slash at its end. */
export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Packages with binaries, which they look for beside their own files; the .deb contains them as they are. */
export const SHIPPED = ['better-sqlite3', '@serialport/bindings-cpp', 'node-hid'] as const;
/** Not shipped: virtual terminals on a pty are for development, and use socat where it is installed. */
const ABSENT = ['@lydell/node-pty'] as const;

const ENTRIES = {
  tilld: 'src/main.ts',
  tillctl: 'src/cli/tillctl.ts',
  'driver-child': 'src/driver-packages/child/main.ts',
};

/**
 * Bundles the daemon and the command line into ES modules that run without the sources: one file per entry, and one for each part that is
 * imported when it is first needed (drivers, verbs, undici), each with its source map; and copies the files of the pages.
 * @param folder a folder named `src`, beside which lie `package.json` and `config/` as in the source tree
 * @param extra what a test plants in the sources
 */
export async function bundle(folder: string, extra: readonly Plugin[] = []): Promise<void> {
  await bundleEntries(folder, ENTRIES, extra);
  for (const { file, text } of pageTexts()) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
}

/** Bundles programs: `entries` are their names and sources. */
export async function bundleEntries(
  folder: string,
  entries: Readonly<Record<string, string>>,
  extra: readonly Plugin[] = [],
): Promise<void> {
  const build = await rolldown({
    cwd: ROOT,
    input: { ...entries },
    platform: 'node',
    external: [...SHIPPED, ...ABSENT],
    // Its main file is UMD, which no bundler can follow.
    resolve: { alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' } },
    plugins: [...extra, sourceLocation()],
    logLevel: 'warn',
  });
  await build.write({
    dir: folder,
    format: 'esm',
    // All in one folder: see `sourceLocation`.
    chunkFileNames: '[name]-[hash].js',
    sourcemap: true,
    sourcemapExcludeSources: true,
    // A frame of a stack then reads `/usr/lib/tilld/src/main.ts`, wherever the package was built.
    sourcemapPathTransform: (source, map) => join('..', relative(ROOT, resolve(dirname(map), source))),
  });
  await build.close();
}

/**
 * Keeps `import.meta.url` of our modules what it is in the source tree, because they find files by it
 * (`new URL('../package.json', import.meta.url)`), whatever file of the bundle they are in.
 */
function sourceLocation(): Plugin {
  return {
    name: 'source-location',
    transform(code, id) {
      const path = relative(ROOT, id);
      if (!path.startsWith('src/') || !code.includes('import.meta.url')) return null;
      const location = `new URL(${JSON.stringify(path.replace('src/', './'))}, import.meta.url).href`;
      return { code: code.replaceAll('import.meta.url', location), map: null };
    },
  };
}
