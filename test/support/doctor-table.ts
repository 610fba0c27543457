import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { dirname, join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { onTestFinished } from 'vitest';
import { type Machine, THIS_MACHINE } from '../../src/cli/offline/doctor/machine.ts';
import { copyOf, type StateFiles } from '../unit/cli/books.ts';
import { DEVICE_ID } from './attempts.ts';
import { eventually } from './daemon.ts';

const ROOT = join(import.meta.dirname, '../..');
const KEY = 'rk_sandbox_doctor_0123456789';

/** A shop that is well, in which a row of the table plants one fault. */
export class DiagnosticContext {
  readonly books: StateFiles;
  readonly config: string;
  /** The configuration; written when the doctor is asked. */
  settings: Record<string, unknown>;
  /** Written instead of `settings`. */
  configText: string | null = null;
  /** How the configuration may be used. */
  configMode = 0o640;
  machine: Machine = { ...THIS_MACHINE, units: [], recoveryProgram: () => 'works' };
  env: Record<string, string> = {};
  options: { full?: boolean; offline?: boolean; stateDir?: string } = {};
  now = Date.now();
  /** Asked by this user instead, in a process of its own; root only. */
  user: number | null = null;

  constructor(day: StateFiles) {
    this.books = copyOf(day);
    this.config = join(dirname(this.books.folder), 'tilld.jsonc');
    this.settings = {
      version: 1,
      environment: 'sandbox',
      listen: { port: 0 },
      sandbox: { terminals: [{ name: 'Counter 1', protocol: 'zvt' }] },
      devices: [device({ type: 'virtual', terminal: 'Counter 1' })],
    };
  }

  writeConfig(): void {
    writeFileSync(this.config, this.configText ?? JSON.stringify(this.settings));
    chmodSync(this.config, this.configMode);
  }

  state(...names: string[]): string {
    return join(this.books.folder, ...names);
  }

  put(path: string, text: string, mode = 0o600): void {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(path, text);
    chmodSync(path, mode);
  }

  /** A statement on the books, past all their guards. */
  change(sql: string): void {
    const database = new Sqlite(this.books.database).unsafeMode();
    database.exec(sql);
    database.close();
  }

  /** The devices of the shop, instead of the virtual one. */
  devices(...links: object[]): void {
    const { sandbox, ...rest } = this.settings;
    this.settings = { ...rest, devices: links.map((link, index) => device(link, index + 1)) };
  }

  /** The service of the shop and its key. */
  service(url: string, changes: object = {}): void {
    this.settings = { ...this.settings, service: { url, create_local: 'on', ...changes } };
    this.put(this.state('credentials', 'service-key'), KEY);
  }

  /** The unit as it is shipped, changed, and started with the machine. */
  unit(change: (text: string) => string, isEnabled = true, hasSocket = true): void {
    const folder = join(dirname(this.books.folder), 'systemd');
    const text = readFileSync(join(ROOT, 'systemd/tilld.service'), 'utf8');
    this.put(join(folder, 'tilld.service'), change(text), 0o644);
    if (isEnabled) this.put(join(folder, 'multi-user.target.wants/tilld.service'), '');
    if (hasSocket) this.put(join(folder, 'sockets.target.wants/tilld.socket'), '');
    this.machine = { ...this.machine, units: [folder] };
  }

  /** A `/proc` of its own. */
  proc(files: Readonly<Record<string, string>>): void {
    const folder = join(dirname(this.books.folder), 'proc');
    for (const [name, text] of Object.entries(files)) this.put(join(folder, name), text);
    this.machine = { ...this.machine, proc: folder };
  }
}

function device(link: object, number = 1): object {
  const id = number === 1 ? DEVICE_ID : `0199c0de-0000-7000-8000-00000000000${number}`;
  return { id, name: `Counter ${number}`, driver: 'zvt', currency: 'EUR', link };
}

/** What a service of a table says; `headers` beside its own. */
export interface Saying {
  readonly status?: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** False: it is not the service, so no version of the interface stands on the answer. */
  readonly isSigned?: boolean;
}

/** A service over plain HTTP on loopback that says the same to every question, or what `say` makes of its path. */
export async function aService(say: Saying | ((path: string) => Saying | null)): Promise<string> {
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const {
      status = 200,
      body,
      headers = {},
      isSigned = true,
    } = (typeof say === 'function' ? say(request.url ?? '') : say) ?? {};
    const signed = { 'content-type': 'application/json', 'service-version': '2026-05-01', ...headers };
    response.writeHead(status, isSigned ? signed : headers);
    const list = { object: 'list', data: [{ id: DEVICE_ID }], has_more: false };
    response.end(typeof body === 'string' ? body : JSON.stringify(body ?? list));
  });
  return `http://127.0.0.1:${await listening(server)}`;
}

/** Whoever is at a TCP port and does this with each connection. */
export function aListener(serve: (socket: Socket) => void): Promise<number> {
  return listening(
    createTcpServer((socket) => {
      socket.on('error', () => undefined);
      onTestFinished(() => void socket.destroy());
      serve(socket);
    }),
  );
}

export async function listening(server: Server): Promise<number> {
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
}

/** What a test process has open is not for its children: they would pass for owners of its pseudo-terminals. */
const CLOSE_AND_RUN =
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is for the shell
  'for fd in /proc/$$/fd/*; do n=${fd##*/}; [ "$n" -gt 2 ] && eval "exec $n>&-"; done; echo ready; exec "$0" 60';

/** A program of that name, with a file open where one is given. */
export async function aProgram(folder: string, name: string, opens: string | null): Promise<ChildProcess> {
  const path = join(folder, name);
  copyFileSync('/bin/sleep', path);
  chmodSync(path, 0o755);
  const child = spawn('/bin/bash', ['-c', CLOSE_AND_RUN, path], {
    stdio: [opens === null ? 'ignore' : openSync(opens, 'r+'), 'pipe', 'ignore'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  await new Promise((resolve) => child.stdout?.once('data', resolve));
  await eventually(() => readFileSync(`/proc/${child.pid}/comm`, 'utf8').trim() === name);
  return child;
}
