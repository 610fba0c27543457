import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { devNull } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable, type Stream } from 'node:stream';
import { COMMITS_FD, type CommitKill, KILL_ORDER, readCommitLine } from './kill-order.ts';

const ROOT = join(import.meta.dirname, '../../..');
const HOOKS = [import.meta.resolve('./short-times.ts'), import.meta.resolve('./kill-hook.ts')];
/** Lines of the log that are kept for the report of a failure. */
const MAX_LOG_LINES = 400;
/** The line of the log that tells where it can be reached, while it still finds out how its last life ended. */
const LISTENING = /"url":"(http[^"]+)".*"msg":"listening"/;

export interface LifeOptions {
  readonly config: string;
  readonly stateDir: string;
  /** Compiled code of earlier lives, so that a start is cheap. */
  readonly compileCache: string;
  readonly order: CommitKill | null;
  /** More environment, for a planted bug. */
  readonly env?: Readonly<Record<string, string>>;
}

/** How a life ended. `atCommit`: it killed itself where it was told to. */
export interface Death {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly atCommit: Pick<CommitKill, 'name' | 'when'> | null;
}

/** One life of the real daemon, `src/main.ts`, in a process of its own. */
export class DaemonLife {
  /** Names of its commits, in their order. */
  readonly commits: string[] = [];
  readonly died: Promise<Death>;
  /** The address of its local interface; never when it dies before. */
  readonly listening: Promise<string>;
  /** It says that a payment could be taken; never when it dies before. */
  readonly ready: Promise<void>;
  readonly #process: ChildProcess;
  readonly #log: string[] = [];
  readonly #listens = Promise.withResolvers<string>();
  readonly #sells = Promise.withResolvers<void>();
  #atCommit: Death['atCommit'] = null;
  #isDead = false;
  #starvedMs = 0;

  constructor(options: LifeOptions) {
    this.listening = this.#listens.promise;
    this.ready = this.#sells.promise;
    const nothing = openSync(devNull, 'r');
    this.#process = spawn(process.execPath, argsOf(options), {
      cwd: ROOT,
      env: envOf(options),
      // The commits have a descriptor of their own: what is written there before a SIGKILL arrives.
      stdio: ['pipe', 'pipe', 'pipe', 'pipe', ...inheritable(COMMITS_FD + 1).map(() => nothing)],
    });
    closeSync(nothing);
    this.#process.stdin?.on('error', () => undefined);
    this.died = this.#waitForDeath();
  }

  get isDead(): boolean {
    return this.#isDead;
  }

  /** How long its main thread could have run and got no processor, in ms; 0 where the system does not tell. */
  get starvedMs(): number {
    try {
      const [, waitedNs] = readFileSync(`/proc/${this.#process.pid}/schedstat`, 'utf8')
        .split(' ')
        .map(Number);
      this.#starvedMs = (waitedNs ?? 0) / 1e6;
    } catch {
      // It is gone, or this system has no such file: what is known stays.
    }
    return this.#starvedMs;
  }

  get log(): readonly string[] {
    return this.#log;
  }

  /** The power cut of a process: nothing is written, nothing is said. */
  kill(): Promise<Death> {
    this.#process.kill('SIGKILL');
    return this.died;
  }

  /** An orderly stop. */
  stop(): Promise<Death> {
    this.#process.kill('SIGTERM');
    return this.died;
  }

  /** All channels are read to their ends first: the last words of a killed process are still in them. */
  async #waitForDeath(): Promise<Death> {
    const { stdout, stderr, stdio } = this.#process;
    const streams = [
      this.#read(stdout, () => this.#sells.resolve()),
      this.#read(stderr, (line) => this.#keep(line)),
      this.#read(stdio[COMMITS_FD], (line) => this.#hear(line)),
    ];
    const [[code, signal]] = await Promise.all([once(this.#process, 'exit'), ...streams]);
    this.#isDead = true;
    return { code, signal, atCommit: this.#atCommit };
  }

  /** Resolves at the end of the channel. */
  async #read(channel: Stream | null | undefined, heard: (line: string) => void): Promise<void> {
    if (!(channel instanceof Readable)) throw new Error('the daemon has no pipes');
    const lines = createInterface({ input: channel }).on('line', heard);
    await once(lines, 'close');
  }

  #keep(line: string): void {
    this.#log.push(line);
    if (this.#log.length > MAX_LOG_LINES) this.#log.shift();
    const url = LISTENING.exec(line)?.[1];
    if (url !== undefined) this.#listens.resolve(url);
  }

  #hear(line: string): void {
    const { name, dying } = readCommitLine(line);
    if (dying === null) this.commits.push(name);
    else this.#atCommit = { name, when: dying };
  }
}

/**
 * Every descriptor from `first` up to the last that a child would inherit unasked. The far ends of serial lines are made without
 * close-on-exec: a daemon that had them would hold its own cable, and never see it pulled.
 */
function inheritable(first: number): readonly number[] {
  const own = '/proc/self/fd';
  if (!existsSync(own)) return [];
  const masters = readdirSync(own)
    .map(Number)
    .filter((fd) => isPtyMaster(`${own}/${fd}`));
  const last = Math.max(first - 1, ...masters);
  return Array.from({ length: last + 1 - first }, (_, index) => first + index);
}

function isPtyMaster(link: string): boolean {
  try {
    return readlinkSync(link).endsWith('ptmx');
  } catch {
    return false;
  }
}

function argsOf({ config, stateDir }: LifeOptions): string[] {
  const own = ['src/main.ts', '--config', config, '--state-dir', stateDir, '--listen', '127.0.0.1:0'];
  return [...HOOKS.flatMap((hook) => ['--import', hook]), ...own];
}

function envOf({ stateDir, order, compileCache, env = {} }: LifeOptions): NodeJS.ProcessEnv {
  const kill = order === null ? {} : { [KILL_ORDER]: JSON.stringify(order) };
  // The place outside the state folder stays through all lives of a shop, and is not in the home of who runs this.
  const outside = { XDG_STATE_HOME: `${stateDir}.outside` };
  return { ...process.env, NODE_COMPILE_CACHE: compileCache, ...outside, ...env, ...kill };
}
