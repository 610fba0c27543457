import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Plugin, rolldown } from 'rolldown';
import { PACKED_PAGES, pageTexts } from '../../src/boot/pages.ts';
import {
  BUILTIN_MARK,
  builtinsAsTheyAre,
  fastifyWithoutSchemas,
  latin,
  ownPlace,
  ROOT,
  undiciWithoutFetch,
} from './lean-bundle.ts';

/** These bring binaries that are found beside their own files, so they are shipped as they are. */
export const EXTERNAL = ['better-sqlite3', '@serialport/bindings-cpp', '@lydell/node-pty'] as const;

const ENTRIES = { tilld: 'src/main.ts', tillctl: 'src/cli/tillctl.ts' };

/**
 * Compiles the daemon and the command line into ES modules that run without the sources: one file per entry, and one for each part
 * that is loaded when it is first needed; and the pages, all in one file.
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
    plugins: [
      ...extra,
      builtinsAsTheyAre(),
      fastifyWithoutSchemas(),
      undiciWithoutFetch(),
      ownPlace(),
      latin(),
    ],
    logLevel: 'warn',
  });
  await build.write({
    dir: folder,
    format: 'esm',
    // All in one folder: see `ownPlace`.
    chunkFileNames: '[name]-[hash].js',
    comments: { legal: false },
    minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
    codeSplitting: { groups: [{ name: 'node', test: BUILTIN_MARK }] },
  });
  await build.close();
  mkdirSync(join(folder, 'console'), { recursive: true });
  writeFileSync(join(folder, 'console', PACKED_PAGES), JSON.stringify(pageTexts()));
}
