import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { z } from 'zod';
import { openForReading, type Readable } from '../read-only-database.ts';

const Secret = z.object({
  id: z.string(),
  hash: z.string(),
  revokedAt: z.int().nullable(),
  name: z.string(),
  scopes: z.string(),
  allow: z.string(),
  createdAt: z.int(),
});
const Session = z.object({ id: z.string(), hash: z.string() });
const Retired = z.object({ hash: z.string(), keyId: z.string(), endsAt: z.int() });
const Entry = z.object({
  keyId: z.string(),
  at: z.int(),
  event: z.string(),
  caller: z.string(),
  by: z.string().nullable(),
  overlapEndsAt: z.int().nullable(),
});

/** The state of a database's API keys: which were revoked, which secrets are valid, and who changed them. */
export interface KeyStatus {
  readonly secrets: readonly z.infer<typeof Secret>[];
  readonly retired: readonly z.infer<typeof Retired>[];
  readonly audit: readonly z.infer<typeof Entry>[];
  /** Sessions of the pages that have not ended. */
  readonly sessions: readonly z.infer<typeof Session>[];
}

const SECRETS = `SELECT id, hash, revoked_at AS revokedAt, name, scopes, allow, created_at AS createdAt FROM api_keys`;
const SESSIONS = 'SELECT id, hash FROM page_sessions';
const HAS_SESSIONS = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'page_sessions'";
const RETIRED = 'SELECT hash, key_id AS keyId, ends_at AS endsAt FROM retired_key_secrets ORDER BY seq';
const AUDIT = `SELECT key_id AS keyId, at, event, caller, said_by AS by,
  overlap_ends_at AS overlapEndsAt FROM key_audit ORDER BY seq`;
const ROLLS = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'key_audit'";

const REVOKE = 'UPDATE api_keys SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL';
/** A key that was made and revoked after the backup: a later restore of a backup from in between must not bring it back. */
const BURY = `INSERT INTO api_keys (id, name, hash, scopes, allow, created_at, revoked_at)
  VALUES (:id, :name, :hash, :scopes, :allow, :createdAt, :revokedAt) ON CONFLICT DO NOTHING`;
const END_OTHERS = 'DELETE FROM page_sessions WHERE hash NOT IN (SELECT value FROM json_each(?))';
/** The copy may be the newer one of the two: a secret is replaced only when the other database lists it as a retired one. */
const RENEW = 'UPDATE api_keys SET hash = :hash WHERE id = :id AND hash = :before';
const RETIRE = `INSERT INTO retired_key_secrets (hash, key_id, ends_at) SELECT :hash, id, :endsAt FROM api_keys WHERE id = :keyId
  ON CONFLICT (hash) DO UPDATE SET ends_at = min(ends_at, :endsAt)`;
const NOTE = `INSERT INTO key_audit (key_id, at, event, caller, said_by, overlap_ends_at)
  SELECT id, :at, :event, :caller, :by, :overlapEndsAt FROM api_keys WHERE id = :keyId
  AND NOT EXISTS (SELECT 1 FROM key_audit WHERE key_id = :keyId AND at = :at AND event = :event)`;

/** Databases that earlier restores replaced, or that were set aside as damaged, newest first: they know keys that the present one may not. */
export function keptDatabases(path: string): readonly string[] {
  const kept = readdirSync(dirname(path)).filter(
    (name) => KEPT.test(name) && name.startsWith(basename(path)),
  );
  return kept.toSorted((a, b) => dateOf(b).localeCompare(dateOf(a))).map((name) => join(dirname(path), name));
}

/** `.replaced-2026-11-21T224000Z`, `.damaged-2026-11-21-1`; not their logs. */
const KEPT = /\.(replaced|damaged)-[\dTZ-]+$/;

function dateOf(name: string): string {
  return name.slice(name.lastIndexOf('.'));
}

/** The state of a database's keys; null when there is no database, or it cannot be read. */
export function keyStatusIn(path: string): KeyStatus | null {
  if (!existsSync(path)) return null;
  try {
    const database = openForReading(path);
    try {
      const rolls = database.get(ROLLS) !== undefined;
      return {
        secrets: rowsOf(database, SECRETS, Secret),
        retired: rolls ? rowsOf(database, RETIRED, Retired) : [],
        audit: rolls ? rowsOf(database, AUDIT, Entry) : [],
        sessions: database.get(HAS_SESSIONS) ? rowsOf(database, SESSIONS, Session) : [],
      };
    } finally {
      database.close();
    }
  } catch {
    return null;
  }
}

/**
 * Applies revocations and rolled secrets to a copy that does not have them yet: a key that was revoked since, made and revoked since, and a secret that
 * was rolled since. A
 * copy of an older schema has no overlap: there only the newest secret is valid.
 * @returns how many keys were revoked since
 */
export function keepKeyStatus(
  draft: string,
  { secrets, retired, audit }: Omit<KeyStatus, 'sessions'>,
): number {
  const sqlite = new Sqlite(draft);
  try {
    sqlite.pragma('synchronous = FULL');
    return sqlite.transaction(() => {
      const revoke = sqlite.prepare(REVOKE);
      const renew = sqlite.prepare(RENEW);
      const ended = secrets.filter(
        ({ id, revokedAt }) => revokedAt !== null && revoke.run(revokedAt, id).changes > 0,
      );
      const bury = sqlite.prepare(BURY);
      for (const { revokedAt, ...key } of secrets) if (revokedAt !== null) bury.run({ ...key, revokedAt });
      const newest = new Map(secrets.map(({ id, hash }) => [id, hash]));
      for (const { keyId: id, hash: before } of retired)
        renew.run({ id, before, hash: newest.get(id) ?? before });
      if (sqlite.prepare(ROLLS).get() !== undefined) {
        for (const row of retired) sqlite.prepare(RETIRE).run(row);
        for (const row of audit) sqlite.prepare(NOTE).run(row);
      }
      return ended.length;
    })();
  } finally {
    sqlite.close();
  }
}

/** Sessions of the pages that ended after the backup stay ended: only those that are valid now are kept. */
export function keepSessions(draft: string, sessions: KeyStatus['sessions']): void {
  const sqlite = new Sqlite(draft);
  try {
    if (sqlite.prepare(HAS_SESSIONS).get() === undefined) return;
    sqlite.prepare(END_OTHERS).run(JSON.stringify(sessions.map(({ hash }) => hash)));
  } finally {
    sqlite.close();
  }
}

function rowsOf<T extends z.ZodType>(database: Readable, sql: string, row: T): z.output<T>[] {
  return database.all(sql).map((found) => row.parse(found));
}
