import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { zvt } from '../../drivers/terminals/zvt/manifest.ts';
import { sectionOf } from '../support/driver-packages/write-package.ts';

/** So many copies take turns: a package that failed is started again after a pause that grows. */
const COPIES = 6;
const SOURCE = join(import.meta.dirname, 'hostile-package');
const CONNECTED_MS = 40_000;
const ANSWER_MS = 20_000;

/** What the package is told to do: at once, or in its next payment. */
export interface Instruction {
  readonly name: string;
  readonly argument?: unknown;
  readonly when?: 'payment';
}

/** One copy of the package, with the terminal that its driver is connected to; the terminal is ours. */
export interface HostileCopy {
  readonly name: string;
  readonly deviceId: string;
  /** Waits for its driver, tells it what to do and hears what came; null when the connection ended instead. */
  instruct(instruction: Instruction): Promise<string | null>;
}

/** Copies of the hostile package, installed beside a daemon, and the terminals that they talk to. */
export class HostilePackages {
  readonly folder: string;
  readonly copies: readonly HostileCopy[];
  readonly #servers: readonly Terminal[];
  #next = 0;

  private constructor(folder: string, servers: readonly Terminal[]) {
    this.folder = folder;
    this.#servers = servers;
    this.copies = servers.map(({ name, deviceId }, index) => ({
      name,
      deviceId,
      instruct: (instruction) => (servers[index] as Terminal).instruct(instruction),
    }));
  }

  /** Installs the copies under a folder. @param secret a file that a package would like to read */
  static async install(under: string, secret: string): Promise<HostilePackages> {
    const folder = join(under, 'driver-packages');
    const servers: Terminal[] = [];
    for (let copy = 1; copy <= COPIES; copy += 1) {
      const name = `hostile-${copy}`;
      cpSync(SOURCE, join(folder, name), { recursive: true });
      symlinkSync(secret, join(folder, name, 'linked.json'));
      const manifest = { name, type: 'module', main: 'driver.js', tilld: sectionOf(zvt, name) };
      writeFileSync(join(folder, name, 'package.json'), JSON.stringify(manifest));
      servers.push(await Terminal.listen(name, `0199c0de-0000-7000-8000-0000000001${copy}0`));
    }
    mkdirSync(folder, { recursive: true });
    return new HostilePackages(folder, servers);
  }

  /** What the configuration says of them. */
  config(): { readonly driver_packages: readonly string[]; readonly devices: readonly object[] } {
    return {
      driver_packages: this.copies.map(({ name }) => name),
      devices: this.#servers.map(({ name, deviceId, port }) => ({
        id: deviceId,
        name,
        driver: name,
        currency: 'EUR',
        link: { type: 'tcp', host: '127.0.0.1', port },
      })),
    };
  }

  /** The copy whose turn it is. */
  next(): HostileCopy {
    const copy = this.copies[this.#next % COPIES] as HostileCopy;
    this.#next += 1;
    return copy;
  }

  async close(): Promise<void> {
    await Promise.all(this.#servers.map((server) => server.close()));
  }
}

/** A terminal on TCP whose other side is the hostile driver. It hangs up on everyone until it is first needed. */
class Terminal {
  readonly name: string;
  readonly deviceId: string;
  readonly #server: Server;
  #isAwake = false;
  #driver: Socket | null = null;
  #onDriver: () => void = () => undefined;

  private constructor(name: string, deviceId: string, server: Server) {
    this.name = name;
    this.deviceId = deviceId;
    this.#server = server;
    server.on('connection', (socket) => this.#connected(socket));
  }

  static listen(name: string, deviceId: string): Promise<Terminal> {
    const server = createServer();
    return new Promise((resolve) => {
      server.listen(0, '127.0.0.1', () => resolve(new Terminal(name, deviceId, server)));
    });
  }

  get port(): number {
    const address = this.#server.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  }

  async instruct(instruction: Instruction): Promise<string | null> {
    const socket = await this.#connection();
    return new Promise((resolve) => {
      let heard = '';
      const timer = setTimeout(() => done('no answer'), ANSWER_MS);
      const onData = (chunk: Buffer) => {
        heard += chunk.toString('latin1');
        if (heard.includes('\n')) done(heard.trim());
      };
      const onClose = () => done(null);
      const done = (answer: string | null) => {
        clearTimeout(timer);
        socket.off('data', onData).off('close', onClose);
        resolve(answer);
      };
      socket.on('data', onData).once('close', onClose);
      socket.write(`${JSON.stringify(instruction)}\n`);
    });
  }

  async close(): Promise<void> {
    this.#driver?.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #connection(): Promise<Socket> {
    this.#isAwake = true;
    const until = performance.now() + CONNECTED_MS;
    while (!this.#driver) {
      if (performance.now() > until) throw new Error(`${this.name} does not connect`);
      await new Promise<void>((resolve) => {
        this.#onDriver = resolve;
        setTimeout(resolve, 500);
      });
    }
    return this.#driver;
  }

  #connected(socket: Socket): void {
    socket.on('error', () => undefined);
    if (!this.#isAwake) return void socket.destroy();
    socket.once('close', () => {
      if (this.#driver === socket) this.#driver = null;
    });
    socket.once('data', (chunk) => {
      if (!chunk.toString().startsWith('hello')) return;
      this.#driver = socket;
      this.#onDriver();
    });
  }
}
