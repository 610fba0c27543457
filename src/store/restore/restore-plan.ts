import { existsSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { AppError, messageOf } from '../../base/errors.ts';
import { type Owner, writeFileDurably } from '../disk/durable-file.ts';
import { syncFolder } from '../disk/sync-folder.ts';

const PLAN_FILE = 'restore-plan';
/** A file of the state folder itself. */
const Name = z.string().regex(/^[\w.-]+$/);
const Swap = z.object({ target: Name, draft: Name.nullable(), aside: Name });
const Plan = z.object({
  version: z.literal(1),
  /** Epoch ms. */
  at: z.int(),
  /** What a note about the restored database would say. */
  note: z.object({ epoch: z.string(), count: z.int().min(0), hash: z.string() }),
  swaps: z.array(Swap),
});

/**
 * One file that takes the place of another: `target` goes to `aside`, `draft` becomes `target` (null: nothing takes its place). While the draft has its
 * name, whatever is called `target` is the old file.
 */
export type FileSwap = z.infer<typeof Swap>;

/**
 * A restore that is about to be done, in a file of the state folder. It is on disk before the first file is renamed, and is removed when everything is
 * done: the next process that takes the folder finishes it.
 */
export type RestorePlan = z.infer<typeof Plan>;

/** Where the plan is, beside the database. */
export function planPath(database: string): string {
  return join(dirname(database), PLAN_FILE);
}

/** @throws RESTORE_PLAN_UNREADABLE */
export function readPlan(database: string): RestorePlan | null {
  const path = planPath(database);
  if (!existsSync(path)) return null;
  try {
    return Plan.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (cause) {
    throw new AppError(
      'RESTORE_PLAN_UNREADABLE',
      `${path} cannot be read (${messageOf(cause)}): a restore was interrupted, and what is left of it is not known. Nothing was changed, and nothing is sold. ` +
        `Look which of the files money.db and money.db.replaced-… are there, keep a copy of the folder, then: mv ${path} ${path}.unreadable, and tillctl restore FILE`,
      { cause },
    );
  }
}

export function writePlan(database: string, plan: RestorePlan, owner: Owner): void {
  writeFileDurably(planPath(database), `${JSON.stringify(plan)}\n`, { owner });
}

/** It is gone when this returns, whatever happens next. */
export function removePlan(database: string): void {
  rmSync(planPath(database), { force: true });
  syncFolder(dirname(database));
}
