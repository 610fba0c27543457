import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { ENVIRONMENT, type Ended, keptDebian, lacking, tool } from '../support/clean-root.ts';

/** What a Debian needs to boot, and what a person uses there to look. */
const PACKAGES = ['systemd', 'systemd-sysv', 'dbus', 'curl', 'iproute2', 'procps'];
const BOOT_MS = 60_000;

/** A container without registration at a systemd of this machine, which may have none. */
const CONTAINER = ['--register=no', '--keep-unit', '--private-network', '--console=pipe', '--quiet'];

/** What this machine lacks for a machine that boots, in words; empty when nothing. A container is tried. */
export function lackingToBoot(): string {
  const missing = lacking(['debootstrap', 'dpkg-deb', 'systemd-nspawn', 'nsenter']);
  if (missing !== '') return missing;
  try {
    tool('systemd-nspawn', ...CONTAINER, '--read-only', '-D', keptDebian('booted', PACKAGES), '/bin/true');
    return '';
  } catch (error) {
    return `no container can be started here: ${String(error).replaceAll(/\s+/g, ' ').slice(0, 200)}`;
  }
}

/**
 * A Debian with its own systemd as process 1 and its own network of a loopback interface, in a container (systemd-nspawn): nothing of this machine
 * but its kernel and its clock.
 */
export class BootedMachine {
  readonly path: string;
  #nspawn: ChildProcess;
  #init: string;

  private constructor(path: string, nspawn: ChildProcess, init: string) {
    this.path = path;
    this.#nspawn = nspawn;
    this.#init = init;
  }

  /**
   * @param prepare puts files into the root before it boots
   * @param beside one more package of Debian that is installed there
   */
  static async boot(
    deb: string,
    prepare: (root: string) => void = () => undefined,
    beside: readonly [string] | readonly [] = [],
  ): Promise<BootedMachine> {
    const path = mkdtempSync(join(tmpdir(), 'tilld-machine-'));
    const debian = keptDebian(['booted', ...beside].join('-'), [...PACKAGES, ...beside]);
    tool('cp', '-a', '--reflink=auto', `${debian}/.`, path);
    // Each power cut here ends processes alone, so that dpkg would wait for the disk in vain.
    writeFileSync(join(path, 'etc/dpkg/dpkg.cfg.d/no-sync'), 'force-unsafe-io\n');
    cpSync(deb, join(path, 'root/tilld.deb'));
    tool('chroot', path, '/usr/bin/env', ...ENVIRONMENT, 'dpkg', '-i', '/root/tilld.deb');
    prepare(path);
    const machine = new BootedMachine(path, ...(await booted(path)));
    await machine.until('systemctl is-active multi-user.target', BOOT_MS);
    return machine;
  }

  /** The power is cut and comes back: no process ends in order, and what was in memory is gone. What was written is kept: the disk is this machine's. */
  async powerCut(): Promise<void> {
    await this.#kill();
    [this.#nspawn, this.#init] = await booted(this.path);
    // The target of a whole boot waits for tilld, too.
    await this.until('systemctl is-active basic.target dbus.socket', BOOT_MS);
  }

  async #kill(): Promise<void> {
    const gone = once(this.#nspawn, 'exit');
    process.kill(Number(this.#init), 'SIGKILL');
    await gone;
  }

  at(path: string): string {
    return join(this.path, path);
  }

  /** A program of this machine that runs in the network of the container. @returns the path of its starter */
  inItsNetwork(program: string): string {
    const starter = join(mkdtempSync(join(tmpdir(), 'tilld-starter-')), 'start');
    writeFileSync(starter, `#!/bin/sh\nexec nsenter -t ${this.#init} -n ${program} "$@"\n`, { mode: 0o755 });
    return starter;
  }

  /** A shell command as root, like a person would type it at this machine. */
  sh(command: string, withinMs = 30_000): Promise<Ended> {
    const into = ['-t', this.#init, '-m', '-u', '-i', '-n', '-p', '-r', '-w'];
    const within = ['timeout', '-s', 'KILL', String(withinMs / 1000)];
    const call = [...into, '/usr/bin/env', '-i', ...ENVIRONMENT, ...within, '/bin/sh', '-c', command];
    return new Promise((resolve) => {
      const child = execFile('nsenter', call, { encoding: 'utf8' }, (_error, out, err) =>
        resolve({ status: child.exitCode, out, err }),
      );
    });
  }

  /** The same; it must come to a good end. @returns what it prints, without the last line break */
  async must(command: string, withinMs?: number): Promise<string> {
    const { status, out, err } = await this.sh(command, withinMs);
    if (status !== 0) throw new Error(`"${command}" ended with ${status}:\n${out}\n${err}`);
    return out.trimEnd();
  }

  /** Until it comes to a good end. */
  async until(command: string, withinMs = 30_000): Promise<string> {
    const end = performance.now() + withinMs;
    for (;;) {
      const { status, out, err } = await this.sh(command);
      if (status === 0) return out.trimEnd();
      if (performance.now() > end) throw new Error(`never: "${command}": ${status}\n${out}\n${err}`);
      await wait(200);
    }
  }

  /** A property of a unit, as systemd says it. */
  async unit(property: string, unit = 'tilld.service'): Promise<string> {
    return this.must(`systemctl show --value -p ${property} ${unit}`);
  }

  async off(): Promise<void> {
    await this.#kill();
    rmSync(this.path, { recursive: true, force: true });
  }
}

async function booted(path: string): Promise<[ChildProcess, string]> {
  const nspawn = spawn('systemd-nspawn', [...CONTAINER, '-D', path, '-b'], { stdio: 'ignore' });
  return [nspawn, await initOf(nspawn)];
}

/** The process that is 1 inside. */
async function initOf(nspawn: ChildProcess): Promise<string> {
  for (let looks = 0; looks < 100; looks += 1) {
    if (nspawn.exitCode !== null) throw new Error(`systemd-nspawn ended with ${nspawn.exitCode}`);
    try {
      return tool('pgrep', '-o', '-P', String(nspawn.pid), '-x', 'systemd').trim();
    } catch {
      await wait(100);
    }
  }
  throw new Error('no systemd came up');
}
