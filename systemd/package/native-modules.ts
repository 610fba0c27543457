import { copyFileSync, existsSync, globSync, mkdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { z } from 'zod';
import { ROOT, SHIPPED } from './bundle.ts';
import { ARCHITECTURES, type Architecture } from './platform.ts';

const Manifest = z.object({ dependencies: z.record(z.string(), z.string()).optional() });
/** Headers for compiling; nothing of it is read when the program runs. */
const ONLY_TO_BUILD = new Set(['node-addon-api']);
/** What of a package is read when it runs: its code and its manifest. */
const RUNS = /\.(js|cjs|mjs)$|^package\.json$/;

/** Copies the packages that bring binaries, with what they need, into a `node_modules` folder; of their binaries those of one platform. */
export function copyNativeModules(nodeModules: string, architecture: Architecture): void {
  const installed = join(ROOT, 'node_modules');
  for (const folder of withDependencies(SHIPPED.map((name) => join(installed, name))))
    copyPackage(folder, join(nodeModules, relative(installed, folder)), architecture);
}

function withDependencies(folders: readonly string[]): readonly string[] {
  const found = new Set<string>();
  const visit = (folder: string) => {
    if (found.has(folder)) return;
    found.add(folder);
    const { dependencies = {} } = Manifest.parse(
      JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')),
    );
    for (const name of Object.keys(dependencies)) if (!ONLY_TO_BUILD.has(name)) visit(folderOf(name, folder));
  };
  folders.forEach(visit);
  return [...found];
}

/** As Node looks for it: in the nearest `node_modules` above. */
function folderOf(name: string, from: string): string {
  for (let at = from; `${at}/`.startsWith(ROOT); at = dirname(at)) {
    const folder = join(at, 'node_modules', name);
    if (existsSync(join(folder, 'package.json'))) return folder;
  }
  throw new Error(`${name} is not installed: npm ci`);
}

function copyPackage(from: string, to: string, architecture: Architecture): void {
  for (const path of globSync('**/*.{js,cjs,mjs,json,node}', { cwd: from })) {
    if (path.split('/').includes('node_modules')) continue;
    if (!RUNS.test(basename(path)) && !isBinaryFor(path, architecture)) continue;
    if (isCommand(join(from, path))) continue;
    mkdirSync(dirname(join(to, path)), { recursive: true });
    copyFileSync(join(from, path), join(to, path));
  }
}

/** A program to be called by hand, which nothing imports. */
function isCommand(file: string): boolean {
  return readFileSync(file).subarray(0, 2).toString('latin1') === '#!';
}

/** `prebuilds/linux-x64.node`, `prebuilds/linux-x64/….glibc.node`, or alone in a package of one platform. */
function isBinaryFor(path: string, architecture: Architecture): boolean {
  if (!path.endsWith('.node') || path.includes('musl')) return false;
  return !path.startsWith('prebuilds/') || path.includes(`linux-${ARCHITECTURES[architecture]}`);
}
