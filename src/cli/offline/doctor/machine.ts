import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { hostname, totalmem } from 'node:os';
import { join } from 'node:path';
import { type RecoveryProgram, recoveryProgram } from '../../../store/damage/recover.ts';

/** What the operating system reports about this machine; a test has its own folders. */
export interface Machine {
  readonly proc: string;
  readonly sys: string;
  readonly dev: string;
  readonly etc: string;
  readonly cgroup: string;
  readonly run: string;
  /** Search path of units, the strongest first (systemd.unit(5)). */
  readonly units: readonly string[];
  readonly nodeVersion: string;
  readonly architecture: string;
  readonly hostname: string;
  /** Bytes. */
  readonly memory: number;
  /** User id of this process. */
  readonly uid: number;
  readonly recoveryProgram: () => RecoveryProgram;
}

export const THIS_MACHINE: Machine = {
  proc: '/proc',
  sys: '/sys',
  dev: '/dev',
  etc: '/etc',
  cgroup: '/sys/fs/cgroup',
  run: '/run',
  units: ['/etc/systemd/system', '/run/systemd/system', '/usr/lib/systemd/system', '/lib/systemd/system'],
  nodeVersion: process.versions.node,
  architecture: process.arch,
  hostname: hostname(),
  memory: totalmem(),
  uid: process.getuid?.() ?? 0,
  recoveryProgram,
};

/** A running program. */
export interface Program {
  readonly pid: number;
  /** Its name in the kernel, at most 15 characters. */
  readonly name: string;
}

/** The text of a small file; null where it cannot be read. */
export function textOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}

/** Names in a folder; none where it cannot be read. */
export function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Every running program that the system shows to this user. */
export function programsOf({ proc }: Pick<Machine, 'proc'>): readonly Program[] {
  return namesIn(proc)
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      const name = textOf(join(proc, pid, 'comm'))?.trim();
      return name === undefined ? [] : [{ pid: Number(pid), name }];
    });
}

/**
 * The programs that have a port open, by the path at the end of its links; only root sees those of other users. The program at the other end of
 * a pseudo-terminal is not foreign to it.
 */
export function programsWithOpen(path: string, machine: Pick<Machine, 'proc'>): readonly Program[] {
  return programsOf(machine).filter(({ pid }) => {
    if (pid === process.pid) return false;
    const folder = join(machine.proc, String(pid), 'fd');
    const open = namesIn(folder).map((fd) => linkAt(join(folder, fd)));
    const isItsOwner = path.startsWith('/dev/pts/') && open.some((one) => one !== null && MASTER.test(one));
    return open.includes(path) && !isItsOwner;
  });
}

const MASTER = /^\/dev\/(pts\/)?ptmx$/;

function linkAt(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch {
    return null;
  }
}
