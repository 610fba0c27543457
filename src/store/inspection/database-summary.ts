import { z } from 'zod';
import { AppError } from '../../base/errors.ts';
import { epochOf } from '../epoch/epoch.ts';
import type { ChainBreak, ChainEnd } from '../journal/journal-chain.ts';
import { chainEnd } from '../journal/journal-chain.ts';
import type { Readable, Reading } from '../read-only-database.ts';
import { canWrite, ownRelease } from '../schema/release.ts';
import { countAttempts, damagedPages, danglingReferences, newestEntryAt, shapeOf } from './checks.ts';
import { type Beside, checkJournal } from './journal-check.ts';
import { doubtsIn, pendingReportsIn } from './open-questions.ts';

const OURS = ['attempts', 'facts', 'journal', 'outbox'] as const;
const Name = z.object({ name: z.string() });
const Count = z.object({ count: z.int() });

/** What a money database holds, after a complete check. */
export interface DatabaseSummary {
  readonly shape: number;
  readonly epoch: string | null;
  readonly attempts: number;
  readonly journal: ChainEnd;
  /** The first row that does not fit; null: the chain is intact. */
  readonly broken: ChainBreak | null;
  /** Epoch ms; null in an empty journal. */
  readonly newestEntryAt: number | null;
  readonly inDoubt: number;
  /** Reports that the service does not have yet. */
  readonly pending: number;
  /** API keys that were not revoked. The database holds their hashes, not the keys. */
  readonly keys: number;
}

/**
 * Checks every page, every reference and every row of the journal.
 * @throws BOOKS_FOREIGN when it is no money database of tilld, STORAGE_TOO_NEW when a later release wrote it, BOOKS_DAMAGED with what is wrong;
 * SQLite's error when nothing can be read
 */
export function summarizeDatabase(database: Reading, beside: Beside): DatabaseSummary {
  const shape = shapeOf(database);
  requireOurs(database);
  if (shape.version > shape.ours && !canWrite(ownRelease(), shape.minWriter))
    throw new AppError(
      'STORAGE_TOO_NEW',
      `a later release wrote these books: install tilld ${shape.minWriter ?? 'of the newest release'} or later`,
    );
  const damages = [
    ...damagedPages(database, true),
    ...danglingReferences(database).map((table) => `${table} names what is not there`),
  ];
  if (damages.length > 0) throw new AppError('BOOKS_DAMAGED', `the books are damaged: ${damages.join('; ')}`);
  const chain = checkJournal(database, beside);
  return {
    shape: shape.version,
    epoch: epochOf(database),
    attempts: countAttempts(database),
    journal: chain.kind === 'whole' ? chain : chainEnd(database),
    broken: chain.kind === 'broken' ? chain : null,
    newestEntryAt: newestEntryAt(database),
    inDoubt: doubtsIn(database).length,
    pending: pendingReportsIn(database).pending,
    keys: Count.parse(database.get('SELECT count(*) AS count FROM api_keys WHERE revoked_at IS NULL')).count,
  };
}

function requireOurs(database: Readable): void {
  const rows = database.all("SELECT name FROM sqlite_schema WHERE type = 'table'");
  const names = new Set(rows.map((row) => Name.parse(row).name));
  if (OURS.every((name) => names.has(name))) return;
  throw new AppError('BOOKS_FOREIGN', 'this is no money database of tilld');
}
