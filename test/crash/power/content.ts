import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Database } from '../../../src/store/database.ts';

/** What the database of the first release held, and every later one still does. */
const FIRST_SHAPE: Readonly<Record<string, string>> = {
  attempts: `seq, id, type, parent_id, device_id, amount_minor, currency, invoice_id, reference, origin, caller, after_id, created_at,
    expires_at, state, status, version, dispatched_at, in_doubt_since, cancel_requested_at, completed_at, released_at, needs_person, detail`,
  journal: 'seq, attempt_id, at, event, from_state, to_state, hash',
  events: 'seq, id, type, at, attempt_id',
  idempotency_keys: 'caller, key, fingerprint, request_id, status, body, attempt_id, created_at',
  outbox:
    'seq, id, attempt_id, kind, key, body, created_at, state, tries, first_used_at, unanswered, last_error, done_at',
  aliases: 'service_id, attempt_id',
  terminals: 'device_id, identity, since',
  api_keys: 'id, name, hash, revoked_at, last_used_at',
};

/** Without those that the opening and the closing of a database write by themselves. */
const FACTS =
  "SELECT name, value FROM facts WHERE name NOT LIKE 'epoch%' AND name NOT IN ('min_writer', 'elapsed') ORDER BY name";

/** The whole content of a database, as hashes: one of today's shape, one of what the first release knew. */
export interface Content {
  /** Null where the shape is an older one. */
  readonly content: string | null;
  readonly oldContent: string;
}

/** Two databases of one content hold the same money, the same debts and the same promises. */
export function contentOf(database: Database): Content {
  const tables = new Set(database.all(TABLES).map((row) => Name.parse(row).name));
  const old = createHash('sha256');
  for (const [table, columns] of Object.entries(FIRST_SHAPE)) {
    if (tables.has(table)) old.update(`${table}\n${textOf(database, table, columns)}\n`);
  }
  old.update(tables.has('facts') ? rows(database, FACTS) : '');
  const oldContent = old.digest('hex');
  if (!NEWER.every(({ table }) => tables.has(table))) return { content: null, oldContent };
  const all = createHash('sha256').update(oldContent);
  for (const { table, columns } of NEWER) all.update(textOf(database, table, columns));
  return { content: all.digest('hex'), oldContent };
}

const TABLES = "SELECT name FROM sqlite_master WHERE type = 'table'";
const Name = z.object({ name: z.string() });

/** What later releases added. */
const NEWER: readonly { readonly table: string; readonly columns: string }[] = [
  { table: 'settlements', columns: '*' },
  { table: 'tasks', columns: '*' },
  { table: 'attempts', columns: 'corrects, batch, day, completed_elapsed' },
  { table: 'outbox', columns: 'operation, parent_id, dropped_at' },
  { table: 'terminals', columns: 'batch, day, day_is_whole, shared_use, void_withdrawn' },
  { table: 'events', columns: 'settlement_id, length(snapshot)' },
  { table: 'kept_answers', columns: '*' },
  { table: 'webhook_endpoints', columns: '*' },
  { table: 'webhook_deliveries', columns: '*' },
  { table: 'retired_key_secrets', columns: '*' },
  { table: 'key_audit', columns: '*' },
  { table: 'outbox_decisions', columns: '*' },
  { table: 'provider_slots', columns: '*' },
  { table: 'slot_errors', columns: '*' },
  { table: 'product_mappings', columns: '*' },
  { table: 'page_sessions', columns: '*' },
  { table: 'people', columns: '*' },
  { table: 'audit_trail', columns: '*' },
  { table: 'passkeys', columns: '*' },
  { table: 'pins', columns: '*' },
  { table: 'paired_devices', columns: '*' },
  { table: 'sign_in_tries', columns: '*' },
  { table: 'archived_chunks', columns: '*' },
  { table: 'last_dispatches', columns: '*' },
  { table: 'terminal_connections', columns: '*' },
];

const KEYS: Readonly<Record<string, string>> = {
  idempotency_keys: 'caller, key',
  kept_answers: 'caller, key',
  aliases: 'service_id',
  terminals: 'device_id',
  api_keys: 'id',
  provider_slots: 'slot',
  slot_errors: 'slot, resource',
  product_mappings: 'slot, external_id',
  page_sessions: 'id',
  people: 'id',
  passkeys: 'id',
  pins: 'person_id',
  paired_devices: 'id',
  sign_in_tries: 'subject',
  archived_chunks: 'last_seq',
  last_dispatches: 'device_id',
};

function textOf(database: Database, table: string, columns: string): string {
  return rows(database, `SELECT ${columns} FROM ${table} ORDER BY ${KEYS[table] ?? 'seq'}`);
}

function rows(database: Database, sql: string): string {
  return database
    .all(sql)
    .map((row) => JSON.stringify(row))
    .join('\n');
}
