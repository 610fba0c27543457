import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The script of `tillctl` that belongs to this daemon: among the sources, or beside it in a bundle with both. */
export function tillctlBeside(): string {
  const places = [new URL('../cli/tillctl.ts', import.meta.url), new URL('../tillctl.js', import.meta.url)];
  return places.map((place) => fileURLToPath(place)).find((file) => existsSync(file)) ?? 'tillctl';
}
