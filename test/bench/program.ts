import { globSync, statSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
const PACKAGED = 'dist/**/{bin,lib,src}/**/tilld{,.js,.mjs}';

/** One way in which the daemon can be run. */
export interface Program {
  readonly name: 'sources' | 'package';
  readonly command: string;
  /** What comes before the daemon's own arguments. */
  readonly args: readonly string[];
}

/** The daemon as `npm start` runs it. */
export const SOURCES: Program = {
  name: 'sources',
  command: process.execPath,
  args: ['--max-semi-space-size=1', join(ROOT, 'src/main.ts')],
};

/** The packaged build: `TILLD_PROGRAM`, or what lies in `dist/`; null where there is none. */
export function packaged(): Program | null {
  const found = process.env['TILLD_PROGRAM'] ?? built();
  if (found === undefined) return null;
  const isScript = /\.m?js$/.test(found);
  return {
    name: 'package',
    command: isScript ? process.execPath : found,
    args: isScript ? [found] : [],
  };
}

/** The best that is here. */
export function bestProgram(): Program {
  return packaged() ?? SOURCES;
}

/** The start script where there is one, as it sets what the daemon is run with. */
function built(): string | undefined {
  const files = globSync(PACKAGED, { cwd: ROOT })
    .map((path) => join(ROOT, path))
    .filter((path) => statSync(path).isFile());
  return files.find((path) => !path.endsWith('js')) ?? files[0];
}
