import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const ROOT = join(import.meta.dirname, '../..');
const READY_WITHIN_MS = 120_000;
const STOPPED_WITHIN_MS = 15_000;

/** A shop of the demo: a daemon in a process of its own, whose sandbox has a terminal that approves by itself. */
export interface DemoShop {
  readonly name: string;
  readonly socket: string;
  /** Runs `tillctl` there, as a person does. @throws with what it wrote */
  tillctl(...args: readonly string[]): Promise<void>;
}

/**
 * Starts a shop that can sell.
 * @param number sets its terminal apart from those of the other shops
 * @param signal ends its processes
 * @param cleanup waits for their end, and removes the shop's folder
 */
export async function startDemoShop(
  name: string,
  number: number,
  signal: AbortSignal,
  cleanup: AsyncDisposableStack,
): Promise<DemoShop> {
  signal.throwIfAborted();
  const folder = mkdtempSync(join(tmpdir(), 'tilld-fleet-demo-'));
  cleanup.defer(() => rmSync(folder, { recursive: true, force: true }));
  const { child, log } = startDaemon(folder, number);
  signal.addEventListener('abort', () => child.kill('SIGTERM'));
  cleanup.defer(() => ended(child));
  const line = await Promise.race([
    once(createInterface({ input: child.stdout }), 'line', { signal }),
    once(child, 'exit').then(() => {
      throw new Error(`the shop ${name} ended before it was ready:\n${log.join('\n')}`);
    }),
  ]);
  await untilItSells(String(line[0]).replace('tilld ready ', ''), signal);
  const socket = join(folder, 'state', 'tilld.sock');
  return {
    name,
    socket,
    async tillctl(...args) {
      const command = ['src/cli/tillctl.ts', '--socket', socket, ...args];
      await promisify(execFile)(process.execPath, command, { cwd: ROOT, signal });
    },
  };
}

/** `log` has its newest lines. */
function startDaemon(folder: string, number: number) {
  const config = join(folder, 'tilld.jsonc');
  writeFileSync(config, JSON.stringify(configOf(number)));
  const place = ['--config', config, '--state-dir', join(folder, 'state'), '--listen', '127.0.0.1:0'];
  const child = spawn(process.execPath, ['src/main.ts', ...place], {
    cwd: ROOT,
    env: { ...process.env, XDG_STATE_HOME: join(folder, 'outside') },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const log: string[] = [];
  createInterface({ input: child.stderr }).on('line', (line) => {
    log.push(line);
    if (log.length > 50) log.shift();
  });
  return { child, log };
}

/** The shop of `npm start` without its provider. */
function configOf(number: number): object {
  const terminal = { name: 'counter-1', protocol: 'zvt', over: 'tcp', port: 0, currency: 'EUR' };
  const identity = { serial: `17F0000${number}`, terminal_id: `5250003${number}` };
  return {
    version: 1,
    environment: 'sandbox',
    listen: { port: 0 },
    service: { poll_interval_ms: 1000, requests_per_minute: 600, burst: 50, create_local: 'on' },
    mirror: { lists: [] },
    devices: [
      {
        id: `0199c0de-0000-7000-8000-00000000000${number}`,
        ...{ name: 'Counter 1', driver: 'zvt', currency: 'EUR' },
        link: { type: 'virtual', terminal: 'counter-1' },
      },
    ],
    sandbox: {
      service: { listen: { host: '127.0.0.1', port: 0 }, plan: 'growth' },
      terminals: [{ ...terminal, ...identity, autopilot: 'approve', autopilot_ms: 300 }],
    },
  };
}

async function untilItSells(url: string, signal: AbortSignal): Promise<void> {
  const end = performance.now() + READY_WITHIN_MS;
  while (!(await fetch(`${url}/healthz`, { signal })).ok) {
    if (performance.now() > end) throw new Error(`${url}/healthz: the shop cannot sell`);
    await sleep(100, undefined, { signal });
  }
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  const timer = setTimeout(() => child.kill('SIGKILL'), STOPPED_WITHIN_MS);
  await exit;
  clearTimeout(timer);
}
