import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** Where the programs of other makers are installed: `install.ts` does it before the first test. */
export const FOREIGN = join(import.meta.dirname, 'foreign');

const require = createRequire(join(FOREIGN, 'package.json'));

/** Loads a package of another maker. Not a static import: nothing of the project may depend on it. */
export function foreignPackage(name: string): unknown {
  return require(name);
}

/** Where a program of another maker lies that is run rather than loaded. */
export function foreignFolder(name: string): string {
  return dirname(require.resolve(`${name}/package.json`));
}
