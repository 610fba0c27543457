import { z } from 'zod';
import type { AnswerStore, KeptAnswer } from '../../api/ports.ts';
import type { Database } from '../database.ts';

/** An earlier answer is replaced: the caller has checked that it is too old to count. */
const KEEP = `INSERT OR REPLACE INTO kept_answers (caller, key, fingerprint, request_id, status, body, kept_at)
  VALUES (?, ?, ?, ?, ?, ?, ?)`;
const FIND = `SELECT caller, key, fingerprint, request_id AS requestId, status, body, kept_at AS keptAt
  FROM kept_answers WHERE caller = ? AND key = ?`;
const FORGET = `DELETE FROM kept_answers WHERE (caller, key) IN
  (SELECT caller, key FROM kept_answers WHERE kept_at < ? LIMIT 1000)`;

const Row = z.object({
  caller: z.string(),
  key: z.string(),
  fingerprint: z.string(),
  requestId: z.string(),
  status: z.int(),
  body: z.string(),
  keptAt: z.int(),
});

/** Answers under idempotency keys in `money.db`, beside the rows that they are about: one commit holds both. */
export class SqliteAnswerStore implements AnswerStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  once(work: () => KeptAnswer): KeptAnswer {
    return this.#database.transaction(() => {
      const answer = work();
      const { caller, key, fingerprint, requestId, status, body, keptAt } = answer;
      this.#database.run(KEEP, caller, key, fingerprint, requestId, status, body, keptAt);
      return answer;
    });
  }

  find(caller: string, key: string): KeptAnswer | null {
    const row = this.#database.get(FIND, caller, key);
    return row === undefined ? null : Row.parse(row);
  }

  forgetBefore(at: number): number {
    return this.#database.run(FORGET, at);
  }
}
