import { execFile, spawn } from 'node:child_process';
import { closeSync, constants, existsSync, openSync, readdirSync, readlinkSync, realpathSync } from 'node:fs';
import type { Duplex } from 'node:stream';
import { Duplex as DuplexStream } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { AppError, messageOf } from '../../base/errors.ts';
import type { BytePipe } from './byte-pipe.ts';

/** A pseudo-terminal: the till opens `path`, the virtual terminal uses `pipe`. */
export interface Pty {
  /** Device file of the till's side; gone after `pipe.close()`. */
  readonly path: string;
  /** Our side. Like a cable, it ends only by `close`, not when a till closes the port. */
  readonly pipe: BytePipe;
}

/** The used part of a master side. */
interface Master {
  readonly path: string;
  readonly stream: Duplex;
  readonly end: () => void;
}

/** The ways to create a pseudo-terminal; tests replace them. */
export interface PtyMakers {
  /** Loads the package `@lydell/node-pty`; rejects when it is not installed. */
  readonly load: () => Promise<unknown>;
  readonly socat: string;
}

const MAKERS: PtyMakers = { load: () => import('@lydell/node-pty'), socat: 'socat' };

/**
 * Creates a raw pseudo-terminal (no echo, no translation) with `@lydell/node-pty`, else with socat.
 * The till's side is kept open here: otherwise the master ends with EIO as soon as a till closes it.
 * @throws SANDBOX_NO_PTY when neither is available.
 */
export async function openPty(makers: PtyMakers = MAKERS): Promise<Pty> {
  const { path, stream, end } = (await fromNodePty(makers)) ?? (await fromSocat(makers));
  stream.on('error', () => undefined);
  const closed = new Promise<void>((resolve) => stream.once('close', () => resolve()));
  return {
    path,
    pipe: {
      kind: 'serial',
      bytes: { [Symbol.asyncIterator]: () => chunksOf(stream) },
      closed,
      write: async (bytes) => {
        if (stream.writable) stream.write(bytes);
      },
      close: async () => {
        stream.destroy();
        end();
        await closed;
      },
    },
  };
}

async function fromNodePty(makers: PtyMakers): Promise<Master | undefined> {
  const pair = await makers.load().then(openPair, () => undefined);
  if (!pair) return undefined;
  // The package starts the master flowing: without a pause, bytes from a till are lost until a listener is attached.
  pair.master.pause();
  const hold = holdOpen(pair.path);
  const closed = new Promise((resolve) => pair.slave.once('close', resolve));
  pair.slave.destroy();
  await closed;
  closeLeftovers(pair.path, hold);
  await rawMode(pair.path);
  return { path: pair.path, stream: pair.master, end: once(() => closeSync(hold)) };
}

/**
 * libuv opens a tty a second time and never closes the first descriptor: one leak per pty.
 * Only this process has the new pty open yet, so the other descriptor beside `hold` is the leaked one.
 */
function closeLeftovers(path: string, hold: number): void {
  const own = '/proc/self/fd';
  if (!existsSync(own)) return;
  const numbers = readdirSync(own).map(Number);
  for (const fd of numbers) if (fd !== hold && linkOf(`${own}/${fd}`) === path) closeSync(fd);
}

function linkOf(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

/** `open` is missing in the package's types, so its result is checked here. */
function openPair(loaded: unknown): { path: string; master: Duplex; slave: Duplex } | undefined {
  const open = property(loaded, 'open') ?? property(property(loaded, 'default'), 'open');
  if (typeof open !== 'function') return undefined;
  const pair: unknown = open({ encoding: null });
  const path = property(pair, 'ptsName');
  const master = property(pair, 'master');
  const slave = property(pair, 'slave');
  if (typeof path !== 'string' || !(master instanceof DuplexStream) || !(slave instanceof DuplexStream))
    return undefined;
  return { path, master, slave };
}

function property(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

function holdOpen(path: string): number {
  return openSync(path, constants.O_RDWR | constants.O_NOCTTY | constants.O_NONBLOCK);
}

async function rawMode(path: string): Promise<void> {
  await promisify(execFile)('stty', ['-F', path, 'raw', '-echo']);
}

/** socat prints the path of the pty that it created; its standard streams are our side. */
async function fromSocat(makers: PtyMakers): Promise<Master> {
  const child = spawn(makers.socat, ['-d', '-d', 'PTY,rawer', 'STDIO'], { stdio: ['pipe', 'pipe', 'pipe'] });
  const path = await new Promise<string>((resolve, reject) => {
    let said = '';
    child.once('error', (cause) => reject(noPty(cause)));
    child.once('exit', () => reject(noPty(new Error(`socat ended: ${said.slice(0, 200)}`))));
    child.stderr.on('data', (chunk: Buffer) => {
      said = (said + chunk.toString('latin1')).slice(-2000);
      const found = /PTY is (\S+)/.exec(said)?.[1];
      if (found) resolve(found);
    });
  });
  await pause(20);
  const hold = holdOpen(realpathSync(path));
  const stream = DuplexStream.from({ readable: child.stdout, writable: child.stdin });
  child.once('exit', () => stream.destroy());
  const end = once(() => {
    closeSync(hold);
    child.kill('SIGKILL');
  });
  return { path, stream, end };
}

function noPty(cause: unknown): AppError {
  return new AppError(
    'SANDBOX_NO_PTY',
    'a virtual terminal on a pty needs the program socat ("apt install socat"), or from a clone the optional package @lydell/node-pty ' +
      `("npm ci" without --omit=optional); use "over": "tcp" without them (${messageOf(cause)})`,
    { cause },
  );
}

function once(fn: () => void): () => void {
  let done = false;
  return () => {
    if (done) return;
    done = true;
    fn();
  };
}

async function* chunksOf(stream: Duplex): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
      if (chunk instanceof Uint8Array) yield chunk;
    }
  } catch {
    return;
  }
}
