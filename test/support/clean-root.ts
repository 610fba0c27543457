import { execFile, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, globSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const SUITE = 'bookworm';
const MIRROR = process.env['DEBIAN_MIRROR'] ?? 'http://deb.debian.org/debian';

/** What this machine lacks, in words; empty when nothing. */
export function lacking(tools: readonly string[]): string {
  if (process.getuid?.() !== 0) return 'needs root (chroot, mount): run it with sudo';
  const missing = tools.filter((name) => spawnSync('which', [name]).status !== 0);
  if (missing.length === 0) return '';
  const packages = missing.map((name) => PACKAGE_OF[name] ?? name);
  return `needs ${missing.join(', ')}: apt-get install ${packages.join(' ')}`;
}

const PACKAGE_OF: Readonly<Record<string, string>> = {
  'qemu-aarch64-static': 'qemu-user-static',
  'systemd-analyze': 'systemd',
  'dpkg-deb': 'dpkg',
  'systemd-nspawn': 'systemd-container',
  nsenter: 'util-linux',
};

/** A program of this machine; gives all that it says. @throws with that, when it fails */
export function tool(name: string, ...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(name, [...args], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  const output = `${stdout}${stderr}`;
  if (status !== 0) throw new Error(`${name} ended with ${status}:\n${output}`);
  return output;
}

/** The path of a bare Debian, made once and kept beside other temporary files. */
export function bareDebian(): string {
  return keptRoot(`tilld-${SUITE}-amd64`, (folder) =>
    tool('debootstrap', '--variant=minbase', '--arch=amd64', SUITE, folder, MIRROR),
  );
}

/** One with more packages, made once. */
export function keptDebian(name: string, more: readonly string[]): string {
  const include = `--include=${more.join(',')}`;
  return keptRoot(`tilld-${SUITE}-${name}`, (folder) =>
    tool('debootstrap', '--variant=minbase', '--arch=amd64', include, SUITE, folder, MIRROR),
  );
}

/** The libraries of a Debian for arm64, unpacked and no more: nothing of it could run here by itself. */
export function librariesOfArm64(): string {
  return keptRoot(`tilld-${SUITE}-arm64`, (folder) => {
    tool('debootstrap', '--foreign', '--variant=minbase', '--arch=arm64', SUITE, folder, MIRROR);
    for (const deb of globSync('var/cache/apt/archives/{libstdc++6,libgcc-s1,libc6}_*.deb', { cwd: folder }))
      tool('dpkg-deb', '-x', join(folder, deb), folder);
  });
}

function keptRoot(name: string, make: (folder: string) => void): string {
  const kept = join(tmpdir(), name);
  if (existsSync(kept)) return kept;
  const draft = mkdtempSync(`${kept}-`);
  try {
    make(draft);
    // A folder for temporary files is its maker's alone; a root is everybody's.
    chmodSync(draft, 0o755);
    renameSync(draft, kept);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    // Another suite that runs beside this one has made it meanwhile.
    if (existsSync(kept)) return kept;
    throw error;
  }
  return kept;
}

/** What a command in the machine came to. */
export interface Ended {
  readonly status: number | null;
  readonly out: string;
  readonly err: string;
}

/** A Debian of its own in a folder: its files, its users, the network and the processes of this machine. */
export class CleanRoot {
  readonly path: string;

  private constructor(path: string) {
    this.path = path;
  }

  static make(): CleanRoot {
    const path = mkdtempSync(join(tmpdir(), 'tilld-root-'));
    tool('cp', '-a', '--reflink=auto', `${bareDebian()}/.`, path);
    tool('mount', '-t', 'proc', 'proc', join(path, 'proc'));
    cpSync('/etc/resolv.conf', join(path, 'etc/resolv.conf'), { dereference: true });
    return new CleanRoot(path);
  }

  at(path: string): string {
    return join(this.path, path);
  }

  /** A shell command as root, like a person would type it. This process goes on: it may be the terminal that the command talks to. */
  sh(command: string): Promise<Ended> {
    const call = [this.path, '/usr/bin/env', '-i', ...ENVIRONMENT, '/bin/sh', '-c', command];
    return new Promise((resolve) => {
      const child = execFile('chroot', call, { encoding: 'utf8' }, (_error, out, err) =>
        resolve({ status: child.exitCode, out, err }),
      );
    });
  }

  /** The same; it must come to a good end. */
  async must(command: string): Promise<string> {
    const { status, out, err } = await this.sh(command);
    if (status !== 0) throw new Error(`"${command}" ended with ${status}:\n${out}\n${err}`);
    return out;
  }

  /** Puts a package of this machine into it, as a person would. */
  install(deb: string): Promise<Ended> {
    cpSync(deb, this.at('root/tilld.deb'));
    return this.sh('apt-get install -y --no-install-recommends --allow-downgrades /root/tilld.deb');
  }

  remove(): void {
    while (spawnSync('umount', ['-l', join(this.path, 'proc')]).status === 0);
    rmSync(this.path, { recursive: true, force: true });
  }
}

export const ENVIRONMENT = [
  'PATH=/usr/sbin:/usr/bin:/sbin:/bin',
  'HOME=/root',
  'LANG=C.UTF-8',
  'DEBIAN_FRONTEND=noninteractive',
] as const;
