import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Order, RunEnd } from './order.ts';

const WORKER = fileURLToPath(new URL('./worker.ts', import.meta.url));
/** Hundreds of processes start: what node has compiled once is kept. */
const COMPILE_CACHE = join(tmpdir(), 'tilld-test-compile-cache');

/** One life of the process that syncs, from its start to its death. */
export class Life {
  readonly #child: ChildProcess;
  readonly #exit: Promise<unknown>;
  readonly #ready: Promise<void>;
  readonly ends: RunEnd[] = [];

  constructor(order: Order) {
    this.#child = fork(WORKER, [JSON.stringify(order)], {
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      env: { ...process.env, NODE_COMPILE_CACHE: COMPILE_CACHE },
    });
    this.#exit = once(this.#child, 'exit');
    let errors = '';
    this.#child.stderr?.on('data', (text) => {
      errors += String(text);
    });
    this.#ready = new Promise((resolve, reject) => {
      this.#child.on('message', (message) => {
        const end = message as RunEnd;
        if (end.outcome === 'ready') resolve();
        else this.ends.push(end);
      });
      this.#child.once('exit', () =>
        reject(new Error(`the process died by itself: ${errors.slice(0, 500)}`)),
      );
    });
    this.#ready.catch(() => undefined);
  }

  ready(): Promise<void> {
    return this.#ready;
  }

  /** SIGKILL; nothing of it runs any more when this is over. */
  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#exit;
  }
}
