import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const ROOT = join(import.meta.dirname, '../..');

/** A hub as a process of its own, on any free port of loopback. */
export interface HubProcess {
  readonly url: string;
  /** No goodbye: the process is gone at once. */
  kill(): Promise<void>;
  /** Resolves when the process has ended, for whatever reason. */
  readonly ended: Promise<unknown>;
}

/** @param settings of its environment */
export async function startHub(
  database: string,
  port = 0,
  settings: Readonly<Record<string, string>> = {},
): Promise<HubProcess> {
  const args = ['src/hub/main.ts', 'serve', '--database', database, '--listen', `127.0.0.1:${port}`];
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    env: { ...process.env, ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await Promise.race([
    once(createInterface({ input: child.stdout }), 'line'),
    once(child, 'exit').then(() => {
      throw new Error('the hub has ended before it was ready');
    }),
  ])) as [string];
  return { url: /http\S+/.exec(line)?.[0] ?? '', kill: () => killed(child), ended: once(child, 'exit') };
}

async function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}
