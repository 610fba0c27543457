import {
  accessSync,
  constants,
  existsSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  truncateSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { pino } from 'pino';
import type { Clock } from '../base/clock.ts';
import { AppError, messageOf } from '../base/errors.ts';
import type { LineSink } from './standard-error.ts';

/** How often a failing file is tried again, and how often a working file is checked to be still under its name, in ms. */
const AGAIN_MS = 10_000;
const LOOK_MS = 1_000;
const MODE = 0o640;
/** A full disk is no mistake in the configuration. */
const NO_ROOM = /^(ENOSPC|EDQUOT)$/;

type Destination = ReturnType<typeof pino.destination>;

export interface LogFileOptions {
  readonly path: string;
  /** A file that would become larger is rotated: `PATH.1`, then `PATH.2` … */
  readonly maxBytes: number;
  /** How many rotated files are kept. */
  readonly keep: number;
}

export interface LogFileDeps {
  /** Takes the lines while the file does not. */
  readonly otherwise: LineSink;
  /** Takes the notice that the file takes no lines, and why. */
  readonly notices: LineSink;
  readonly clock: Pick<Clock, 'monotonic'>;
}

/**
 * The log in a file that rotates itself: pino's own destination, and what it leaves to others, which is rotation by size, and where lines go
 * that the file does not take. It is synchronous: pino's rotating transports write from a thread of their own or later, which loses the last lines of a
 * process that dies at once, and these are the lines that matter.
 *
 * INVARIANTS:
 * - `write` never throws: a line that the file does not take goes to `otherwise`;
 * - all files together are never larger than `(keep + 1) × maxBytes`, except for a single line that is larger;
 * - a line is in a file completely, or not at all.
 */
export class LogFile implements LineSink {
  readonly #options: LogFileOptions;
  readonly #deps: LogFileDeps;
  #destination: Destination | null = null;
  #facts: Stats | undefined;
  #failure: unknown = null;
  #size = 0;
  #lookedAt = 0;
  #missed = 0;

  private constructor(options: LogFileOptions, deps: LogFileDeps) {
    this.#options = options;
    this.#deps = deps;
  }

  /** @throws LOG_FILE_UNUSABLE when the file can never be written there */
  static open(options: LogFileOptions, deps: LogFileDeps): LogFile {
    const log = new LogFile(options, deps);
    try {
      // Rotation renames the file, which needs write permission on the folder.
      accessSync(dirname(options.path), constants.W_OK | constants.X_OK);
      log.#open();
    } catch (cause) {
      if (!isForWantOfRoom(cause))
        throw new AppError(
          'LOG_FILE_UNUSABLE',
          `log.file: cannot write ${options.path}: ${messageOf(cause)}`,
          { cause },
        );
      log.#leave(cause);
    }
    return log;
  }

  write(line: string): void {
    try {
      if (this.#isThere()) {
        this.#append(line);
        return;
      }
    } catch (error) {
      this.#leave(error);
    }
    this.#missed += 1;
    this.#deps.otherwise.write(line);
  }

  /** Opens the file again under its name, for example after another program has moved it. */
  reopen(): void {
    try {
      this.#open();
    } catch (error) {
      this.#leave(error);
    }
  }

  /** Lines written to a file that was moved or removed, or whose folder is gone, would be lost. */
  #isThere(): boolean {
    const now = this.#deps.clock.monotonic();
    const destination = this.#destination;
    if (now - this.#lookedAt < (destination ? LOOK_MS : AGAIN_MS)) return destination !== null;
    this.#lookedAt = now;
    if (!destination || !this.#isSame()) this.#open();
    return true;
  }

  #isSame(): boolean {
    const named = statSync(this.#options.path, { throwIfNoEntry: false });
    return named !== undefined && named.ino === this.#facts?.ino && named.dev === this.#facts.dev;
  }

  #append(line: string): void {
    const text = this.#missed > 0 ? missedLine(this.#missed) + line : line;
    const bytes = Buffer.byteLength(text);
    if (this.#size > 0 && this.#size + bytes > this.#options.maxBytes) this.#rotate();
    this.#put(text);
    this.#size += bytes;
    this.#missed = 0;
  }

  /** The destination reports a failed write by its event, within the call. */
  #put(text: string): void {
    this.#failure = null;
    this.#destination?.write(text);
    if (this.#failure === null) return;
    if (this.#isSame()) truncateSync(this.#options.path, this.#size);
    throw this.#failure;
  }

  #rotate(): void {
    const { path, keep } = this.#options;
    for (let age = keep; age > 0; age -= 1) {
      const younger = age === 1 ? path : `${path}.${age - 1}`;
      if (existsSync(younger)) renameSync(younger, `${path}.${age}`);
    }
    if (keep === 0) rmSync(path, { force: true });
    this.#open();
  }

  #open(): void {
    const { path } = this.#options;
    if (statSync(path, { throwIfNoEntry: false })?.isFile() === false)
      throw new AppError('LOG_FILE_UNUSABLE', 'it is no ordinary file');
    if (this.#destination) this.#destination.reopen();
    else this.#destination = this.#opened(path);
    this.#facts = statSync(path);
    this.#size = this.#facts.size;
    this.#lookedAt = this.#deps.clock.monotonic();
  }

  #opened(path: string): Destination {
    // Its own retry of a busy file sleeps for 100 ms.
    const destination = pino.destination({ dest: path, sync: true, mode: MODE, retryEAGAIN: () => false });
    return destination.on('error', (error) => {
      this.#failure = error;
    });
  }

  /** A destination goes on holding the line that it could not write, which is in `otherwise` already: the next one begins with nothing. */
  #leave(error: unknown): void {
    this.#destination?.destroy();
    this.#destination = null;
    this.#lookedAt = this.#deps.clock.monotonic();
    if (this.#missed === 0) this.#deps.notices.write(troubleLine(this.#options.path, error));
  }
}

function isForWantOfRoom(error: unknown): boolean {
  return error instanceof Error && 'code' in error && NO_ROOM.test(String(error.code));
}

function troubleLine(file: string, error: unknown): string {
  const facts = { level: 'error', file, error: messageOf(error) };
  return `${JSON.stringify({ ...facts, msg: 'the log file takes no lines, they go to standard error' })}\n`;
}

function missedLine(missed: number): string {
  return `${JSON.stringify({ level: 'warn', missed, msg: 'log lines went to standard error: this file took none' })}\n`;
}
