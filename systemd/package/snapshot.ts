import { execFileSync } from 'node:child_process';
import { appendFileSync, writeFileSync } from 'node:fs';
import { METHODS, STATUS_CODES } from 'node:http';
import { join } from 'node:path';
import { type Plugin, rolldown } from 'rolldown';
import { compileAhead } from './compile-ahead.ts';
import { SNAPSHOT_SCRIPT, snapshotMaker } from './launcher.ts';
import {
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
import { prelude } from './snapshot-prelude.ts';
import { calledByAStart } from './start-profile.ts';

/** What stands before it is called so in it. */
const NAME = 'tilldSnapshot';

/** Packages that are imported when they are first needed, and are large. */
const PARTS = ['undici'] as const;

/**
 * Compiles the daemon into the one script that Node takes for a snapshot: nothing is imported, and what no snapshot can hold is loaded
 * behind its waking.
 * @param folder where {@link bundle} has written the modules, which are what is run without a snapshot
 */
export async function bundleForSnapshot(folder: string, extra: readonly Plugin[] = []): Promise<void> {
  const build = await rolldown({
    cwd: ROOT,
    input: { tilld: 'src/main.ts' },
    platform: 'node',
    resolve: RESOLVE,
    plugins: [
      ...extra,
      builtinsAsTheyAre((id) => `${NAME}.builtin(${id})`),
      databaseWithLaterBinary(),
      laterPackages(),
      laterParts(),
      fastifyWithoutSchemas(),
      undiciWithoutFetch(),
      promClientWithoutDefaults(),
      ownPlace(`${NAME}.place()`),
      latin(),
    ],
    // Where the pages come from when they are not packed: not here.
    checks: { emptyImportMeta: false },
    logLevel: 'warn',
  });
  await build.write({
    ...SMALL,
    file: join(folder, SNAPSHOT_SCRIPT),
    format: 'cjs',
    codeSplitting: false,
    // Its text stands in memory twice, so names are short in it but those that a stack shows.
    minify: { ...SMALL.minify, mangle: { keepNames: true } },
    banner: `const ${NAME} = (${prelude.toString()})(${JSON.stringify({ METHODS, STATUS_CODES })});`,
  });
  await build.close();
  await bundleParts(folder);
  await compileWhatAStartCalls(folder);
}

/** A snapshot holds functions as their text, but for those that are compiled when it is made: a quarter of a start's processor time. */
async function compileWhatAStartCalls(folder: string): Promise<void> {
  const ends = await calledByAStart(folder, SNAPSHOT_SCRIPT);
  const gaps = ends.map((end, index) => end - (ends[index - 1] ?? 0));
  const call = `(${compileAhead.toString()})(${JSON.stringify(SNAPSHOT_SCRIPT)}, ${JSON.stringify(gaps)});\n`;
  appendFileSync(join(folder, SNAPSHOT_SCRIPT), `\n${call}`);
}

/** Each in a file of its own, as it is needed by some shops, or later. */
async function bundleParts(folder: string): Promise<void> {
  for (const name of PARTS) {
    const build = await rolldown({
      cwd: ROOT,
      input: name,
      platform: 'node',
      plugins: [builtinsAsTheyAre(), undiciWithoutFetch(), latin()],
      logLevel: 'warn',
    });
    await build.write({ ...SMALL, file: join(folder, partFile(name)), format: 'cjs', codeSplitting: false });
    await build.close();
  }
}

function laterParts(): Plugin {
  const mark = '\0part:';
  return {
    name: 'later-parts',
    resolveId: (id) => (PARTS.some((name) => name === id) ? mark + id : null),
    load(id) {
      if (!id.startsWith(mark)) return null;
      const file = JSON.stringify(`./${partFile(id.slice(mark.length))}`);
      return `module.exports = ${NAME}.part(${file});`;
    },
  };
}

function partFile(name: string): string {
  return `part-${name}.cjs`;
}

/** Their binaries are loaded from where they lie. */
function laterPackages(): Plugin {
  const mark = '\0later:';
  return {
    name: 'later-packages',
    resolveId: (id) => (EXTERNAL.some((name) => name === id) ? mark + id : null),
    load: (id) =>
      id.startsWith(mark) ? `module.exports = ${NAME}.late(${JSON.stringify(id.slice(mark.length))});` : null,
  };
}

/** Of better-sqlite3 only the binary is late, and how it is found: its dozen files were 5 ms of a start. */
function databaseWithLaterBinary(): Plugin {
  const mark = '\0database';
  const lib = (name: string) => JSON.stringify(`${ROOT}node_modules/better-sqlite3/lib/${name}.js`);
  return {
    name: 'database-with-later-binary',
    resolveId: (id) => (id === 'better-sqlite3' ? mark : null),
    load(id) {
      if (id !== mark) return null;
      return `const binary = ${NAME}.late('better-sqlite3', 'lib/binding.js');
        module.exports = require(${lib('database')})((given) => binary.getBinding(given), true);
        module.exports.SqliteError = require(${lib('sqlite-error')});`;
    },
  };
}

/** Makes the snapshot of what lies in `lib`, for this machine. */
export function makeSnapshot(lib: string, node: string, version: string): void {
  const file = join(lib, 'make-snapshot');
  const maker = snapshotMaker(version, { lib, node, bundled: join(lib, 'src') });
  writeFileSync(file, maker, { mode: 0o755 });
  execFileSync(file, { stdio: ['ignore', 'ignore', 'inherit'] });
}
