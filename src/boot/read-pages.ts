import { type ChildProcess, execFile } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { z } from 'zod';
import type { Clock, Timer } from '../base/clock.ts';
import { AppError, messageOf } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import type { Lifecycle } from '../runtime/lifecycle.ts';
import { LogRoom } from '../store/disk/log-room.ts';
import type { Money } from './money.ts';
import { tillctlBeside } from './tillctl-beside.ts';

/** How often is looked whether somebody pays: before the reading, and during it. */
const LOOK_MS = { before: 1_000, during: 250 } as const;
/** So long nobody pays before it begins: a customer is often followed by another one. */
export const CALM_MS = 30_000;
/** What could not be read for another reason than its damage is tried again so much later. */
const AGAIN_MS = 3_600_000;
/** Who reads keeps the log from being emptied, and less free room than this makes it longer. */
const LEAST_ROOM_BYTES = 2_097_152;

const Answer = z.object({ data: z.object({ flaw: z.string().nullable() }) });

export interface ReadPagesPorts {
  readonly money: Pick<Money, 'database' | 'unreadPages'>;
  /** Nobody pays, and the disk does what it is told. */
  readonly quiet: () => boolean;
  readonly clock: Clock;
  readonly log: Log;
  readonly lifecycle: Lifecycle;
}

/**
 * Reads every page of the database, where a start has left that for later: in a process of its own, at the lowest priority, while nobody
 * pays. Whoever pays ends it, and it begins anew in the next calm. A flaw ends the trust in the file, and the next start reads it first.
 */
export function readPages({ money, quiet, clock, log, lifecycle }: ReadPagesPorts): void {
  const { database, unreadPages } = money;
  if (unreadPages.owed === 'nothing') return;
  log.info({}, 'the pages of the database are read while nobody pays, after an end that was none');
  const room = new LogRoom(database);
  const state: { timer?: Timer; child: ChildProcess | null; notBefore: number } = {
    child: null,
    notBefore: clock.monotonic() + CALM_MS,
  };
  const stop = () => {
    state.timer?.stop();
    state.child?.kill('SIGKILL');
    state.child = null;
  };
  const later = () => {
    state.timer = clock.timer('unread pages', state.child ? LOOK_MS.during : LOOK_MS.before, look);
  };
  const look = () => {
    if (database.failure) return stop();
    if (!quiet() || room.bytes < LEAST_ROOM_BYTES) {
      stop();
      state.notBefore = clock.monotonic() + CALM_MS;
    } else if (!state.child && clock.monotonic() >= state.notBefore) begin();
    later();
  };
  const begin = () => {
    const child = execFile(
      process.execPath,
      [tillctlBeside(), 'read-pages', database.path],
      (error, output) => {
        if (state.child !== child) return;
        state.child = null;
        ended(error, output);
      },
    );
    state.child = child;
    yieldToAll(child);
  };
  const ended = (error: Error | null, output: string) => {
    try {
      if (error) throw error;
      const { flaw } = Answer.parse(JSON.parse(output)).data;
      stop();
      if (flaw === null) return settle();
      database.fail(new AppError('STORAGE_DAMAGED', `${database.path} is damaged: ${flaw}`));
    } catch (failure) {
      state.notBefore = clock.monotonic() + AGAIN_MS;
      log.warn({ error: messageOf(failure) }, 'the pages of the database could not be read');
    }
  };
  const settle = () => {
    unreadPages.settle();
    log.info({}, 'every page of the database was read, nothing is wrong');
  };
  later();
  lifecycle.started('unread pages', stop);
}

/** Where the system keeps us from that, it reads as everybody does. */
function yieldToAll({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_LOW);
  } catch {}
}
