import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { ROOT } from '../bundle.ts';
import { ownVersion } from '../text-files.ts';
import { writeSkeletons } from './skeletons.ts';

/** What an importer names → the module of the sources. */
const ENTRIES = {
  kit: 'src/driver-kit/terminal.ts',
  conformance: 'test/conformance/package.ts',
} as const;
/** In the package as it is, so that the types of its schemas are there; the parts that another module system needs are left out. */
const ZOD = 'node_modules/zod';
const ZOD_LEFT_OUT = /\.cjs$|\.d\.cts$|^node_modules\/zod\/(src|mini|v3|v4-mini)(\/|$)/;

/** Where the parts of the driver kit lie in a folder. */
export const KIT_PARTS = { packages: 'packages', skeletons: 'skeletons' } as const;

/**
 * Builds the driver kit: `packages/tilld-driver-kit-VERSION.tgz`, which `npm install` takes without a registry, and `skeletons/KIND/`, from which
 * `tillctl driver new --kind KIND` copies.
 * @param into a folder; what was in it is removed
 */
export async function buildDriverKit(into: string): Promise<void> {
  rmSync(into, { recursive: true, force: true });
  const work = mkdtempSync(join(tmpdir(), 'tilld-driver-kit-'));
  try {
    await writeModules(work);
    writeTypes(work);
    cpSync(join(ROOT, 'drivers/guide'), join(work, 'guide'), { recursive: true });
    // What its links lead to is not in the package.
    const readme = readFileSync(join(ROOT, 'src/driver-kit/README.md'), 'utf8');
    writeFileSync(join(work, 'README.md'), readme.replaceAll(/\[([^\]]+)\]\(\.\.\/[^)]*\)/g, '$1'));
    cpSync(join(ROOT, 'LICENSE'), join(work, 'LICENSE'));
    copyZod(work);
    writeFileSync(join(work, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`);
    const packages = join(into, KIT_PARTS.packages);
    mkdirSync(packages, { recursive: true });
    execFileSync('npm', ['pack', '--silent', '--pack-destination', packages], {
      cwd: work,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    writeSkeletons(join(into, KIT_PARTS.skeletons));
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

async function writeModules(folder: string): Promise<void> {
  const build = await rolldown({
    cwd: ROOT,
    input: ENTRIES,
    platform: 'node',
    external: ['zod', '@lydell/node-pty'],
    logLevel: 'warn',
  });
  await build.write({ dir: join(folder, 'js'), format: 'esm', chunkFileNames: '[name].js' });
  await build.close();
}

/** Declarations name their neighbours as the sources do, with `.ts`; in a package they are `.js`. */
function writeTypes(folder: string): void {
  const types = join(folder, 'types');
  const config = join(folder, 'tsconfig.json');
  const compilerOptions = {
    noEmit: false,
    declaration: true,
    emitDeclarationOnly: true,
    rootDir: ROOT,
    outDir: types,
    typeRoots: [join(ROOT, 'node_modules/@types')],
  };
  const files = Object.values(ENTRIES).map((file) => join(ROOT, file));
  writeFileSync(
    config,
    JSON.stringify({ extends: join(ROOT, 'tsconfig.json'), compilerOptions, include: [], files }),
  );
  execFileSync(process.execPath, [join(ROOT, 'test/checks/run-tool.ts'), 'tsc', '-p', config], {
    stdio: 'inherit',
  });
  rmSync(config);
  for (const name of readdirSync(types, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.d.ts')) continue;
    const text = readFileSync(join(types, name), 'utf8');
    writeFileSync(
      join(types, name),
      text.replaceAll(/(from |import\()(["'])(\.[^"']*)\.ts\2/g, '$1$2$3.js$2'),
    );
  }
}

function copyZod(folder: string): void {
  const from = join(ROOT, ZOD);
  cpSync(from, join(folder, ZOD), {
    recursive: true,
    dereference: true,
    filter: (path) => !ZOD_LEFT_OUT.test(path.slice(ROOT.length)),
  });
}

function manifest(): object {
  const entry = (name: keyof typeof ENTRIES) => ({
    types: `./types/${ENTRIES[name].replace(/\.ts$/, '.d.ts')}`,
    default: `./js/${name}.js`,
  });
  const { version } = JSON.parse(readFileSync(join(ROOT, ZOD, 'package.json'), 'utf8')) as {
    version: string;
  };
  return {
    name: '@tilld/driver-kit',
    version: ownVersion(),
    description: 'Write and test a terminal driver for tilld outside of its repository',
    license: 'Apache-2.0',
    type: 'module',
    engines: { node: '>=24' },
    exports: { '.': entry('kit'), './conformance': entry('conformance'), './package.json': './package.json' },
    dependencies: { zod: version },
    bundleDependencies: ['zod'],
  };
}
