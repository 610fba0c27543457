import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A seventh of a core, in µs of 100 ms. */
const QUOTA_US = 14_286;
const PERIOD_US = 100_000;

/** A seventh of a core for what is started in it. */
export interface Seventh {
  /** The command that starts a program in it; the program comes behind it. */
  readonly wrapper: readonly string[];
  /** Once nothing runs in it. */
  remove(): void;
}

/** A cgroup of version 1 or 2 with a seventh of a core; null, with a line on standard error, where none can be made. */
export function seventhOfACore(): Seventh | null {
  const group = cpuGroup();
  if (group === null) {
    process.stderr.write('no cgroup can be made here: a seventh of a core was not measured\n');
    return null;
  }
  const wrapper = ['/bin/sh', '-c', `echo $$ > ${join(group, 'cgroup.procs')} && exec "$@"`, 'sh'];
  return { wrapper, remove: () => rmdirSync(group) };
}

function cpuGroup(): string | null {
  const name = `tilld-bench-${process.pid}`;
  const [first, second] = [join('/sys/fs/cgroup/cpu', name), join('/sys/fs/cgroup', name)];
  try {
    if (existsSync('/sys/fs/cgroup/cpu')) {
      mkdirSync(first);
      writeFileSync(join(first, 'cpu.cfs_period_us'), String(PERIOD_US));
      writeFileSync(join(first, 'cpu.cfs_quota_us'), String(QUOTA_US));
      return first;
    }
    mkdirSync(second);
    writeFileSync(join(second, 'cpu.max'), `${QUOTA_US} ${PERIOD_US}`);
    return second;
  } catch {
    return null;
  }
}
