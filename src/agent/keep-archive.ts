import { basename, dirname } from 'node:path';
import type { Clock, Timer } from '../base/clock.ts';
import { hasCode, messageOf } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import type { Config } from '../config/schema.ts';
import type { Lifecycle } from '../runtime/lifecycle.ts';
import { Archiver } from '../store/archive/archiver.ts';
import { freeBytes } from '../store/disk/free-disk-space.ts';
import { ArchiveRepair } from './archive-repair.ts';
import type { Money } from './money.ts';

const DAY_MS = 86_400_000;
/** Pause between two steps while there are rows to move: some hundred rows, five payments a second. */
const BUSY_MS = 1_000;
/** Pause when no row is old enough: old payments come one by one. */
const IDLE_MS = 600_000;
/** Free space that stays beyond the space for payments: the archive must not fill the disk. */
const LEAVE_BYTES = 33_554_432;

export interface KeepArchiveDeps {
  readonly money: Pick<Money, 'database' | 'archive' | 'journalWatch'>;
  readonly retention: Config['retention'];
  /** No payment runs, and the disk accepts writes. */
  readonly quiet: () => boolean;
  readonly clock: Clock;
  readonly log: Log;
  readonly lifecycle: Lifecycle;
}

/** State of the archiving: why it stopped, in words; null: nothing is wrong. */
export interface ArchiveKeeping {
  readonly trouble: string | null;
}

/**
 * Moves old timelines into the archive, step by step, while no payment runs, and only when the whole journal was checked and is intact: archived rows
 * are proved first. A damaged archive is set aside once its readable chunks are in a new one; any other error stops the archiving until the next
 * start, and nothing else.
 */
export function keepArchive(deps: KeepArchiveDeps): ArchiveKeeping {
  const { money, retention, clock, log, lifecycle } = deps;
  const { archive_after_days: days } = retention;
  const state: { trouble: string | null; timer?: Timer } = { trouble: null };
  if (days === 'never') return state;
  const archiver = new Archiver({ money: money.database, archive: () => money.archive.archive() });
  const repair = new ArchiveRepair(deps);
  const later = (ms: number) => {
    state.timer = clock.timer('archive', ms, step);
  };
  const step = () => {
    try {
      if (!mayWork(deps)) return later(BUSY_MS);
      if (repair.isDue) {
        repair.step();
        return later(BUSY_MS);
      }
      const now = clock.now();
      later(archiver.turn(now - days * DAY_MS, now) === 'nothing' ? IDLE_MS : BUSY_MS);
    } catch (error) {
      if (hasCode(error, 'STORAGE_FULL')) return later(IDLE_MS);
      state.trouble = repair.takes(error) ? null : troubleOf(error, deps);
      if (state.trouble === null) return later(BUSY_MS);
      log.error({ error: state.trouble }, 'nothing is archived any more until the next start');
    }
  };
  later(BUSY_MS);
  lifecycle.started('archive', () => {
    state.timer?.stop();
    repair.close();
  });
  return state;
}

function mayWork({ money, quiet }: KeepArchiveDeps): boolean {
  const { journalWatch } = money;
  if (!journalWatch.isDone || journalWatch.found.kind !== 'whole' || !quiet()) return false;
  return freeBytes(dirname(money.archive.path)) > LEAVE_BYTES;
}

/** A file that is no database any more is renamed and kept, and a new one is created. null: the work continues. */
function troubleOf(error: unknown, { money, clock, log }: KeepArchiveDeps): string | null {
  const { archive } = money;
  if (!archive.isNoDatabase(error)) return messageOf(error);
  try {
    const kept = archive.setAside(new Date(clock.now()).toISOString().slice(0, 10));
    log.error({ kept: basename(kept), error: messageOf(error) }, 'archive is damaged, it was set aside');
    return null;
  } catch (failure) {
    return messageOf(failure);
  }
}
