import { chmodSync, chownSync, existsSync, type Stats, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { syncFolder } from '../disk/sync-folder.ts';
import type { EpochNote } from '../epoch/epoch-note.ts';
import { type FileSwap, type RestorePlan, writePlan } from './restore-plan.ts';

const PARTS = ['-wal', '-shm', ''] as const;

/** A finished copy, on disk, and the file whose place it takes; `draft` null: the file is only set aside. */
export interface Replacement {
  readonly target: string;
  readonly draft: string | null;
}

/**
 * Writes the plan of a restore: it is on disk when this returns, and nothing is renamed yet.
 * @param note what a note about the restored database would say
 * @param at epoch ms
 */
export function planRestore(
  database: string,
  replacements: readonly Replacement[],
  note: EpochNote,
  at: number,
): RestorePlan {
  const like = likeness(database);
  for (const { draft } of replacements) if (draft !== null) makeLike(draft, like);
  const swaps = replacements.map(
    ({ target, draft }): FileSwap => ({
      target: basename(target),
      draft: draft && basename(draft),
      aside: basename(freeName(`${target}.replaced-${stamp(at)}`)),
    }),
  );
  const { epoch, count, hash } = note;
  const plan: RestorePlan = { version: 1, at, note: { epoch, count, hash }, swaps };
  // A plan that outlived its drafts in a power cut would set the old database aside for nothing.
  syncFolder(dirname(database));
  writePlan(database, plan, like);
  return plan;
}

/** Where the old file of a swap is afterwards; null: there was none. */
export function asideOf({ swaps }: RestorePlan, target: string): string | null {
  const swap = swaps.find((one) => one.target === basename(target));
  const aside = swap && join(dirname(target), swap.aside);
  return aside !== undefined && PARTS.some((part) => existsSync(aside + part)) ? aside : null;
}

/** Owner and group of the database; for a new folder, those of the folder. */
function likeness(database: string): Stats {
  return statSync(existsSync(database) ? database : dirname(database));
}

/** tilld must be able to write a file that root made. */
function makeLike(path: string, { uid, gid, mode }: Stats): void {
  chmodSync(path, (mode & 0o660) | 0o600);
  if (process.getuid?.() === 0) chownSync(path, uid, gid);
}

/** `2026-11-21T224000Z` */
function stamp(at: number): string {
  return new Date(at).toISOString().slice(0, 19).replaceAll(':', '').concat('Z');
}

function freeName(wanted: string): string {
  for (let number = 1; number < 1000; number += 1) {
    const name = number === 1 ? wanted : `${wanted}-${number}`;
    if (PARTS.every((part) => !existsSync(`${name}${part}`))) return name;
  }
  return wanted;
}
