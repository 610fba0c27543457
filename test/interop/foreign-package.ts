import { createRequire } from 'node:module';
import { resolve } from 'node:path';

/** A program that nobody here wrote, or in words why it is not there. */
export type ForeignPackage =
  | { readonly kind: 'there'; readonly exports: unknown }
  | { readonly kind: 'missing'; readonly words: string };

/**
 * Loads a package from this project or from the folder that INTEROP_FROM names.
 * Why not a static import: it is no dependency of anything, and without it the test must say so in words.
 */
export function foreignPackage(name: string, version: string): ForeignPackage {
  const from = resolve(process.env['INTEROP_FROM'] ?? '.', 'package.json');
  try {
    return { kind: 'there', exports: createRequire(from)(name) };
  } catch (error) {
    const why = error instanceof Error ? error.message.split('\n')[0] : String(error);
    const words = `${name} is missing (${why}). Install it beside the project: npm install --prefix /tmp/interop ${name}@${version}, then INTEROP_FROM=/tmp/interop npm run test:interop`;
    return { kind: 'missing', words };
  }
}
