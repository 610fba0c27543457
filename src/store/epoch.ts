import { existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import type { Database } from './database.ts';
import { writeFileDurably } from './durable-file.ts';

const FIND = "SELECT value FROM facts WHERE name = 'epoch'";
const SET = "INSERT OR REPLACE INTO facts (name, value) VALUES ('epoch', ?)";

/** `new`: nothing was here before; `same`: the database that was here last time; `other`: a fresh, restored or foreign one. */
export type EpochCheck = 'new' | 'same' | 'other';

/**
 * Compares the database's epoch with the file beside it, and writes both when nothing was here before.
 * @param fresh a new id, used only then
 */
export function checkEpoch(database: Database, path: string, fresh: string): EpochCheck {
  const row = database.get(FIND);
  const stored = row === undefined ? null : z.object({ value: z.string() }).parse(row).value;
  const beside = existsSync(path) ? readFileSync(path, 'utf8').trim() : null;
  if (stored !== null && stored === beside) return 'same';
  const check = stored === null && beside === null ? 'new' : 'other';
  const epoch = stored ?? fresh;
  if (stored === null) database.run(SET, epoch);
  writeFileDurably(path, `${epoch}\n`);
  return check;
}
