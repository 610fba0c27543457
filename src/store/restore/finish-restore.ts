import { chownSync, existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { syncFolder } from '../disk/sync-folder.ts';
import { noteRestored } from '../epoch/epoch-note.ts';
import { type FileSwap, type RestorePlan, readPlan, removePlan } from './restore-plan.ts';

/** The files of one database; the log first, because without its database it is useless. */
const PARTS = ['-wal', '-shm', ''] as const;
const DRAFT = /^((money|archive)\.db\.restoring-|restore-plan\.new$)/;

/** The files of a state folder that a restore changes. */
export interface RestorePlace {
  readonly database: string;
  readonly epoch: string;
  readonly unreadPages: string;
}

/**
 * Does what a plan says, whatever of it was done before it was interrupted. Before it the old database is in place, after it the restored one; the
 * caller holds the state folder, so that no other process sees anything in between.
 * @returns the finished plan; null: there was none. Drafts of a restore that had not come to its plan are removed.
 * @throws RESTORE_PLAN_UNREADABLE, and the system's error: the plan stays then
 */
export function finishRestore(place: RestorePlace): RestorePlan | null {
  const folder = dirname(place.database);
  const plan = existsSync(folder) ? readPlan(place.database) : null;
  if (plan !== null) {
    // The note comes first: from now on the next start takes whatever database is there for a restored one.
    noteRestored(place.epoch, plan.note);
    for (const swap of plan.swaps) swapFiles(folder, swap);
    giveLike(place.epoch, place.database);
    rmSync(place.unreadPages, { force: true });
    removePlan(place.database);
  }
  removeDrafts(folder);
  return plan;
}

function swapFiles(folder: string, { target, draft, aside }: FileSwap): void {
  const [from, to] = [join(folder, target), join(folder, aside)];
  if (draft !== null && !existsSync(join(folder, draft))) return;
  for (const part of PARTS) if (existsSync(from + part)) renameSync(from + part, to + part);
  // The old log must not come back beside the new database.
  syncFolder(folder);
  if (draft !== null) renameSync(join(folder, draft), from);
  syncFolder(folder);
}

/** tilld must be able to write a file that root made. */
function giveLike(path: string, like: string): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(like);
  chownSync(path, uid, gid);
}

function removeDrafts(folder: string): void {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder).filter((one) => DRAFT.test(one)))
    rmSync(join(folder, name), { force: true });
}
