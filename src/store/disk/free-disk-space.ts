import { accessSync, constants, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { AppError, hasCode, messageOf } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import type { DiskShortage, DiskSpace } from '../../payment/guards/disk-space.ts';
import type { Database } from '../database.ts';
import type { StorageFault } from '../storage-error.ts';
import { diskStateOf, probeDisk } from './disk-error.ts';
import { RESERVE_BYTES, type ReserveFile } from './reserve-file.ts';
import { WalSpace } from './wal-space.ts';

const MIB = 1_048_576;
/**
 * What one payment may write to the log: its creation, its dialogue, an unknown outcome with its recovery, the void that follows from it and the
 * reports of both took 151 pages of 4 KiB with 5 KB of metadata, and 129 with none. This is space for 190.
 */
export const PAYMENT_BYTES = 0.75 * MIB;
/** The end of a request that waited in vain; measured: 20 pages. */
const WAITING_BYTES = 131_072;
/** What a report or a webhook may write beside the running payments. */
const BESIDE_BYTES = 131_072;
/** What a start reserves, and no more: the start waits for each byte of it. The next check adds the rest. */
export const QUIET_BYTES = 3 * MIB;
/** What is reserved while no payment runs; refilled, at three syncs, when less than REFILL_BYTES is left. */
const RESTED_BYTES = 7.5 * MIB;
/** Enough for one payment that begins now, which is checked once more when it runs. */
const REFILL_BYTES = 1.75 * MIB;
/**
 * Reserved beyond the immediate need, so that not every payment has to refill: enough for seven, and with eight terminals the log stays below 8 MiB.
 */
const SPARE_BYTES = 1.125 * MIB;
/** A longer log is emptied before it grows, also while a payment runs. */
const LONGEST_LOG_BYTES = 7 * MIB;
/** Not to be used to the last byte: a file system needs some itself. */
const LEAVE_BYTES = 262_144;
/** Pause between two attempts after the disk rejected one, in ms. */
const TRY_AGAIN_MS = 1000;
const PROBED = { full: 'STORAGE_FULL', read_only: 'STORAGE_READ_ONLY', failing: 'STORAGE_FAILED' } as const;

export interface FreeDiskSpaceDeps {
  readonly database: Database;
  readonly reserve: ReserveFile;
  /** Payments whose outcome is still to be written, and those that wait for a terminal. */
  readonly open: () => { readonly running: number; readonly waiting: number };
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Whether there is disk space for what follows from one more payment, proved by bytes that are on disk already.
 * Why not by the free space that the file system reports: the program that fills the disk takes the last block, too, between the check and the
 * commit. The reported number serves as a cheap check before an attempt, and for messages.
 *
 * INVARIANTS:
 * - while `shortage()` is null the log has space for each running payment and for one more, and for the end of each waiting one; and the reserve file is
 *   complete;
 * - the space that is reserved for running payments is used for nothing else.
 */
export class FreeDiskSpace implements DiskSpace {
  readonly #deps: FreeDiskSpaceDeps;
  readonly #logSpace: WalSpace;
  #shortage: DiskShortage | null = null;
  #hasReserve = false;
  /** Only the start's reservation was made yet. */
  #isAtItsLeast = false;
  /** Commits that fail meanwhile are this class's own attempt. */
  #isTrying = false;
  /** Monotonic time of the last attempt. */
  #triedAt = Number.NEGATIVE_INFINITY;

  constructor(deps: FreeDiskSpaceDeps) {
    this.#deps = deps;
    this.#logSpace = new WalSpace(deps.database);
  }

  shortage(): DiskShortage | null {
    return this.#shortageFor(PAYMENT_BYTES);
  }

  /** Space for one more payment would make the log longer while a payment runs, and a caller that starts no payment needs none. */
  trouble(): DiskShortage | null {
    return this.#shortageFor(BESIDE_BYTES);
  }

  #shortageFor(bytes: number): DiskShortage | null {
    const { database, clock } = this.#deps;
    if (database.failure) return failed(database.failure);
    if (!this.#shortage && isReadOnly(this.#folder)) return this.#found(readOnly(this.#folder));
    if (this.#shortage && clock.monotonic() - this.#triedAt < TRY_AGAIN_MS) return this.#shortage;
    if (!this.#shortage && this.#hasReserve && this.#logSpace.bytes >= this.#kept + bytes) return null;
    return this.#make();
  }

  /**
   * Call it every second: it tries again while the disk rejects writes, and reserves space ahead while no payment runs. False: space is needed, and a
   * payment runs; call it again soon, or it misses the next pause.
   */
  maintain(): boolean {
    const { database, open } = this.#deps;
    if (database.failure) return true;
    if (this.#shortage || isReadOnly(this.#folder)) this.shortage();
    else if (this.#logSpace.bytes < REFILL_BYTES || this.#isAtItsLeast) {
      if (open().running > 0) return false;
      this.#make();
    }
    return true;
  }

  /**
   * A commit was rejected. Full although space was reserved means a copy-on-write file system; the reserve file is deleted, so that the retry finds
   * space.
   */
  refused(fault: StorageFault): void {
    if (this.#isTrying) return;
    if (fault === 'full') {
      this.#hasReserve = false;
      this.#deps.reserve.release();
    }
    if (fault === 'read_only' && !this.#shortage) this.#found(readOnly(this.#folder));
  }

  /** Reserved for the running and the waiting payments. */
  get #kept(): number {
    const { running, waiting } = this.#deps.open();
    return PAYMENT_BYTES * running + WAITING_BYTES * waiting;
  }

  /** The size to reserve: more than the minimum when no payment waits for it. */
  get #target(): number {
    const isStart = this.#triedAt === Number.NEGATIVE_INFINITY;
    const quiet = isStart || this.#deps.open().running > 0 ? QUIET_BYTES : RESTED_BYTES;
    return Math.max(quiet, this.#kept + PAYMENT_BYTES + SPARE_BYTES);
  }

  #make(): DiskShortage | null {
    return this.#found(this.#tried());
  }

  #found(shortage: DiskShortage | null): DiskShortage | null {
    const { clock, log } = this.#deps;
    this.#triedAt = clock.monotonic();
    const before = this.#shortage;
    this.#shortage = shortage;
    if (this.#shortage && this.#shortage.kind !== before?.kind)
      log.error(
        { reason: this.#shortage.kind },
        'no payment is started: what follows from it could not be stored',
      );
    if (!this.#shortage && before)
      log.info({ reason: before.kind }, 'there is room again, payments are taken');
    return this.#shortage;
  }

  #tried(): DiskShortage | null {
    const target = this.#target;
    this.#isAtItsLeast = target === QUIET_BYTES;
    this.#isTrying = true;
    try {
      this.#probe();
      this.#growLog(target);
      this.#mustBeFree(this.#deps.reserve.missing);
      this.#deps.reserve.fill();
      this.#hasReserve = true;
      return null;
    } catch (error) {
      return this.#shortageOf(error, target);
    } finally {
      this.#isTrying = false;
    }
  }

  /** After a rejected write a test block is written. @throws STORAGE_FULL, STORAGE_READ_ONLY, STORAGE_FAILED */
  #probe(): void {
    const state = this.#shortage ? probeDisk(this.#folder) : null;
    if (state) throw new AppError(PROBED[state], `the disk is ${state}`);
  }

  /** Emptying the log needs no new block, but writes all over the database: not while a payment runs, unless the log has grown long. */
  #growLog(target: number): void {
    const space = this.#logSpace;
    const mayRestart = this.#deps.open().running === 0 || space.fileBytes > LONGEST_LOG_BYTES;
    if (space.bytes < target && mayRestart) this.#restart();
    const missing = target - space.bytes;
    if (missing <= 0) return;
    this.#mustBeFree(missing);
    space.grow(missing);
  }

  /** A log that cannot be emptied now, because another process holds the file or the database cannot grow, can still be made longer. */
  #restart(): void {
    const { database, log } = this.#deps;
    try {
      this.#logSpace.restart();
    } catch (error) {
      if (database.failure) throw error;
      log.debug({ error: messageOf(error) }, 'log could not be emptied');
    }
  }

  /** @throws STORAGE_FULL */
  #mustBeFree(bytes: number): void {
    if (bytes <= 0) return;
    if (freeBytes(this.#folder) < bytes + LEAVE_BYTES) throw new AppError('STORAGE_FULL', 'the disk is full');
  }

  #shortageOf(error: unknown, target: number): DiskShortage {
    const { database, log, reserve } = this.#deps;
    const isFull = hasCode(error, 'STORAGE_FULL') || diskStateOf(error) === 'full';
    if (isFull) return full(this.#folder, target - this.#logSpace.bytes + reserve.missing);
    const cannotBeWritten = hasCode(error, 'STORAGE_READ_ONLY') || diskStateOf(error) === 'read_only';
    if (cannotBeWritten) return readOnly(this.#folder);
    if (error instanceof AppError && 'sqlite' in error.context) return failed(error);
    log.error({ error: messageOf(error) }, 'the disk failed while room was made');
    database.fail(new AppError('STORAGE_FAILED', `the disk failed: ${messageOf(error)}`, { cause: error }));
    return failed(error);
  }

  get #folder(): string {
    return dirname(this.#deps.database.path);
  }
}

/**
 * Bytes that tilld can still write, as the file system reports; the largest number when it reports nothing.
 * @throws the system's error
 */
export function freeBytes(folder: string): number {
  const { bavail, bsize, blocks } = statfsSync(folder);
  return blocks === 0 ? Number.MAX_SAFE_INTEGER : bavail * bsize;
}

/** Checked without a write; a mount that became read-only by an error may show only at the next commit. */
function isReadOnly(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return false;
  } catch (error) {
    return diskStateOf(error) === 'read_only';
  }
}

function full(folder: string, missing: number): DiskShortage {
  const mb = Math.ceil(Math.max(missing, RESERVE_BYTES) / 1_000_000) + 1;
  return {
    kind: 'disk_full',
    message: `The disk is full: no payment is started. Free at least ${mb} MB where ${folder} is; tilld then sells on by itself.`,
  };
}

function readOnly(folder: string): DiskShortage {
  return {
    kind: 'read_only',
    message: `The disk cannot be written: no payment is started. Have the file system of ${folder} looked at and mounted writable.`,
  };
}

function failed(error: unknown): DiskShortage {
  return {
    kind: 'storage_failed',
    message: `The disk failed: no payment is started (${messageOf(error)}). tilld starts anew by itself.`,
  };
}
