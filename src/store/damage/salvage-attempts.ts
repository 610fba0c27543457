import type Sqlite from 'better-sqlite3';
import { z } from 'zod';
import type { Attempt } from '../../payment/attempt/attempt.ts';
import {
  ASKED_COLUMNS,
  askedValues,
  BECAME_COLUMNS,
  becameValues,
  snapshotOf,
} from '../attempts/attempt-row.ts';

/** Newest first, of payments without a row of their own. */
const ORPHANS = `SELECT attempt_id AS id, snapshot FROM events
  WHERE attempt_id IS NOT NULL AND attempt_id NOT IN (SELECT id FROM attempts) ORDER BY seq DESC`;
const COLUMNS = [...ASKED_COLUMNS, ...BECAME_COLUMNS];
const INSERT = `INSERT INTO attempts (${COLUMNS.join(', ')}) VALUES (${COLUMNS.map(() => '?').join(', ')})`;
const Orphan = z.object({ id: z.string(), snapshot: z.string() });

/**
 * Rebuilds payments whose row was lost from the newest event of each, which holds the payment as it was then. A final payment keeps its end. An open
 * one may have changed since, and is taken over in doubt, like every open payment of a restored database.
 * @returns how many
 */
export function rebuildAttempts(target: Sqlite.Database): number {
  const insert = target.prepare(INSERT);
  const seen = new Set<string>();
  for (const raw of target.prepare(ORPHANS).all()) {
    const { id, snapshot } = Orphan.parse(raw);
    if (seen.has(id)) continue;
    const attempt = attemptIn(snapshot);
    if (attempt?.id !== id) continue;
    seen.add(id);
    insert.run(...askedValues(attempt), ...becameValues(attempt));
  }
  return seen.size;
}

function attemptIn(snapshot: string): Attempt | null {
  const subject = snapshotOf(snapshot);
  return subject.kind === 'payment' ? subject.view.attempt : null;
}
