import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { debianFile } from './text-files.ts';

/** The daemon in one script, of which `make-snapshot` makes what a start wakes. */
export const SNAPSHOT_SCRIPT = 'tilld-snapshot.cjs';

/** What Node is run with; `debian/wrapper` says what for. */
const FLAGS =
  '--disable-sigusr1 --max-semi-space-size=1 --no-parallel-scavenge --initial-old-space-size=40 --heap-growing-percent=25';

/** Where things lie when they are run, and what was written by {@link bundle}. */
export interface Programs {
  readonly lib: string;
  readonly node: string;
  readonly bundled: string;
}

/** What stands in `/usr/bin`: the flags that the program is run with. */
export function launcher(name: 'tilld' | 'tillctl', programs: Programs): string {
  const text = debianFile('wrapper')
    .replace('@WAKE@', name === 'tilld' ? debianFile('wake') : '')
    .replaceAll('@NAME@', name);
  return placed(text, programs);
}

/** The command that makes the snapshot. */
export function snapshotMaker(version: string, programs: Programs): string {
  return placed(debianFile('make-snapshot').replaceAll('@VERSION@', version), programs);
}

function placed(text: string, { lib, node, bundled }: Programs): string {
  return text
    .replaceAll('@LIB@', lib)
    .replaceAll('@NODE@', node)
    .replaceAll('@FLAGS@', FLAGS)
    .replaceAll('@SNAPSHOT@', () => snapshotName(bundled));
}

/** The snapshot of another script, of another Node, or for other flags, has another name, so that no start wakes an old one. */
function snapshotName(bundled: string): string {
  const sum = createHash('sha256')
    .update(process.version)
    .update(FLAGS)
    .update(readFileSync(join(bundled, SNAPSHOT_SCRIPT)));
  return `tilld-${sum.digest('hex').slice(0, 16)}.snapshot`;
}
