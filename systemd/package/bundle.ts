import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Plugin, rolldown } from 'rolldown';
import { PACKED_PAGES, packedPages, pageTexts } from '../../src/boot/pages.ts';
import {
  BUILTIN_MARK,
  builtinsAsTheyAre,
  EXTERNAL,
  fastifyWithoutSchemas,
  latin,
  ownPlace,
  promClientWithoutDefaults,
  RESOLVE,
  ROOT,
  SMALL,
  undiciWithoutFetch,
} from './lean-bundle.ts';
import { bundleForSnapshot } from './snapshot.ts';

const ENTRIES = {
  tilld: 'src/main.ts',
  tillctl: 'src/cli/tillctl.ts',
  'lean-snapshot': 'systemd/package/lean-snapshot.ts',
};

/**
 * Compiles the daemon and the command line into ES modules that run without the sources: one file per entry, and one for each part
 * that is loaded when it is first needed; the pages, all in one file; and the daemon once more, in the script of its snapshot.
 * @param folder a folder named `src`, beside which lie `package.json` and `config/` as in the source tree
 * @param extra what a test plants in the sources
 */
export async function bundle(folder: string, extra: readonly Plugin[] = []): Promise<void> {
  const build = await rolldown({
    cwd: ROOT,
    input: ENTRIES,
    platform: 'node',
    external: [...EXTERNAL],
    resolve: RESOLVE,
    plugins: [
      ...extra,
      builtinsAsTheyAre(),
      fastifyWithoutSchemas(),
      undiciWithoutFetch(),
      promClientWithoutDefaults(),
      ownPlace(),
      latin(),
    ],
    logLevel: 'warn',
  });
  await build.write({
    ...SMALL,
    dir: folder,
    format: 'esm',
    // All in one folder: see `ownPlace`.
    chunkFileNames: '[name]-[hash].js',
    codeSplitting: { groups: [{ name: 'node', test: BUILTIN_MARK }] },
  });
  await build.close();
  mkdirSync(join(folder, 'console'), { recursive: true });
  writeFileSync(join(folder, 'console', PACKED_PAGES), packedPages(pageTexts()));
  await bundleForSnapshot(folder, extra);
}
