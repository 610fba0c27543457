import { z } from 'zod';
import type { AuditEntry, ChainedAudit, PeopleStore, Person } from '../../api/ports.ts';
import { AuditRow, appendAudit } from '../audit/audit-trail.ts';
import type { Database } from '../database.ts';
import { remembered } from '../query-cache.ts';

const ADD_PERSON =
  'INSERT INTO people (id, name, role, system_user, created_at, disabled_at) VALUES (?, ?, ?, ?, ?, ?)';
const DISABLE_PERSON = 'UPDATE people SET disabled_at = ? WHERE id = ? AND disabled_at IS NULL';
const END_THEIR_SESSIONS = 'DELETE FROM page_sessions WHERE person_id = ?';
const ALL_PEOPLE = `SELECT id, name, role, system_user AS systemUser, created_at AS createdAt, disabled_at AS disabledAt FROM people
  ORDER BY disabled_at IS NOT NULL, name, id`;
const NEWEST_AUDIT = `SELECT seq, at, event, subject, who, origin, details, hash FROM audit_trail
  ORDER BY seq DESC LIMIT CAST(? AS INTEGER) OFFSET CAST(? AS INTEGER)`;
/** Entries are numbered from 1 without a gap: counting them would read the whole table, every five seconds of an open page. */
const AUDIT_COUNT = 'SELECT coalesce(max(seq), 0) AS total FROM audit_trail';

const PersonRow = z.object({
  id: z.string(),
  name: z.string(),
  role: z.enum(['staff', 'lead', 'ops']),
  systemUser: z.string().nullable(),
  createdAt: z.int(),
  disabledAt: z.int().nullable(),
});
const Details = z.record(z.string(), z.union([z.string(), z.number(), z.null()]));
const Event = z.enum([
  'person_added',
  'person_disabled',
  'signed_in',
  'pin_set',
  'pin_refused',
  'passkey_added',
  'passkey_removed',
  'device_paired',
  'device_withdrawn',
  'refund_requested',
  'void_requested',
  'task_confirmed',
  'task_declined',
  'key_created',
  'key_rolled',
  'key_revoked',
  'trail_cut',
]);
const Count = z.object({ total: z.int() });

/** Named people and the audit trail, in `money.db`: a change and its entry are one commit. */
export class SqlitePeopleStore implements PeopleStore {
  readonly #database: Database;
  readonly #people: (key: string) => readonly Person[];

  constructor(database: Database) {
    this.#database = database;
    this.#people = remembered(database, () => database.all(ALL_PEOPLE).map((row) => PersonRow.parse(row)));
  }

  insert({ id, name, role, systemUser, createdAt, disabledAt }: Person, audit: AuditEntry): void {
    this.#database.transaction(() => {
      this.#database.run(ADD_PERSON, id, name, role, systemUser, createdAt, disabledAt);
      appendAudit(this.#database, audit);
    });
  }

  disable({ id, disabledAt }: Person, audit: AuditEntry): void {
    this.#database.transaction(() => {
      this.#database.run(END_THEIR_SESSIONS, id);
      if (this.#database.run(DISABLE_PERSON, disabledAt, id) === 1) appendAudit(this.#database, audit);
    });
  }

  note(audit: AuditEntry): void {
    this.#database.transaction(() => appendAudit(this.#database, audit));
  }

  list(): readonly Person[] {
    return this.#people('');
  }

  trail(offset: number, limit: number): { readonly items: readonly ChainedAudit[]; readonly total: number } {
    const items = this.#database.all(NEWEST_AUDIT, limit, offset).map(entryOf);
    return { items, total: Count.parse(this.#database.get(AUDIT_COUNT)).total };
  }
}

function entryOf(raw: unknown): ChainedAudit {
  const { seq, at, event, subject, who, origin, details } = AuditRow.parse(raw);
  return {
    seq,
    at,
    event: Event.parse(event),
    subject,
    who,
    from: origin,
    details: Details.parse(JSON.parse(details)),
  };
}
