import { existsSync, realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The folder of tilld: `src/` lies in it, and `driver-packages/`. */
const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** The script that loads a package in its process: among the sources, or beside the daemon in a bundle. */
export function childEntry(): string {
  const places = [
    new URL('./child/main.ts', import.meta.url),
    new URL('../driver-child.js', import.meta.url),
  ];
  const found = places.map((place) => fileURLToPath(place)).find((file) => existsSync(file));
  if (found === undefined) throw new Error('the entry of driver packages is not installed');
  return realpathSync(found);
}

/** The files that the entry consists of; the package itself can import none of them. */
export function entryFiles(): readonly string[] {
  return ['src/', 'package.json', 'node_modules/zod/']
    .map((path) => `${ROOT}${path}`)
    .filter((path) => existsSync(path))
    .map((path) => (path.endsWith('/') ? `${realpathSync(path)}/` : realpathSync(path)));
}

/** Where packages are installed. */
export function defaultPackagesFolder(): string {
  return `${ROOT}driver-packages`;
}
