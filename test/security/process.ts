import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const ROOT = join(import.meta.dirname, '../..');
const READY = 'tilld ready ';

/** The daemon in a process of its own, started as `npm start` starts it. */
export class DaemonProcess {
  readonly url: string;
  readonly socketPath: string;
  readonly #child: ChildProcess;
  readonly #lines: string[];

  private constructor(url: string, stateFolder: string, child: ChildProcess, lines: string[]) {
    this.url = url;
    this.socketPath = join(stateFolder, 'tilld.sock');
    this.#child = child;
    this.#lines = lines;
  }

  /** Starts it and waits for the ready line. @throws with its log when it ends instead. */
  static async start(config: string, stateFolder: string, driverPackages: string): Promise<DaemonProcess> {
    const child = launch(config, stateFolder, '127.0.0.1:0', driverPackages);
    const lines: string[] = [];
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream }).on('line', (line) => lines.push(line));
    }
    const url = await new Promise<string>((resolve, reject) => {
      createInterface({ input: child.stdout }).once('line', (line) => resolve(line.replace(READY, '')));
      child.once('exit', (code) =>
        reject(new Error(`the daemon ended with ${code} before it was ready:\n${lines.join('\n')}`)),
      );
    });
    return new DaemonProcess(url, stateFolder, child, lines);
  }

  get port(): number {
    return Number(new URL(this.url).port);
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** Whether it still runs. */
  get alive(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Everything it has written, on standard output and standard error. */
  get output(): string {
    return this.#lines.join('\n');
  }

  get databasePath(): string {
    return join(this.socketPath, '../money.db');
  }

  /** An orderly stop; idempotent. */
  async stop(): Promise<void> {
    if (!this.alive) return;
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGTERM');
    await ended;
  }
}

/** The exit code and the words of a start that is expected to fail. */
export async function failedStart(
  config: string,
  stateFolder: string,
  listen: string,
): Promise<{ readonly code: number | null; readonly words: string }> {
  const child = launch(config, stateFolder, listen);
  const limit = setTimeout(() => child.kill('SIGKILL'), 15_000);
  let words = '';
  child.stderr.on('data', (chunk) => {
    words += chunk;
  });
  const [code] = await once(child, 'close');
  clearTimeout(limit);
  return { code: typeof code === 'number' ? code : null, words };
}

function launch(config: string, stateFolder: string, listen: string, driverPackages?: string) {
  const args = ['src/main.ts', '--config', config, '--state-dir', stateFolder, '--listen', listen];
  if (driverPackages !== undefined) args.push('--driver-packages', driverPackages);
  const env = { ...process.env, XDG_STATE_HOME: `${stateFolder}.outside` };
  const child = spawn(process.execPath, args, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  child.once('exit', () => process.off('exit', kill));
  return child;
}
