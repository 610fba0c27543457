import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import type { Duplex } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import type { Clock, Timer } from '../base/clock.ts';
import { messageOf } from '../base/errors.ts';
import { childEntry, entryFiles } from './child-entry.ts';
import { FloodLimit } from './flood-limit.ts';
import { FrameReader, frameOf } from './frames.ts';
import { type CallbackAnswer, FromChild, type ToChild } from './messages.ts';

/** How often the process is looked at. */
const TICK_MS = 250;
/** So many ticks without an answer: it hangs. Ticks, not time: a daemon that was stopped itself has seen one tick. */
const HANGS_AFTER_TICKS = 16;
/** Starting Node and loading the package on a busy machine. */
const START_TICKS = 80;
/** JavaScript objects of the package, in MB; buffers are beside them. */
const MAX_HEAP_MB = 64;
/** Resident memory of the process: Node itself takes 50 to 100 MB of it. */
const MAX_RSS_BYTES = 192 * 1_048_576;
/** What may wait for a process that does not read. */
const MAX_BACKLOG_BYTES = 4 * 1_048_576;
const PAGE_BYTES = 4096;
/** The kernel ends such a process before the daemon when memory is short. */
const OOM_SCORE = '500';

export interface PackageFiles {
  readonly name: string;
  /** The folder of the package, as a real path. */
  readonly folder: string;
  /** The module that exports the driver. */
  readonly entry: string;
}

export interface ChildEvents {
  /** A message behind its schema. @throws what breaks the protocol */
  readonly onMessage: (message: FromChild) => void;
  /** Called once, when the process has ended or was ended. */
  readonly onEnd: (reason: string) => void;
}

/**
 * The process of one driver package. Node's permission model gives it its own files to read and nothing to write or start; it gets no
 * environment, no descriptor but the channel, and bounded memory. It is ended with SIGKILL when it hangs, floods, grows or breaks the protocol.
 *
 * INVARIANTS:
 * - what waits in the daemon for it, or came from it, is bounded;
 * - `onEnd` is called once, and no message is passed on afterwards.
 */
export class PackageProcess {
  readonly #child: ChildProcess;
  readonly #toChild: Duplex;
  readonly #fromChild: Duplex;
  readonly #events: ChildEvents;
  readonly #clock: Clock;
  readonly #flood: FloodLimit;
  readonly #reader = new FrameReader();
  #timer: Timer;
  #isReady = false;
  #pings = 0;
  #answered = 0;
  /** Ticks since its last message. */
  #silentTicks = 0;
  #ended = false;

