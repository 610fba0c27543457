import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Clock, sleep } from '../base/clock.ts';
import { AppError, hasCode, messageOf } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import { diskStateOf } from '../store/disk/disk-error.ts';
import { freeBytes } from '../store/disk/free-disk-space.ts';
import { ReserveFile } from '../store/disk/reserve-file.ts';
import { RESERVE_FILE } from './disk-space.ts';

/** Bytes that a start writes before it can report anything: the holder file, the shared index, a note, the socket. */
const START_BYTES = 1_048_576;
/** Pause between two checks, in ms. */
const LOOK_MS = 1000;
/** The log repeats the message after so many checks. */
const SAY_AGAIN = 60;

export interface StartDeps {
  /** The state folder. */
  readonly folder: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
}

/**
 * Runs a part of the start that writes. On a full disk tilld deletes the reserve file first; when that is not enough the start waits and says so,
 * because a process that ends and restarts every second does not help.
 * @throws what the work throws, except for lack of disk space; the signal's reason
 */
export async function whenThereIsSpace<T>(
  work: () => T | Promise<T>,
  { folder, clock, log, signal }: StartDeps,
): Promise<T> {
  let why = `less than ${START_BYTES} bytes are free`;
  for (let looks = 0; ; looks += 1) {
    signal.throwIfAborted();
    if (hasSpace(folder)) {
      try {
        return await work();
      } catch (error) {
        if (!isFull(error)) throw error;
        why = messageOf(error);
      }
    }
    if (looks % SAY_AGAIN === 0)
      log.error({ folder, why }, 'the disk is full: the start waits, free some MB where the state folder is');
    await sleep(clock, LOOK_MS, signal, 'room to start');
  }
}

function isFull(error: unknown): boolean {
  return hasCode(error, 'STORAGE_FULL') || (!(error instanceof AppError) && diskStateOf(error) === 'full');
}

function hasSpace(folder: string): boolean {
  if (!existsSync(folder) || freeBytes(folder) >= START_BYTES) return true;
  new ReserveFile(join(folder, RESERVE_FILE)).release();
  return freeBytes(folder) >= START_BYTES;
}
