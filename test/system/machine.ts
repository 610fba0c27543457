import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  rmSync,
  statfsSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import { DEVICE_ID } from '../support/attempts.ts';
import { aWorld, eventually, type World } from '../support/daemon.ts';

const ROOT = join(import.meta.dirname, '../..');
const SERVICE_KEY = 'rk_sandbox_daemon_under_test';

/** What this machine lacks for a test of disks, in words; empty when nothing. */
export function lacking(tools: readonly string[]): string {
  if (process.getuid?.() !== 0) return 'needs root (mount): run it with sudo';
  const missing = tools.filter((name) => !isDone('which', name));
  return missing.length === 0 ? '' : `needs ${missing.join(', ')}: apt-get install ${missing.join(' ')}`;
}

/** A world whose state folder lies on a disk of its own. */
export interface Machine extends World {
  readonly state: string;
}

/** A state folder on a small disk in memory. */
export async function machineOnTmpfs(
  sizeMb: number,
  terminal: Parameters<typeof aWorld>[0] = {},
): Promise<Machine> {
  const world = await aWorld({ autopilotMs: 300, ...terminal });
  return mounted(world, (state) => mount('-t', 'tmpfs', '-o', `size=${sizeMb}m`, 'tmpfs', state));
}

/** A state folder on an ext4 of its own, in a file: it can be made read-only by an error, as a real disk is. */
export async function machineOnExt4(
  sizeMb: number,
  terminal: Parameters<typeof aWorld>[0] = {},
): Promise<Machine> {
  const world = await aWorld({ autopilotMs: 300, ...terminal });
  const image = join(world.folder, 'disk.img');
  tool('truncate', '-s', `${sizeMb}M`, image);
  tool('mkfs.ext4', '-q', '-F', '-m', '0', '-e', 'remount-ro', image);
  return mounted(world, (state) => mount('-o', 'loop', image, state));
}

function mounted(world: World, put: (state: string) => void): Machine {
  const state = join(world.folder, 'state');
  put(state);
  onTestFinished(() => {
    while (isDone('umount', '-l', state));
  });
  mkdirSync(join(state, 'credentials'), { recursive: true });
  writeFileSync(join(state, 'credentials', 'service-key'), SERVICE_KEY, { mode: 0o600 });
  return { ...world, state };
}

export function mount(...args: readonly string[]): void {
  tool('mount', ...args);
}

/** A program of the system; gives what it prints. */
export function tool(name: string, ...args: readonly string[]): string {
  return execFileSync(name, [...args], { stdio: 'pipe', encoding: 'utf8' });
}

function isDone(name: string, ...args: readonly string[]): boolean {
  return spawnSync(name, [...args]).status === 0;
}

/** Takes every byte that is left, in a file of somebody else or at the end of this one. */
export function fillDisk(state: string, name = 'somebody-elses-file'): void {
  const file = openSync(join(state, name), 'a');
  for (const size of [1_048_576, 4096, 1]) {
    const bytes = Buffer.alloc(size, 'x');
    try {
      for (;;) writeSync(file, bytes);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
    }
  }
  closeSync(file);
}

/** Somebody cleans up. */
export function freeDisk(state: string): void {
  rmSync(join(state, 'somebody-elses-file'));
}

export function freeBytes(state: string): number {
  const { bavail, bsize } = statfsSync(state);
  return bavail * bsize;
}

export interface Launch {
  /** The log goes to this file instead of a pipe. */
  readonly logTo?: string;
}

/** The real daemon on such a machine; it may refuse to start, or wait. */
export class RunningDaemon {
  readonly #machine: Machine;
  readonly #process: ChildProcess;
  readonly #lines: string[] = [];
  readonly ended: Promise<number | null>;
  ready = false;

  constructor(machine: Machine, { logTo }: Launch = {}) {
    this.#machine = machine;
    const log = logTo === undefined ? 'pipe' : openSync(logTo, 'a');
    const args = [
      'src/main.ts',
      '--config',
      machine.config,
      '--state-dir',
      machine.state,
      '--listen',
      '127.0.0.1:0',
    ];
    this.#process = spawn(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 'pipe', log] });
    onTestFinished(() => void this.#process.kill('SIGKILL'));
    if (this.#process.stderr)
      createInterface({ input: this.#process.stderr }).on('line', (line) => this.#lines.push(line));
    if (this.#process.stdout)
      createInterface({ input: this.#process.stdout }).on('line', () => {
        this.ready = true;
      });
    this.ended = new Promise((resolve) => this.#process.once('exit', (code) => resolve(code)));
  }

  /** Starts it and waits until a payment could be taken. */
  static async ready(machine: Machine, launch: Launch = {}): Promise<RunningDaemon> {
    const daemon = new RunningDaemon(machine, launch);
    await eventually(() => daemon.ready || (daemon.#process.exitCode !== null && daemon.#fail()), 40_000);
    return daemon;
  }

  get pid(): number {
    return this.#process.pid ?? 0;
  }

  get log(): string {
    return this.#lines.join('\n');
  }

  get alive(): boolean {
    return this.#process.exitCode === null && this.#process.signalCode === null;
  }

  signal(name: 'SIGKILL' | 'SIGTERM'): Promise<number | null> {
    this.#process.kill(name);
    return this.ended;
  }

  /** Waits until the local interface answers; it may refuse to sell. */
  async answering(): Promise<void> {
    await eventually(
      async () => existsSync(this.#socket) && (await this.health().catch(() => false)),
      40_000,
    );
  }

  sell(minor: number, more: object = {}): Promise<Answer> {
    return this.ask('POST', '/v2/terminal-payments', {
      device_id: DEVICE_ID,
      amount_minor: minor,
      currency: 'EUR',
      ...more,
    });
  }

  payment(id: string): Promise<Answer> {
    return this.ask('GET', `/v2/terminal-payments/${id}`);
  }

  /** Waits until it has ended. */
  async settled(id: string, limitMs = 60_000): Promise<Answer['body']> {
    return eventually(async () => {
      const { body } = await this.payment(id);
      return ['succeeded', 'declined', 'cancelled', 'error'].includes(body.data.status) && body.data;
    }, limitMs);
  }

  health(): Promise<Answer> {
    return this.ask('GET', '/healthz');
  }

  ask(method: string, path: string, body?: object): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const headers = body === undefined ? {} : { 'content-type': 'application/json' };
      const asked = request({ socketPath: this.#socket, method, path, headers, timeout: 10_000 }, (reply) => {
        let text = '';
        reply.on('data', (piece) => {
          text += piece;
        });
        reply.on('end', () =>
          resolve({ status: reply.statusCode ?? 0, body: text === '' ? null : JSON.parse(text) }),
        );
        reply.on('error', reject);
      });
      asked.on('error', reject);
      asked.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }

  get #socket(): string {
    return join(this.#machine.state, 'tilld.sock');
  }

  #fail(): never {
    throw new Error(`the daemon ended before it was ready:\n${this.log}`);
  }
}

export interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads the JSON it expects and fails when it is not there
  readonly body: any;
}

/** Minor units that were really charged and stand, by the terminal's own ledger. */
export function charged({ terminal }: World): number {
  return terminal
    .snapshot()
    .ledger.filter((entry) => entry.result === 'approved' && !entry.reversed && entry.kind === 'sale')
    .reduce((sum, { amountMinor }) => sum + amountMinor, 0);
}
