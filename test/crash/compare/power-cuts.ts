import {
  closeSync,
  constants,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { Random } from '../../simulation/random.ts';
import { Disk } from '../power/disk.ts';
import { CORNERS, imageAfterCut } from '../power/loss.ts';
import { isBoundary } from '../record/recording.ts';
import type { RecordedLife } from './recorded-life.ts';

/** Everything that was not synced is lost. */
const ALL_LOST = 1;
/** What is found where not even the table is there. */
const NOTHING: ReadonlySet<string> = new Set();

export interface CutPlan {
  readonly seed: number;
  /** Moments at which the power is cut, besides the very end. */
  readonly moments: number;
  /** Disks per moment: on the first everything is lost that was not synced, on the others chance decides write by write. */
  readonly disks: number;
}

/** What a queue has lost in every power cut of a plan. */
export interface Losses {
  readonly acknowledged: number;
  readonly images: number;
  readonly images_with_loss: number;
  /** Of those, disks on which the database could not be read any more: all that was acknowledged is lost there. */
  readonly images_unreadable: number;
  /** Jobs. */
  readonly lost_worst: number;
  readonly lost_median: number;
  /** Right after the last acknowledgement, when everything is lost that was not synced. */
  readonly lost_at_the_end: number;
}

/**
 * Cuts the power of a recorded life, at moments drawn from a seed between its first and its last acknowledgement and right after the
 * last one, and counts on every disk that comes of it the jobs that were acknowledged before the cut and are not in the table.
 * `folder` takes the disks, one at a time.
 * @throws Error when the recording does not lead to the files that are there: something was written past it.
 */
export function cutPower(life: RecordedLife, find: string, plan: CutPlan, folder: string): Losses {
  const { events, database } = life;
  const end = events.findLastIndex(({ type }) => type === 'ack');
  const chosen = new Set(momentsOf(events.slice(0, end), plan));
  const disk = new Disk();
  const promised: string[] = [];
  const counts: number[] = [];
  let unreadable = 0;
  let atTheEnd = 0;
  for (const [index, event] of events.entries()) {
    disk.apply(event);
    if (event.type === 'ack') promised.push(event.text);
    if (!chosen.has(index) && index !== end) continue;
    for (let number = 0; number < plan.disks; number += 1) {
      const { files } = imageAfterCut(disk, index, seedOf(plan, number));
      const found = foundIn(files, database, find, folder);
      const lost = found === null ? promised.length : promised.filter((id) => !found.has(id)).length;
      counts.push(lost);
      if (found === null) unreadable += 1;
      if (index === end && number === 0) atTheEnd = lost;
    }
  }
  mustLeadTo(disk, life.files);
  const sorted = counts.toSorted((a, b) => a - b);
  return {
    acknowledged: promised.length,
    images: counts.length,
    images_with_loss: counts.filter((lost) => lost > 0).length,
    images_unreadable: unreadable,
    lost_worst: sorted.at(-1) ?? 0,
    lost_median: sorted[Math.floor(sorted.length / 2)] ?? 0,
    lost_at_the_end: atTheEnd,
  };
}

/** One moment out of each of as many equal stretches of the life as there shall be moments. */
function momentsOf(events: RecordedLife['events'], { seed, moments }: CutPlan): readonly number[] {
  const first = events.findIndex(({ type }) => type === 'ack');
  const all = [...events.keys()].filter((index) => index > first && isBoundaryAt(events, index));
  if (all.length <= moments) return all;
  const random = new Random(seed, 'moments');
  const stretch = all.length / moments;
  return Array.from({ length: moments }, (_, number) => {
    return all[Math.floor((number + random.next()) * stretch)] ?? 0;
  });
}

function isBoundaryAt(events: RecordedLife['events'], index: number): boolean {
  const event = events[index];
  return event !== undefined && isBoundary(event);
}

function seedOf({ seed }: CutPlan, number: number): number {
  return number === 0 ? ALL_LOST : CORNERS + seed * 1000 + number;
}

function mustLeadTo(disk: Disk, files: ReadonlyMap<string, Buffer>): void {
  const seen = disk.seen();
  const wrong = [...new Set([...seen.keys(), ...files.keys()])].find((name) => {
    const there = files.get(name);
    return !there || !seen.get(name)?.equals(there);
  });
  if (wrong !== undefined) throw new Error(`the recording of ${wrong} misses something`);
}

/** What is in the table after the next start; null where the database cannot be read. */
function foundIn(
  files: ReadonlyMap<string, Buffer>,
  database: string,
  find: string,
  folder: string,
): ReadonlySet<string> | null {
  layOut(files, folder);
  if (!files.has(database)) return NOTHING;
  let sqlite: Sqlite.Database | null = null;
  try {
    sqlite = new Sqlite(join(folder, database));
    return new Set(sqlite.prepare(find).pluck().all().map(String));
  } catch (error) {
    if (!(error instanceof Sqlite.SqliteError)) throw error;
    return error.message.startsWith('no such table') ? NOTHING : null;
  } finally {
    sqlite?.close();
  }
}

/** Makes the folder hold these files and no others. Written over, not made anew: thousands of disks come and go here. */
function layOut(files: ReadonlyMap<string, Buffer>, folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(folder, { encoding: 'utf8' })) {
    if (!files.has(name)) rmSync(join(folder, name));
  }
  for (const [name, content] of files) {
    const fd = openSync(join(folder, name), constants.O_RDWR | constants.O_CREAT);
    writeSync(fd, content, 0, content.length, 0);
    ftruncateSync(fd, content.length);
    closeSync(fd);
  }
}
