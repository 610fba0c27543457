import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { bestProgram, type Program } from './program.ts';

const STOP_MS = 15_000;
const TICKS_PER_SECOND = 100;

/** What a daemon is started with. */
export interface DaemonOptions {
  /** Of the configuration file. */
  readonly config: string;
  readonly stateDir: string;
  readonly program?: Program;
  readonly env?: Readonly<Record<string, string>>;
  /** A command that starts it, like one that puts it into a cgroup; the program comes behind it. */
  readonly wrapper?: readonly string[];
}

/** The real daemon in a process of its own. */
export class DaemonProcess {
  readonly url: string;
  /** Ms from the spawn to the ready line. */
  readonly readyMs: number;
  readonly #process: ChildProcess;
  readonly #stateDir: string;
  readonly #log: readonly string[];

  private constructor(
    process: ChildProcess,
    stateDir: string,
    url: string,
    readyMs: number,
    log: readonly string[],
  ) {
    this.#process = process;
    this.#stateDir = stateDir;
    this.url = url;
    this.readyMs = readyMs;
    this.#log = log;
  }

  /** Resolves at its ready line. @throws Error with its log when it ends before */
  static async start(options: DaemonOptions): Promise<DaemonProcess> {
    const { command, args } = options.program ?? bestProgram();
    // As its unit and `npm start` have it.
    const compiled = { NODE_COMPILE_CACHE: `${options.stateDir}-compiled` };
    const own = ['--config', options.config, '--state-dir', options.stateDir, '--listen', '127.0.0.1:0'];
    const [file = command, ...words] = [...(options.wrapper ?? []), command, ...args, ...own];
    const startedAt = performance.now();
    const child = spawn(file, words, {
      env: { ...process.env, ...compiled, ...options.env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const log: string[] = [];
    createInterface({ input: child.stderr }).on('line', (line) => log.push(line));
    const ended = once(child, 'exit').then(() => {
      throw new Error(`the daemon ended before it was ready:\n${log.join('\n')}`);
    });
    const ready = once(createInterface({ input: child.stdout }), 'line');
    const [line] = (await Promise.race([ready, ended])) as [string];
    const readyMs = performance.now() - startedAt;
    ended.catch(() => undefined);
    return new DaemonProcess(child, options.stateDir, line.replace('tilld ready ', ''), readyMs, log);
  }

  get log(): readonly string[] {
    return this.#log;
  }

  get socket(): string {
    return join(this.#stateDir, 'tilld.sock');
  }

  get pid(): number {
    return this.#process.pid ?? 0;
  }

  /** Resident memory in bytes. */
  rss(): number {
    return this.#status('VmRSS');
  }

  /** The most resident memory that it ever had, in bytes. */
  mostRss(): number {
    return this.#status('VmHWM');
  }

  /** Processor time so far, in ms. */
  cpuMs(): number {
    const fields = readFileSync(`/proc/${this.pid}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ');
    return ((Number(fields[11]) + Number(fields[12])) * 1_000) / TICKS_PER_SECOND;
  }

  /** A request over the unix socket, which needs no key. @throws Error with the body for anything but 2xx */
  ask(method: string, path: string, body?: unknown): Promise<unknown> {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const headers = text === undefined ? {} : { 'content-type': 'application/json' };
    return new Promise((resolve, reject) => {
      const asked = request({ socketPath: this.socket, method, path, headers }, (reply) => {
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

  /** The power cut of a process. */
  async kill(): Promise<void> {
    const ended = once(this.#process, 'exit');
    this.#process.kill('SIGKILL');
    await ended;
  }

  async stop(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    const ended = once(this.#process, 'exit');
    this.#process.kill('SIGTERM');
    const late = setTimeout(() => this.#process.kill('SIGKILL'), STOP_MS);
    await ended;
    clearTimeout(late);
  }

  #status(name: string): number {
    const status = readFileSync(`/proc/${this.pid}/status`, 'utf8');
    return Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1] ?? Number.NaN) * 1024;
  }
}
