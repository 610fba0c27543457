import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BenchTerminal, CURRENCIES, type Family } from './bench-terminal.ts';
import { BenchTill } from './bench-till.ts';
import { DaemonProcess } from './daemon-process.ts';
import type { Program } from './program.ts';
import { type SyncCounter, syncCounter } from './sync-counter.ts';

/** What a shop is made of. */
export interface ShopOptions {
  readonly terminals: number;
  readonly over: 'tcp' | 'pty';
  readonly family?: Family;
  /** Address of the service; absent: none is configured. */
  readonly service?: { readonly url: string; readonly key: string };
  readonly program?: Program;
  /** Put into the state folder before the daemon starts. */
  readonly prepare?: (stateDir: string) => void | Promise<void>;
  /** What is added to the configuration. */
  readonly config?: object;
  readonly env?: Readonly<Record<string, string>>;
  readonly wrapper?: readonly string[];
  /** Count its syncs; needs a C compiler. */
  readonly counted?: boolean;
  /** Each sync takes so much longer, ms, like one of a slower disk; only where syncs are counted. */
  readonly syncMs?: number;
  /** The program was given `commit-probe.ts`. */
  readonly probed?: boolean;
}

/** A daemon in a process of its own, with terminals and a till in this one, which does nothing else. */
export class BenchShop {
  readonly folder: string;
  readonly devices: readonly string[];
  readonly terminals: readonly BenchTerminal[];
  readonly counter: SyncCounter | null;
  #daemon: DaemonProcess;
  #till: BenchTill;
  readonly #options: ShopOptions;

  private constructor(
    folder: string,
    terminals: readonly BenchTerminal[],
    counter: SyncCounter | null,
    daemon: DaemonProcess,
    options: ShopOptions,
  ) {
    this.folder = folder;
    this.terminals = terminals;
    this.devices = terminals.map((_, index) => deviceId(index));
    this.counter = counter;
    this.#daemon = daemon;
    this.#till = new BenchTill(daemon.socket, CURRENCIES[options.family ?? 'zvt']);
    this.#options = options;
  }

  static async open(options: ShopOptions): Promise<BenchShop> {
    const folder = mkdtempSync(join(tmpdir(), 'tilld-bench-'));
    const { over, family = 'zvt' } = options;
    const terminals = await Promise.all(
      Array.from({ length: options.terminals }, (_, index) => BenchTerminal.start(family, over, index)),
    );
    const counter = options.counted ? syncCounter(folder, options.syncMs) : null;
    writeConfig(folder, terminals, options);
    await options.prepare?.(join(folder, 'state'));
    const daemon = await DaemonProcess.start(daemonOptions(folder, counter, options));
    const shop = new BenchShop(folder, terminals, counter, daemon, options);
    await shop.#settle();
    return shop;
  }

  get daemon(): DaemonProcess {
    return this.#daemon;
  }

  get till(): BenchTill {
    return this.#till;
  }

  /** Where `commit-probe.ts` writes its lines. */
  get probeFile(): string {
    return join(this.folder, 'probe');
  }

  get stateDir(): string {
    return join(this.folder, 'state');
  }

  /** Stops the daemon and starts it again on the same store. */
  restart(program?: Program): Promise<void> {
    return this.whileDown(() => undefined, program);
  }

  /** Kills the daemon and starts it again, on a store that was not closed. */
  async revive(): Promise<void> {
    await this.#daemon.kill();
    await this.restart();
  }

  /** Stops and starts it again, with something done to the store in between. */
  async whileDown(work: () => void, program?: Program): Promise<void> {
    this.#till.close();
    await this.#daemon.stop();
    work();
    const options = daemonOptions(this.folder, this.counter, this.#options);
    this.#daemon = await DaemonProcess.start(program ? { ...options, program } : options);
    this.#till = new BenchTill(this.#daemon.socket, CURRENCIES[this.#options.family ?? 'zvt']);
    await this.#settle();
  }

  async close(): Promise<void> {
    this.#till.close();
    await this.#daemon.stop();
    await Promise.all(this.terminals.map((terminal) => terminal.stop()));
    this.counter?.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Every terminal is there, and somebody listens. */
  async #settle(): Promise<void> {
    await this.#till.open();
    for (;;) {
      const { data } = (await this.#daemon.ask('GET', '/v2/status')) as {
        data: { terminals: { status: string }[] };
      };
      if (data.terminals.every(({ status }) => status === 'ready')) return;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

export function deviceId(index: number): string {
  return `0199c0de-0000-7000-8000-${String(index + 1).padStart(12, '0')}`;
}

function daemonOptions(folder: string, counter: SyncCounter | null, options: ShopOptions) {
  const { program, wrapper, env = {}, probed } = options;
  return {
    config: join(folder, 'tilld.json'),
    stateDir: join(folder, 'state'),
    env: { ...env, ...counter?.env, ...(probed ? { TILLD_PROBE: join(folder, 'probe') } : {}) },
    ...(program ? { program } : {}),
    ...(wrapper ? { wrapper } : {}),
  };
}

function writeConfig(folder: string, terminals: readonly BenchTerminal[], options: ShopOptions): void {
  const credentials = join(folder, 'state', 'credentials');
  mkdirSync(credentials, { recursive: true, mode: 0o700 });
  const { service, family = 'zvt', config } = options;
  if (service) writeFileSync(join(credentials, 'service-key'), `${service.key}\n`, { mode: 0o600 });
  const devices = terminals.map(({ address }, index) => ({
    id: deviceId(index),
    name: `Counter ${index + 1}`,
    driver: family,
    currency: CURRENCIES[family],
    link: linkOf(address),
  }));
  const link = { requests_per_minute: 60_000, burst: 1_000, create_local: 'on' };
  const text = JSON.stringify({
    version: 1,
    environment: 'sandbox',
    log: { level: 'warn' },
    ...(service ? { service: { url: service.url, ...link } } : {}),
    mirror: { lists: [] },
    devices,
    ...config,
  });
  writeFileSync(join(folder, 'tilld.json'), text);
}

function linkOf(address: string): object {
  const [, host, port] = /^tcp:\/\/(.+):(\d+)$/.exec(address) ?? [];
  return port === undefined ? { type: 'serial', path: address } : { type: 'tcp', host, port: Number(port) };
}
