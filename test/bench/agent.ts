import type { ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DaemonProcess } from './daemon-process.ts';
import { startWorld } from './world.ts';
import type { WorldPlaces } from './world-process.ts';

export const DEVICE_ID = '0199c0de-0000-7000-8000-0000000000be';
const KEY = 'rk_sandbox_bench';

/** The real daemon in a process of its own, with the service and a terminal in another. */
export class BenchAgent {
  readonly folder: string;
  readonly #daemon: DaemonProcess;
  readonly #world: ChildProcess;

  private constructor(folder: string, daemon: DaemonProcess, world: ChildProcess) {
    this.folder = folder;
    this.#daemon = daemon;
    this.#world = world;
  }

  /** @param config what is added to the configuration */
  static async start(config: object, customers: number): Promise<BenchAgent> {
    const folder = mkdtempSync(join(tmpdir(), 'tilld-bench-'));
    const { world, places } = await startWorld({ key: KEY, deviceIds: [DEVICE_ID], customers });
    const file = writeConfig(folder, places, config);
    const daemon = await DaemonProcess.start({ config: file, stateDir: join(folder, 'state') });
    return new BenchAgent(folder, daemon, world);
  }

  /** Resident memory of the daemon, in bytes. */
  rss(): number {
    return this.#daemon.rss();
  }

  get mirror(): string {
    return join(this.folder, 'state', 'mirror.db');
  }

  /** A request over the unix socket, which needs no key. @throws Error with the body for anything but 2xx */
  ask(method: string, path: string, body?: unknown): Promise<unknown> {
    return this.#daemon.ask(method, path, body);
  }

  async stop(): Promise<void> {
    await this.#daemon.stop();
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
