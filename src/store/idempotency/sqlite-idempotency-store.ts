import { z } from 'zod';
import type { KeyRow } from '../../payment/ports.ts';
import type { Database } from '../database.ts';

const INSERT_KEY =
  'INSERT INTO idempotency_keys (caller, key, fingerprint, request_id, status, body, attempt_id, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)';
const FIND_KEY = `SELECT caller, key, fingerprint, request_id AS requestId, status, body, attempt_id AS attemptId, created_at AS createdAt
  FROM idempotency_keys WHERE caller = ? AND key = ?`;

const StoredKey = z.object({
  caller: z.string(),
  key: z.string(),
  fingerprint: z.string(),
  requestId: z.string(),
  status: z.int(),
  body: z.string(),
  attemptId: z.string(),
  createdAt: z.int(),
});

/** The idempotency keys of payments, each with the answer that its caller gets again. */
export class SqliteIdempotencyStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  insert(row: KeyRow): void {
    const { caller, key, fingerprint, requestId, status, body, attemptId, createdAt } = row;
    this.#database.run(INSERT_KEY, caller, key, fingerprint, requestId, status, body, attemptId, createdAt);
  }

  find(caller: string, key: string): KeyRow | null {
    const row = this.#database.get(FIND_KEY, caller, key);
    return row === undefined ? null : StoredKey.parse(row);
  }
}
