import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import { virtualZvt } from '../../drivers/terminals/zvt/virtual.ts';
import { silentLog } from '../../src/base/log.ts';
import { systemClock } from '../../src/runtime/system-clock.ts';
import { systemIds } from '../../src/runtime/system-ids.ts';
import type { VirtualTerminalSettings } from '../../src/sandbox/controllable-terminal.ts';
import { type SandboxService, startSandboxService } from '../../src/sandbox/service/start-sandbox-service.ts';
import {
  type RunningVirtualTerminal,
  startVirtualTerminal,
} from '../../src/sandbox/terminal/start-virtual-terminal.ts';
import { DEVICE_ID } from './attempts.ts';
import { aFolder } from './money-database.ts';
import { textMemory, VIRTUAL_TERMINAL } from './shop.ts';

const ROOT = join(import.meta.dirname, '../..');
const SERVICE_KEY = 'rk_sandbox_daemon_under_test';
const SCOPES = ['payments', 'webhooks', 'customers', 'invoices', 'products'].flatMap((area) => [
  `${area}:read`,
  `${area}:write`,
]);

/** The world around the daemon: it goes on when the daemon is killed. */
export interface World {
  readonly terminal: RunningVirtualTerminal;
  readonly service: SandboxService;
  readonly folder: string;
  readonly config: string;
}

/** Where a daemon lives: its state is in `state` of the folder. */
export type Place = Pick<World, 'folder' | 'config'>;

/** Starts a virtual terminal and the sandbox service in this process, and writes a config that points at them. */
export async function aWorld(
  terminal: Partial<VirtualTerminalSettings> = {},
  config: object = {},
  serviceChanges: object = {},
  scopes: readonly string[] = SCOPES,
): Promise<World> {
  const folder = aFolder();
  const log = silentLog;
  const running = await startVirtualTerminal({ ...VIRTUAL_TERMINAL, ...terminal }, virtualZvt, {
    clock: systemClock,
    log,
    memory: textMemory(),
  });
  onTestFinished(() => running.stop());
  const service = await startSandboxService(
    {
      listen: { host: '127.0.0.1', port: 0 },
      keys: [{ key: SERVICE_KEY, scopes }],
      devices: [{ id: DEVICE_ID, name: 'Counter 1' }],
      plan: 'enterprise',
      honoursOurId: true,
      keepsMetadata: true,
      refusesUnknownFields: true,
      hasClaim: true,
    },
    { clock: systemClock, ids: systemIds, log, memory: textMemory(), terminals: [running] },
  );
  onTestFinished(() => service.stop());
  return {
    terminal: running,
    service,
    folder,
    config: writeConfig(folder, running.address, service.url, config, serviceChanges),
  };
}

function writeConfig(
  folder: string,
  address: string,
  serviceUrl: string,
  changes: object,
  serviceChanges: object,
): string {
  mkdirSync(join(folder, 'state', 'credentials'), { recursive: true });
  writeFileSync(join(folder, 'state', 'credentials', 'service-key'), SERVICE_KEY, { mode: 0o600 });
  const tcp = /^tcp:\/\/(.+):(\d+)$/.exec(address);
  const link = tcp ? { type: 'tcp', host: tcp[1], port: Number(tcp[2]) } : { type: 'serial', path: address };
  const file = join(folder, 'tilld.jsonc');
  const config = {
    version: 1,
    environment: 'sandbox',
    listen: { port: 0 },
    log: { level: 'debug' },
    recovery: { settle_ms: 1000, read_interval_ms: 100 },
    mirror: { lists: [] },
    service: {
      url: serviceUrl,
      poll_interval_ms: 250,
      requests_per_minute: 6000,
      burst: 200,
      create_local: 'on',
      ...serviceChanges,
    },
    devices: [{ id: DEVICE_ID, name: 'Counter 1', driver: 'zvt', currency: 'EUR', link }],
    ...changes,
  };
  writeFileSync(file, JSON.stringify(config));
  return file;
}

/** A daemon in a process of its own. */
export class Daemon {
  readonly url: string;
  readonly #world: Place;
  readonly #process: ChildProcess;
  readonly #log: string[];

  private constructor(world: Place, process: ChildProcess, url: string, log: string[]) {
    this.#world = world;
    this.#process = process;
    this.url = url;
    this.#log = log;
  }

  /** Starts it and waits for the ready line. `port` 0: any free one. */
  static async start(world: Place, port = 0, preload: readonly string[] = []): Promise<Daemon> {
    const args = [
      ...preload.flatMap((module) => ['--import', module]),
      'src/main.ts',
      '--config',
      world.config,
      '--state-dir',
      join(world.folder, 'state'),
      '--listen',
      `127.0.0.1:${port}`,
    ];
    // The place outside the state folder is this world's own, as that of another machine would be.
    const env = { ...process.env, XDG_STATE_HOME: join(world.folder, 'outside') };
    const child = spawn(process.execPath, args, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] });
    onTestFinished(() => void child.kill('SIGKILL'));
    const log: string[] = [];
    createInterface({ input: child.stderr }).on('line', (line) => log.push(line));
    const url = await new Promise<string>((resolve, reject) => {
      createInterface({ input: child.stdout }).once('line', (line) =>
        resolve(line.replace('tilld ready ', '')),
      );
      child.once('exit', (code) =>
        reject(new Error(`daemon ended with ${code} before it was ready:\n${log.join('\n')}`)),
      );
    });
    return new Daemon(world, child, url, log);
  }

  /** The power cut of a process: nothing is written, nothing is said. */
  async kill(): Promise<void> {
    this.#process.kill('SIGKILL');
    await once(this.#process, 'exit');
  }

  /** An orderly stop; gives the exit code. */
  stop(): Promise<number | null> {
    const ended = this.ended();
    this.signal('SIGTERM');
    return ended;
  }

  signal(name: 'SIGTERM' | 'SIGINT' | 'SIGHUP'): void {
    this.#process.kill(name);
  }

  /** Waits for its end; null when a signal ended it. */
  async ended(): Promise<number | null> {
    const [code] = await once(this.#process, 'exit');
    return typeof code === 'number' ? code : null;
  }

  get socket(): string {
    return join(this.#world.folder, 'state', 'tilld.sock');
  }

  get database(): string {
    return join(this.#world.folder, 'state', 'money.db');
  }

  get log(): string {
    return this.#log.join('\n');
  }
}

/** Looks every 20 ms until `look` gives something, for at most `limitMs`. */
export async function eventually<T>(
  look: () => T | undefined | false | Promise<T | undefined | false>,
  limitMs = 15_000,
): Promise<T> {
  const end = performance.now() + limitMs;
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    if (performance.now() > end) throw new Error(`nothing within ${limitMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
