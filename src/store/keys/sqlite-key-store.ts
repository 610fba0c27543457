import { z } from 'zod';
import type { ApiKeyRecord, ApiKeyStore, FoundKey, KeyAuditEntry } from '../../api/ports.ts';
import { appendAudit } from '../audit/audit-trail.ts';
import type { Database } from '../database.ts';

const COLUMNS = `api_keys.id, name, api_keys.hash, scopes, allow, created_at AS createdAt, expires_at AS expiresAt,
  revoked_at AS revokedAt, last_used_at AS lastUsedAt, (SELECT max(nullif(ends_at, 0)) FROM retired_key_secrets AS before
  WHERE before.key_id = api_keys.id) AS overlapEndsAt`;
const INSERT = `INSERT INTO api_keys (id, name, hash, scopes, allow, created_at, expires_at, revoked_at, last_used_at)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`;
/** One statement for both, so that an old secret takes as long as a new one. */
const BY_HASH = `SELECT ${COLUMNS}, api_keys.hash AS shown, NULL AS endsAt FROM api_keys WHERE hash = CAST(? AS TEXT)
  UNION ALL SELECT ${COLUMNS}, retired.hash AS shown, retired.ends_at AS endsAt
  FROM retired_key_secrets AS retired JOIN api_keys ON api_keys.id = retired.key_id WHERE retired.hash = CAST(? AS TEXT) LIMIT 1`;
const FIND = `SELECT ${COLUMNS} FROM api_keys WHERE id = ?`;
const END_OLDER = 'UPDATE retired_key_secrets SET ends_at = 0 WHERE key_id = ?';
const RETIRE = `INSERT INTO retired_key_secrets (hash, key_id, ends_at) SELECT hash, id, ? FROM api_keys WHERE id = ?`;
const RENEW = 'UPDATE api_keys SET hash = ? WHERE id = ?';
const REVOKE = 'UPDATE api_keys SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL';
const TOUCH = 'UPDATE api_keys SET last_used_at = ? WHERE id = ?';
const LIST = `SELECT ${COLUMNS} FROM api_keys ORDER BY created_at DESC, id DESC`;
const NOTE =
  'INSERT INTO key_audit (key_id, at, event, caller, said_by, overlap_ends_at) VALUES (?, ?, ?, ?, ?, ?)';
const AUDIT = `SELECT key_id AS keyId, at, event, caller, said_by AS by, overlap_ends_at AS overlapEndsAt FROM key_audit
  WHERE key_id = ? ORDER BY seq DESC`;

const json = <T extends z.ZodType>(schema: T) =>
  z.string().transform((text) => schema.parse(JSON.parse(text)));
const Row = z.object({
  id: z.string(),
  name: z.string(),
  hash: z.string(),
  scopes: json(
    z.array(
      z.enum([
        'payments:read',
        'payments:write',
        'webhooks:read',
        'webhooks:write',
        'invoices:read',
        'customers:read',
        'products:read',
        'subscriptions:read',
        'finance:read',
        'settings:read',
        'settings:write',
      ]),
    ),
  ),
  allow: json(z.array(z.string())),
  createdAt: z.int(),
  expiresAt: z.int().nullable(),
  revokedAt: z.int().nullable(),
  lastUsedAt: z.int().nullable(),
  overlapEndsAt: z.int().nullable(),
});
const Shown = z.object({ shown: z.string(), endsAt: z.int().nullable() });
const AuditRow = z.object({
  keyId: z.string(),
  at: z.int(),
  event: z.enum(['created', 'rolled', 'revoked']),
  caller: z.string(),
  by: z.string().nullable(),
  overlapEndsAt: z.int().nullable(),
});

/**
 * API keys in `money.db`: their hashes, never the keys.
 *
 * INVARIANTS:
 * - a change of a key and its entry in the audit trail are one commit;
 * - a key has one newest secret, and at most one before it that has not ended.
 */
export class SqliteKeyStore implements ApiKeyStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  insert(record: ApiKeyRecord, audit: KeyAuditEntry): void {
    const { id, name, hash, createdAt, expiresAt, revokedAt, lastUsedAt } = record;
    const [scopes, allow] = [JSON.stringify(record.scopes), JSON.stringify(record.allow)];
    this.#database.transaction(() => {
      this.#database.run(INSERT, id, name, hash, scopes, allow, createdAt, expiresAt, revokedAt, lastUsedAt);
      this.#note(audit);
    });
  }

  byHash(hash: string): FoundKey | null {
    const row = this.#database.get(BY_HASH, hash, hash);
    if (row === undefined) return null;
    const { shown, endsAt } = Shown.parse(row);
    return { record: Row.parse(row), secret: { hash: shown, endsAt } };
  }

  find(id: string): ApiKeyRecord | null {
    const row = this.#database.get(FIND, id);
    return row === undefined ? null : Row.parse(row);
  }

  roll(id: string, hash: string, audit: KeyAuditEntry): void {
    this.#database.transaction(() => {
      this.#database.run(END_OLDER, id);
      this.#database.run(RETIRE, audit.overlapEndsAt ?? 0, id);
      this.#database.run(RENEW, hash, id);
      this.#note(audit);
    });
  }

  revoke(id: string, audit: KeyAuditEntry): void {
    this.#database.transaction(() => {
      if (this.#database.run(REVOKE, audit.at, id) === 1) this.#note(audit);
    });
  }

  touch(id: string, at: number): void {
    this.#database.run(TOUCH, at, id);
  }

  list(): readonly ApiKeyRecord[] {
    return this.#database.all(LIST).map((row) => Row.parse(row));
  }

  audit(id: string): readonly Omit<KeyAuditEntry, 'from'>[] {
    return this.#database.all(AUDIT, id).map((row) => AuditRow.parse(row));
  }

  #note({ keyId, at, event, caller, by, from, overlapEndsAt }: KeyAuditEntry): void {
    this.#database.run(NOTE, keyId, at, event, caller, by, overlapEndsAt);
    const name = this.find(keyId)?.name ?? null;
    const details = { name, ...(event === 'rolled' ? { overlap_ends_at: overlapEndsAt } : {}) };
    appendAudit(this.#database, {
      at,
      event: `key_${event}`,
      subject: keyId,
      who: by ?? caller,
      from,
      details,
    });
  }
}
