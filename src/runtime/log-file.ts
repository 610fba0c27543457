import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fstatSync,
  ftruncateSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import type { Clock } from '../base/clock.ts';
import { AppError, messageOf } from '../base/errors.ts';
import type { LineSink } from './standard-error.ts';

/** How often a failing file is tried again, and how often a working file is checked to be still under its name, in ms. */
const AGAIN_MS = 10_000;
const LOOK_MS = 1_000;
/** O_NONBLOCK: opening never waits for a reader if the path is a pipe. */
const FLAGS = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NONBLOCK;
const MODE = 0o640;
/** A full disk is no mistake in the configuration. */
const NO_ROOM = /^(ENOSPC|EDQUOT)$/;

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
  /** Writes bytes and returns how many; throws the system's error. */
  readonly put?: (file: number, bytes: Uint8Array) => number;
}

/**
 * The log in a file that rotates itself.
 * Why not a library: the well maintained ones write from a thread of their own or asynchronously. That costs memory, and it loses the last lines of a
 * process that dies at once, which are the lines that matter.
 *
 * INVARIANTS:
 * - `write` never throws: a line that the file does not take goes to `otherwise`;
 * - all files together are never larger than `(keep + 1) × maxBytes`, except for a single line that is larger;
 * - a line is in a file completely, or not at all.
 */
export class LogFile implements LineSink {
  readonly #options: LogFileOptions;
  readonly #ports: Required<LogFileDeps>;
  #file: number | null = null;
  #size = 0;
  #lookedAt = 0;
  #missed = 0;

  private constructor(options: LogFileOptions, deps: LogFileDeps) {
    this.#options = options;
    this.#ports = { put: (file, bytes) => writeSync(file, bytes), ...deps };
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
    this.#ports.otherwise.write(line);
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
    const now = this.#ports.clock.monotonic();
    if (now - this.#lookedAt < (this.#file === null ? AGAIN_MS : LOOK_MS)) return this.#file !== null;
    this.#lookedAt = now;
    if (this.#file !== null && isSame(this.#file, this.#options.path)) return true;
    this.#open();
    return true;
  }

  #append(line: string): void {
    const bytes = Buffer.from(this.#missed > 0 ? missedLine(this.#missed) + line : line);
    if (this.#size > 0 && this.#size + bytes.length > this.#options.maxBytes) this.#rotate();
    this.#putWhole(bytes);
    this.#size += bytes.length;
    this.#missed = 0;
  }

  #putWhole(bytes: Uint8Array): void {
    const file = this.#file ?? -1;
    try {
      for (let rest = bytes; rest.length > 0; ) rest = rest.subarray(this.#ports.put(file, rest));
    } catch (error) {
      ftruncateSync(file, this.#size);
      throw error;
    }
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
    this.#close();
    const file = openSync(this.#options.path, FLAGS, MODE);
    this.#file = file;
    const facts = fstatSync(file);
    if (!facts.isFile()) throw new AppError('LOG_FILE_UNUSABLE', 'it is no ordinary file');
    this.#size = facts.size;
    this.#lookedAt = this.#ports.clock.monotonic();
  }

  #leave(error: unknown): void {
    this.#close();
    this.#lookedAt = this.#ports.clock.monotonic();
    if (this.#missed === 0) this.#ports.notices.write(troubleLine(this.#options.path, error));
  }

  #close(): void {
    const file = this.#file;
    this.#file = null;
    if (file !== null) closeSync(file);
  }
}

function isForWantOfRoom(error: unknown): boolean {
  return error instanceof Error && 'code' in error && NO_ROOM.test(String(error.code));
}

function isSame(file: number, path: string): boolean {
  const named = statSync(path, { throwIfNoEntry: false });
  const open = fstatSync(file);
  return named !== undefined && named.ino === open.ino && named.dev === open.dev;
}

function troubleLine(file: string, error: unknown): string {
  const facts = { level: 'error', file, error: messageOf(error) };
  return `${JSON.stringify({ ...facts, msg: 'the log file takes no lines, they go to standard error' })}\n`;
}

function missedLine(missed: number): string {
  return `${JSON.stringify({ level: 'warn', missed, msg: 'log lines went to standard error: this file took none' })}\n`;
}