  constructor(files: PackageFiles, clock: Clock, events: ChildEvents) {
    this.#clock = clock;
    this.#events = events;
    this.#flood = new FloodLimit(clock);
    this.#child = spawn(process.execPath, argumentsFor(files), {
      cwd: '/',
      // One thread for files: a process of the service may have so many tasks in all.
      env: { UV_THREADPOOL_SIZE: '1' },
      stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
    });
    this.#toChild = this.#child.stdio[3] as Duplex;
    this.#fromChild = this.#child.stdio[4] as Duplex;
    this.#child.once('error', (error) => this.end(`does not start: ${messageOf(error)}`));
    this.#child.once('exit', (code, signal) =>
      this.end(`ended by itself (${signal ?? `exit code ${code}`})`),
    );
    for (const stream of [this.#toChild, this.#fromChild]) stream.on('error', () => undefined);
    this.#fromChild.on('data', (chunk: Buffer) => this.#read(chunk));
    this.#sacrifice();
    this.#timer = this.#arm();
    const [folder, file] = [pathToFileURL(`${files.folder}/`).href, pathToFileURL(files.entry).href];
    this.send({ type: 'load', folder, file });
  }

  /** Resident memory in bytes; 0 when it cannot be read. */
  get rssBytes(): number {
    try {
      const pages = readFileSync(`/proc/${this.#child.pid}/statm`, 'utf8').split(' ')[1];
      return Number(pages) * PAGE_BYTES;
    } catch {
      return 0;
    }
  }

  /** Whether more may be sent than is waiting already. */
  get isTaking(): boolean {
    return !this.#toChild.writableNeedDrain;
  }

  /** Resolves when it has read what was waiting, or has ended. */
  drained(): Promise<void> {
    if (this.isTaking || this.#ended) return Promise.resolve();
    return new Promise((resolve) => {
      const done = () => {
        this.#toChild.off('drain', done).off('close', done);
        resolve();
      };
      this.#toChild.on('drain', done).on('close', done);
    });
  }

  send(message: ToChild): void {
    if (this.#ended) return;
    if (this.#toChild.writableLength > MAX_BACKLOG_BYTES)
      return void this.end('does not read what it is sent');
    this.#toChild.write(frameOf(message));
  }

  /** Answers the callback that the process waits for. */
  answer(answer: CallbackAnswer): void {
    if (!this.#ended) this.#fromChild.write(frameOf(answer));
  }

  /** Ends it at once; idempotent. */
  end(reason: string): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#timer.stop();
    this.#child.kill('SIGKILL');
    this.#toChild.destroy();
    this.#fromChild.destroy();
    this.#events.onEnd(reason);
  }

  #read(chunk: Buffer): void {
    try {
      for (const { message, bytes } of this.#reader.push(chunk)) {
        if (!this.#flood.takes(bytes)) return void this.end('sends more than a driver has to say');
        this.#take(message);
        if (this.#ended) return;
      }
    } catch (error) {
      this.end(`breaks the protocol of the channel: ${wordsOf(error)}`);
    }
  }

  #take(raw: unknown): void {
    const message = FromChild.parse(raw);
    this.#silentTicks = 0;
    if (message.type === 'pong') {
      if (message.count !== this.#answered + 1 || message.count > this.#pings)
        throw new Error('it answers what it was not asked');
      this.#answered = message.count;
      return;
    }
    if (message.type === 'ready') this.#isReady = true;
    this.#events.onMessage(message);
  }

  #arm(): Timer {
    return this.#clock.timer('driver package', TICK_MS, () => {
      this.#timer = this.#arm();
      this.#look();
    });
  }

  #look(): void {
    if (this.rssBytes > MAX_RSS_BYTES) return void this.end('takes more memory than it may');
    this.#silentTicks += 1;
    const limit = this.#isReady ? HANGS_AFTER_TICKS : START_TICKS;
    if (this.#silentTicks > limit) return void this.end('hangs');
    if (!this.#isReady || this.#answered < this.#pings) return;
    this.#pings += 1;
    this.send({ type: 'ping', count: this.#pings });
  }

  #sacrifice(): void {
    try {
      writeFileSync(`/proc/${this.#child.pid}/oom_score_adj`, OOM_SCORE);
    } catch {
      // It has ended already, or this system has no such file: the limits above hold all the same.
    }
  }
}

/** What broke the protocol, in one line. */
function wordsOf(error: unknown): string {
  if (!(error instanceof z.ZodError)) return messageOf(error).slice(0, 300);
  const { path = [], message = '' } = error.issues[0] ?? {};
  return `${path.join('.').slice(0, 100)}: ${message}`.slice(0, 300);
}

/** The call of Node for a package. @param entry the script that loads it */
export function argumentsFor(
  { folder }: Pick<PackageFiles, 'folder'>,
  entry = childEntry(),
): readonly string[] {
  return [
    '--permission',
    ...[...entryFiles(), `${folder}/`].map((path) => `--allow-fs-read=${path}`),
    `--max-old-space-size=${MAX_HEAP_MB}`,
    '--max-semi-space-size=1',
    '--v8-pool-size=1',
    '--disallow-code-generation-from-strings',
    '--frozen-intrinsics',
    '--no-addons',
    '--no-warnings',
    entry,
  ];
}
