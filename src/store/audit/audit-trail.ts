import { hash as digestOf } from 'node:crypto';
import { z } from 'zod';
import type { AuditEntry } from '../../api/ports.ts';
import type { Database } from '../database.ts';
import type { ChainEnd } from '../journal/journal-chain.ts';
import type { Readable } from '../read-only-database.ts';

const BEFORE_FIRST = '0'.repeat(64);
const LAST_AUDIT = 'SELECT seq, hash FROM audit_trail ORDER BY seq DESC LIMIT 1';
const APPEND_AUDIT =
  'INSERT INTO audit_trail (seq, at, event, subject, who, origin, details, hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?)';
const AUDIT_IN_ORDER =
  'SELECT seq, at, event, subject, who, origin, details, hash FROM audit_trail ORDER BY seq';
const AUDIT_HASH = 'SELECT seq, hash FROM audit_trail WHERE seq = ?';
const CUT_SINCE = "SELECT 1 FROM audit_trail WHERE seq > ? AND event = 'trail_cut'";
const HAS_AUDIT = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'audit_trail'";

const Link = z.object({ seq: z.int(), hash: z.string() });

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
  append(database, entry, lastOf(database).seq + 1);
}

/** How far the trail has come; null: it has no entry. */
export function auditEnd(database: Database): ChainEnd | null {
  const { seq, hash } = lastOf(database);
  return seq === 0 ? null : { count: seq, hash };
}

/** Whether the entry that the trail once ended with is not in it any more, and that was not noted yet. */
export function isAuditCut(database: Readable, end: ChainEnd): boolean {
  if (database.get(HAS_AUDIT) === undefined) return true;
  const row = database.get(AUDIT_HASH, end.count);
  if (row !== undefined && Link.parse(row).hash === end.hash) return false;
  return database.get(CUT_SINCE, end.count) === undefined;
}

/** Notes for good that entries are gone: the number of this entry does not follow, so {@link brokenAuditIn} names it from now on. */
export function noteAuditCut(database: Database, end: ChainEnd, at: number): void {
  const last = lastOf(database).seq;
  const entry = { at, event: 'trail_cut', subject: 'audit_trail', who: 'tilld', from: 'start' } as const;
  const details = { last_known: end.count, last_found: last };
  database.transaction(() => append(database, { ...entry, details }, Math.max(last + 2, end.count + 1)));
}

function append(database: Database, entry: AuditEntry, seq: number): void {
  const { at, event, subject, who, from: origin } = entry;
  const next = { seq, at, event, subject, who, origin, details: JSON.stringify(entry.details) };
  const hash = chained(lastOf(database).hash, next);
  database.run(APPEND_AUDIT, seq, at, event, subject, who, origin, next.details, hash);
}

function lastOf(database: Readable): z.infer<typeof Link> {
  const row = database.get(LAST_AUDIT);
  return row === undefined ? { seq: 0, hash: BEFORE_FIRST } : Link.parse(row);
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
