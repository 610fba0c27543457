import { debianFile } from './text-files.ts';

/** The paths that a launcher names. */
export interface ProgramPaths {
  /** The folder that contains `src/`. */
  readonly lib: string;
  readonly node: string;
}

/** The text of what `/usr/bin/tilld` or `/usr/bin/tillctl` leads to. */
export function launcher(name: 'tilld' | 'tillctl', { lib, node }: ProgramPaths): string {
  return debianFile('wrapper').replaceAll('@NODE@', node).replaceAll('@LIB@', lib).replaceAll('@NAME@', name);
}
