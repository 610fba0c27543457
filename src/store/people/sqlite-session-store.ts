import { z } from 'zod';
import type { AuditEntry, PageSession, PageSessionStore } from '../../api/ports.ts';
import { appendAudit } from '../audit/audit-trail.ts';
import type { Database } from '../database.ts';

const COLUMNS =
  'id, hash, role, person_id AS personId, paired_device_id AS pairedDeviceId, created_at AS createdAt, expires_at AS expiresAt';
const INSERT =
  'INSERT INTO page_sessions (id, hash, role, person_id, paired_device_id, created_at, expires_at) VALUES (?, ?, ?, ?, ?, ?, ?)';
const BY_HASH = `SELECT ${COLUMNS} FROM page_sessions WHERE hash = ?`;
const END = 'DELETE FROM page_sessions WHERE id = ?';
const ON_PAIRED_DEVICE = 'UPDATE page_sessions SET paired_device_id = ? WHERE hash = ?';
const END_OTHERS = 'DELETE FROM page_sessions WHERE person_id = ? AND id <> ?';
const END_EXPIRED = 'DELETE FROM page_sessions WHERE expires_at <= ?';
/** More sessions than a shop has people and browsers; the oldest are deleted first. */
const END_OLDEST = `DELETE FROM page_sessions WHERE id IN
  (SELECT id FROM page_sessions ORDER BY created_at DESC, id DESC LIMIT -1 OFFSET 256)`;
/** A person who signs in again and again signs out no one else. */
const END_OLDEST_OF_PERSON = `DELETE FROM page_sessions WHERE id IN
  (SELECT id FROM page_sessions WHERE person_id = ? ORDER BY created_at DESC, id DESC LIMIT -1 OFFSET 16)`;

const Row = z.object({
  id: z.string(),
  hash: z.string(),
  role: z.enum(['staff', 'lead', 'ops']),
  personId: z.string().nullable(),
  pairedDeviceId: z.string().nullable(),
  createdAt: z.int(),
  expiresAt: z.int(),
});

/** Sessions of the pages, in `money.db`, so that a restart of the agent signs no user out. */
export class SqliteSessionStore implements PageSessionStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  insert(session: PageSession, audit?: AuditEntry): void {
    const { id, hash, role, personId, pairedDeviceId, createdAt, expiresAt } = session;
    this.#database.transaction(() => {
      this.#database.run(END_EXPIRED, createdAt);
      this.#database.run(INSERT, id, hash, role, personId, pairedDeviceId, createdAt, expiresAt);
      if (personId !== null) this.#database.run(END_OLDEST_OF_PERSON, personId);
      this.#database.run(END_OLDEST);
      if (audit) appendAudit(this.#database, audit);
    });
  }

  byHash(hash: string): PageSession | null {
    const row = this.#database.get(BY_HASH, hash);
    return row === undefined ? null : Row.parse(row);
  }

  end(id: string): void {
    this.#database.run(END, id);
  }

  paired(hash: string, deviceId: string): void {
    this.#database.run(ON_PAIRED_DEVICE, deviceId, hash);
  }

  endOthers(personId: string, kept: string): void {
    this.#database.run(END_OTHERS, personId, kept);
  }
}
