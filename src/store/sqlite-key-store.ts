import { z } from 'zod';
import type { ApiKeyRecord, ApiKeyStore } from '../api/ports.ts';
import type { Database } from './database.ts';

const COLUMNS = `id, name, hash, scopes, allow, created_at AS createdAt, expires_at AS expiresAt, revoked_at AS revokedAt,
  last_used_at AS lastUsedAt`;
const INSERT = `INSERT INTO api_keys (id, name, hash, scopes, allow, created_at, expires_at, revoked_at, last_used_at)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`;
const BY_HASH = `SELECT ${COLUMNS} FROM api_keys WHERE hash = ?`;
const TOUCH = 'UPDATE api_keys SET last_used_at = ? WHERE id = ?';
const LIST = `SELECT ${COLUMNS} FROM api_keys ORDER BY created_at DESC, id DESC`;

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
});

/** API keys in `money.db`: their hashes, never the keys. */
export class SqliteKeyStore implements ApiKeyStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  insert(record: ApiKeyRecord): void {
    const { id, name, hash, scopes, allow, createdAt, expiresAt, revokedAt, lastUsedAt } = record;
    this.#database.run(
      INSERT,
      id,
      name,
      hash,
      JSON.stringify(scopes),
      JSON.stringify(allow),
      createdAt,
      expiresAt,
      revokedAt,
      lastUsedAt,
    );
  }

  byHash(hash: string): ApiKeyRecord | null {
    const row = this.#database.get(BY_HASH, hash);
    return row === undefined ? null : Row.parse(row);
  }

  touch(id: string, at: number): void {
    this.#database.run(TOUCH, at, id);
  }

  list(): readonly ApiKeyRecord[] {
    return this.#database.all(LIST).map((row) => Row.parse(row));
  }
}
