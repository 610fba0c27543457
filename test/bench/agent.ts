import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { WorldPlaces, WorldWish } from './world-process.ts';

const ROOT = join(import.meta.dirname, '../..');
const WORLD = fileURLToPath(new URL('world-process.ts', import.meta.url));
export const DEVICE_ID = '0199c0de-0000-7000-8000-0000000000be';
const KEY = 'rk_sandbox_bench';
const STOP_MS = 15_000;

/** The real daemon in a process of its own, with the service and a terminal in another. */
export class BenchAgent {
  readonly folder: string;
  readonly url: string;
  readonly #daemon: ChildProcess;
  readonly #world: ChildProcess;

  private constructor(folder: string, url: string, daemon: ChildProcess, world: ChildProcess) {
    this.folder = folder;
    this.url = url;
    this.#daemon = daemon;
    this.#world = world;
  }

  /** @param config what is added to the configuration */
  static async start(config: object, customers: number): Promise<BenchAgent> {
    const folder = mkdtempSync(join(tmpdir(), 'tilld-bench-'));
    const world = fork(WORLD, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    const wish: WorldWish = { key: KEY, deviceId: DEVICE_ID, customers };
    world.send(wish);
    const [places] = (await once(world, 'message')) as [WorldPlaces];
    const file = writeConfig(folder, places, config);
    const args = ['src/main.ts', '--config', file, '--state-dir', join(folder, 'state')];
    const daemon = spawn(process.execPath, [...args, '--listen', '127.0.0.1:0'], {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const log: string[] = [];
    createInterface({ input: daemon.stderr }).on('line', (line) => log.push(line));
    const ended = once(daemon, 'exit').then(() => {
      throw new Error(`the daemon ended before it was ready:\n${log.join('\n')}`);
    });
    const ready = once(createInterface({ input: daemon.stdout }), 'line');
    const [line] = (await Promise.race([ready, ended])) as [string];
    ended.catch(() => undefined);
    return new BenchAgent(folder, line.replace('tilld ready ', ''), daemon, world);
  }

  /** Resident memory of the daemon, in bytes. */
  rss(): number {
    const status = readFileSync(`/proc/${this.#daemon.pid}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? Number.NaN) * 1024;
  }

  get mirror(): string {
    return join(this.folder, 'state', 'mirror.db');
  }

  /** A request over the unix socket, which needs no key. @throws Error with the body for anything but 2xx */
  async ask(method: string, path: string, body?: unknown): Promise<unknown> {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const socketPath = join(this.folder, 'state', 'tilld.sock');
    const headers = text === undefined ? {} : { 'content-type': 'application/json' };
    return new Promise((resolve, reject) => {
      const asked = request({ socketPath, method, path, headers }, (reply) => {
        let answer = '';
        reply.setEncoding('utf8').on('data', (piece: string) => {
          answer += piece;
        });
        reply.once('end', () => {
          const status = reply.statusCode ?? 0;
          if (status >= 200 && status < 300) resolve(answer === '' ? null : JSON.parse(answer));
          else reject(new Error(`${method} ${path}: ${status} ${answer}`));
        });
      });
      asked.once('error', reject);
      asked.end(text);
    });
  }

  async stop(): Promise<void> {
    if (this.#daemon.exitCode === null) {
      const ended = once(this.#daemon, 'exit');
      this.#daemon.kill('SIGTERM');
      const late = setTimeout(() => this.#daemon.kill('SIGKILL'), STOP_MS);
      await ended;
      clearTimeout(late);
    }
    this.#world.disconnect();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

function writeConfig(folder: string, { serviceUrl, terminal }: WorldPlaces, changes: object): string {
  const credentials = join(folder, 'state', 'credentials');
  mkdirSync(credentials, { recursive: true, mode: 0o700 });
  writeFileSync(join(credentials, 'service-key'), `${KEY}\n`, { mode: 0o600 });
  const [, host, port] = /^tcp:\/\/(.+):(\d+)$/.exec(terminal) ?? [];
  const config = {
    version: 1,
    environment: 'sandbox',
    log: { level: 'warn' },
    service: { url: serviceUrl, requests_per_minute: 60_000, burst: 1_000, create_local: 'on' },
    mirror: { lists: [] },
    devices: [
      {
        id: DEVICE_ID,
        name: 'Counter 1',
        driver: 'zvt',
        currency: 'EUR',
        link: { type: 'tcp', host, port: Number(port) },
      },
    ],
    ...changes,
  };
  const file = join(folder, 'tilld.json');
  writeFileSync(file, JSON.stringify(config));
  return file;
}
