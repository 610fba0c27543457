import { hash as digestOf } from 'node:crypto';
import { z } from 'zod';
import type { AuditEntry } from '../../api/ports.ts';
import type { Database } from '../database.ts';
import type { Readable } from '../read-only-database.ts';

const BEFORE_FIRST = '0'.repeat(64);
const LAST_AUDIT = 'SELECT seq, hash FROM audit_trail ORDER BY seq DESC LIMIT 1';
const APPEND_AUDIT =
  'INSERT INTO audit_trail (seq, at, event, subject, who, origin, details, hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?)';
const AUDIT_IN_ORDER =
  'SELECT seq, at, event, subject, who, origin, details, hash FROM audit_trail ORDER BY seq';
const HAS_AUDIT = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'audit_trail'";

const Last = z.object({ seq: z.int(), hash: z.string() });

/** A row as it is stored; `details` is JSON. */
export const AuditRow = z.object({
  seq: z.int(),
  at: z.int(),
  event: z.string(),
  subject: z.string(),
  who: z.string(),
  origin: z.string(),
  details: z.string(),
  hash: z.string(),
});
type Unchained = Omit<z.infer<typeof AuditRow>, 'hash'>;

/** Appends an entry to the chain; the transaction is the caller's. */
export function appendAudit(database: Database, entry: AuditEntry): void {
  const row = database.get(LAST_AUDIT);
  const last = row === undefined ? { seq: 0, hash: BEFORE_FIRST } : Last.parse(row);
  const { at, event, subject, who, from: origin } = entry;
  const next = { seq: last.seq + 1, at, event, subject, who, origin, details: JSON.stringify(entry.details) };
  const hash = chained(last.hash, next);
  database.run(APPEND_AUDIT, next.seq, at, event, subject, who, origin, next.details, hash);
}

/** The number of the first row that was changed, added, moved or removed since it was written; null: the chain is whole. */
export function brokenAuditIn(database: Readable): number | null {
  if (database.get(HAS_AUDIT) === undefined) return null;
  let last = { seq: 0, hash: BEFORE_FIRST };
  for (const raw of database.all(AUDIT_IN_ORDER)) {
    const row = AuditRow.parse(raw);
    if (row.seq !== last.seq + 1 || row.hash !== chained(last.hash, row)) return row.seq;
    last = row;
  }
  return null;
}

function chained(previous: string, { seq, at, event, subject, who, origin, details }: Unchained): string {
  const text = JSON.stringify([seq, at, event, subject, who, origin, details]);
  return digestOf('sha256', `${previous}\n${text}`);
}
