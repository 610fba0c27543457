import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';

/** The folder with the `node_modules` of what nobody here wrote. */
const INSTALLED = resolve(process.env['INTEROP_FROM'] ?? '.');

/** A program that nobody here wrote, or in words why it is not there. */
export type ForeignPackage =
  | { readonly kind: 'there'; readonly exports: unknown }
  | { readonly kind: 'missing'; readonly words: string };

/**
 * Loads a package from this project or from the folder that INTEROP_FROM names.
 * Why not a static import: it is no dependency of anything, and without it the test must say so in words.
 */
export function foreignPackage(name: string, version: string): ForeignPackage {
  try {
    return { kind: 'there', exports: createRequire(join(INSTALLED, 'package.json'))(name) };
  } catch (error) {
    const why = error instanceof Error ? error.message.split('\n')[0] : String(error);
    return { kind: 'missing', words: missingWords(name, `${why}`, [`${name}@${version}`]) };
  }
}

/** Where a program lies that is run rather than loaded. */
export function foreignFolder(
  name: string,
  install: readonly string[],
):
  | { readonly kind: 'there'; readonly folder: string }
  | { readonly kind: 'missing'; readonly words: string } {
  const folder = join(INSTALLED, 'node_modules', name);
  if (existsSync(join(folder, 'package.json'))) return { kind: 'there', folder };
  return { kind: 'missing', words: missingWords(name, `nothing at ${folder}`, install) };
}

function missingWords(name: string, why: string, install: readonly string[]): string {
  return `${name} is missing (${why}). Install it beside the project: npm install --prefix /tmp/interop ${install.join(' ')}, then INTEROP_FROM=/tmp/interop npm run test:interop`;
}
