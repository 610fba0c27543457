import { z } from 'zod';
import { COPY_REASONS, type CopyReason } from '../../payment/recovery/database-identity.ts';
import type { Database } from '../database.ts';
import type { Readable } from '../read-only-database.ts';

const FIND = "SELECT value FROM facts WHERE name = 'identity'";
const SET = "INSERT OR REPLACE INTO facts (name, value) VALUES ('identity', ?)";

const OPEN_COMPARISON = "SELECT 1 FROM tasks WHERE kind = 'memory_lost' AND done_at IS NULL LIMIT 1";

const Identity = z.object({
  instance: z.string(),
  machine: z.string().nullable(),
  hardware: z.string().nullable(),
  /** The file outside the state folder; null: it could not be written. */
  outside: z.string().nullable(),
  /** Why there is no such file, in words. */
  lack: z.string().nullable(),
  /** Why the database was found to be a copy when its epoch began; null: it was not. */
  copied: z.enum(COPY_REASONS).nullable(),
});

/** What the database says of the place where it was used last. */
export type IdentityFacts = z.infer<typeof Identity>;

/** The stored identity; null: there is none, or it cannot be read. */
export function identityFacts(database: Readable): IdentityFacts | null {
  const row = database.get(FIND);
  if (row === undefined) return null;
  try {
    return Identity.parse(JSON.parse(z.object({ value: z.string() }).parse(row).value));
  } catch {
    return null;
  }
}

/** Whether the last transaction of a terminal still has to be compared. */
export function hasOpenComparison(database: Readable): boolean {
  return database.get(OPEN_COMPARISON) !== undefined;
}

export function storeIdentity(database: Database, facts: IdentityFacts): void {
  database.run(SET, JSON.stringify(facts));
}

/** Records why the database counts as a copy. */
export function noteCopied(database: Database, copied: CopyReason): void {
  const facts = identityFacts(database);
  if (facts) storeIdentity(database, { ...facts, copied });
}
