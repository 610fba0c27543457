import { type ChildProcessByStdio, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import type { Toolchain } from './toolchain.ts';

const ROOT = join(import.meta.dirname, '../..');
const READY = /^tilld ready (\S+)$/;

type Child = ChildProcessByStdio<null, Readable, Readable>;

/** What a command of a person came to. */
export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Standard output and standard error. */
  readonly output: string;
}

/** A person with an empty folder, a clone of what is committed here, and one Node and npm. */
export class Newcomer {
  readonly home: string;
  readonly #folder: string;
  readonly #npm: string;
  readonly #env: NodeJS.ProcessEnv;
  readonly #started: Child[] = [];

  private constructor(folder: string, home: string, npm: string, env: NodeJS.ProcessEnv) {
    this.#folder = folder;
    this.#npm = npm;
    this.home = home;
    this.#env = env;
  }

  /** @param name of the folder they clone into */
  static async arrives(tools: Toolchain, name = 'tilld'): Promise<Newcomer> {
    const folder = mkdtempSync(join(tmpdir(), 'tilld-fresh-'));
    const home = join(folder, name);
    await promisify(execFile)('git', ['clone', '--quiet', ROOT, home]);
    return new Newcomer(folder, home, tools.npm, environmentWith(tools));
  }

  /** A command of a shell, to its end. */
  run(command: string, env: NodeJS.ProcessEnv = {}): Promise<Ended> {
    return this.#ended(this.#spawned(command, env));
  }

  /**
   * `npm start …` up to the ready line. It is stopped by a signal to npm alone; npm 10 hands none on, so there all processes get it, as
   * Ctrl-C and systemd do it. @throws with what it said when it ends before
   */
  async start(command: string): Promise<{ readonly url: string; stop(): Promise<Ended> }> {
    const child = this.#spawned(`exec ${command}`, {});
    const ended = this.#ended(child);
    const ready = (async () => {
      for await (const line of createInterface({ input: child.stdout })) {
        const url = READY.exec(line)?.[1];
        if (url !== undefined) return url;
      }
      throw new Error(`"${command}" ended before it was ready:\n${(await ended).output}`);
    })();
    const url = await ready;
    return {
      url,
      stop: () => {
        if (this.#npm.startsWith('10.')) signalGroup(child, 'SIGTERM');
        else child.kill('SIGTERM');
        return ended;
      },
    };
  }

  leaves(): void {
    for (const child of this.#started) signalGroup(child, 'SIGKILL');
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #spawned(command: string, env: NodeJS.ProcessEnv): Child {
    const child = spawn('/bin/sh', ['-c', command], {
      cwd: this.home,
      env: { ...this.#env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      // npm, its shell and the daemon are one group, as under a shell or a service manager.
      detached: true,
    });
    // Also when it has ended: what it left behind is in its group.
    this.#started.push(child);
    return child;
  }

  async #ended(child: Child): Promise<Ended> {
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    const [code, signal] = await once(child, 'close');
    return { code, signal, output };
  }
}

/** To npm and all that it started. */
function signalGroup(child: Child, signal: NodeJS.Signals): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, signal);
  } catch {
    // It has ended.
  }
}

/**
 * That of a person: nothing that this run of npm has set, and no program of this folder. The certificates that this machine trusts are the
 * person's, too: without them npm asks for a minute and more until it goes on without the packages for other machines.
 */
function environmentWith({ bin }: Toolchain): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(
    ([name]) => name === 'NODE_EXTRA_CA_CERTS' || !/^(npm_|NODE_|VITEST|INIT_CWD)/.test(name),
  );
  return {
    ...Object.fromEntries(own),
    PATH: `${bin}:/usr/local/bin:/usr/bin:/bin`,
    // What the registry says of 140 packages is asked for once and not by each combination.
    npm_config_prefer_offline: 'true',
  };
}
