import { z } from 'zod';
import { invariant } from '../base/invariant.ts';
import type { Attempt } from '../payment/attempt.ts';
import { FIRST_RIGHT_TIME } from '../payment/guard.ts';
import type { AttemptFilter, PaymentEvent } from '../payment/payments.ts';
import type {
  JournalEntry,
  KeyRow,
  NewReport,
  PaymentStore,
  ReportState,
  RivalSearch,
} from '../payment/ports.ts';
import type { Settlement } from '../payment/settlement.ts';
import type { Task, TaskDone } from '../payment/task.ts';
import type { ArchivedStories } from './archived-stories.ts';
import { ASKED_COLUMNS, askedValues, attemptOf, BECAME_COLUMNS, becameValues } from './attempt-row.ts';
import type { Database } from './database.ts';
import { chainEnd, hashOf } from './journal-chain.ts';
import { remembered } from './remembered.ts';
import { type EventPage, SqliteEventStore } from './sqlite-event-store.ts';
import { SqliteSettlementStore } from './sqlite-settlement-store.ts';
import { SqliteTaskStore } from './sqlite-task-store.ts';

const ATTEMPT_COLUMNS = [...ASKED_COLUMNS, ...BECAME_COLUMNS];
const INSERT_ATTEMPT = `INSERT INTO attempts (${ATTEMPT_COLUMNS.join(', ')}) VALUES (${ATTEMPT_COLUMNS.map(() => '?').join(', ')})`;
/**
 * Names what may change and nothing else: for a primary key that an UPDATE names, even with its old value, SQLite looks at every row of
 * every table that refers to it, and an index is written again for each of its columns that is named.
 */
const UPDATE_ATTEMPT = `UPDATE attempts SET ${BECAME_COLUMNS.map((name) => `${name} = ?`).join(', ')} WHERE id = ? AND version = ?`;
const FIND_ATTEMPT = 'SELECT * FROM attempts WHERE id = ?';
/** Left to itself SQLite takes the rows in their order, all of them, to save the sorting of a few. */
const OPEN_ATTEMPTS =
  'SELECT * FROM attempts INDEXED BY attempts_open WHERE completed_at IS NULL ORDER BY seq';
const APPEND_JOURNAL =
  'INSERT INTO journal (seq, attempt_id, at, event, from_state, to_state, details, hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?)';
/**
 * With a bare `?` in a comparison beside an ORDER BY, or as a LIMIT, SQLite plans the statement anew at each run, because the value might
 * make another plan better; that takes ten times as long as to run it. Under a CAST it is planned once, the same way. So in every store.
 */
const JOURNAL_OF =
  'SELECT attempt_id AS attemptId, at, event, from_state AS "from", to_state AS "to", details FROM journal WHERE attempt_id = CAST(? AS TEXT) ORDER BY seq';
const INSERT_KEY =
  'INSERT INTO idempotency_keys (caller, key, fingerprint, request_id, status, body, attempt_id, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)';
const FIND_KEY = `SELECT caller, key, fingerprint, request_id AS requestId, status, body, attempt_id AS attemptId, created_at AS createdAt
  FROM idempotency_keys WHERE caller = ? AND key = ?`;
const ENQUEUE_REPORT =
  'INSERT INTO outbox (id, attempt_id, kind, operation, parent_id, key, body, created_at, state, last_error) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)';
const RELEASE_REPORTS = `UPDATE outbox SET state = 'pending', last_error = NULL
  WHERE attempt_id = ? AND state = 'parked' AND tries = 0`;
const CHILDREN_OF = 'SELECT * FROM attempts WHERE parent_id = CAST(? AS TEXT) ORDER BY seq';
const CORRECTION_OF = 'SELECT * FROM attempts WHERE corrects = CAST(? AS TEXT) ORDER BY seq DESC LIMIT 1';
/** Tickets have one length, and capitals come after digits: the greatest text is the greatest ticket. */
const LAST_TICKET = 'SELECT ticket FROM attempts WHERE ticket IS NOT NULL ORDER BY ticket DESC LIMIT 1';
const Ticket = z.object({ ticket: z.string() });
/** A device that never had one, like a new terminal in an old shop, would be looked for in every dispatch. */
const ANY_OF_DEVICE = 'SELECT 1 FROM attempts INDEXED BY attempts_by_device WHERE device_id = ? LIMIT 1';
/** From the newest dispatch back to the first of this device; left to itself SQLite sorts every attempt the device ever had. */
const LAST_SENT = `SELECT attempts.* FROM journal INDEXED BY journal_dispatches CROSS JOIN attempts ON attempts.id = journal.attempt_id
  WHERE journal.event = 'dispatch' AND attempts.device_id = CAST(? AS TEXT) ORDER BY journal.seq DESC LIMIT 1`;
/** Where it is in the archive by now. */
const LAST_SENT_ARCHIVED = `SELECT attempts.* FROM last_dispatches JOIN attempts ON attempts.id = last_dispatches.attempt_id
  WHERE last_dispatches.device_id = ?`;
const SUCCEEDED_IN_BATCH =
  "SELECT * FROM attempts INDEXED BY attempts_by_batch WHERE device_id = CAST(? AS TEXT) AND batch = CAST(? AS INTEGER) AND state = 'succeeded' ORDER BY seq";
const SUCCEEDED_ON_DAY =
  "SELECT * FROM attempts INDEXED BY attempts_by_day WHERE device_id = CAST(? AS TEXT) AND day = CAST(? AS INTEGER) AND state = 'succeeded' ORDER BY seq";
const REPORTS_OF = `SELECT kind, state, tries, created_at AS createdAt, done_at AS doneAt, last_error AS lastError
  FROM outbox WHERE attempt_id = CAST(? AS TEXT) ORDER BY seq`;
const ATTEMPT_OF_ALIAS =
  'SELECT * FROM attempts WHERE id = ? OR id IN (SELECT attempt_id FROM aliases WHERE service_id = ?)';
const BIND_ALIAS = 'INSERT INTO aliases (service_id, attempt_id) VALUES (?, ?)';
/** Where no epoch is noted everything is from before it. */
const FROM_BEFORE = `SELECT 1 FROM attempts WHERE id = CAST(? AS TEXT)
  AND seq <= COALESCE((SELECT CAST(value AS INTEGER) FROM facts WHERE name = 'epoch_attempts'), seq)`;
const MEMORY_SHOWN = `SELECT 1 FROM tasks WHERE kind = 'memory_lost' AND device_id = CAST(? AS TEXT)
  AND seq > (SELECT CAST(value AS INTEGER) FROM facts WHERE name = 'epoch_tasks')`;
const MAY_HAVE_CHARGED = "status NOT IN ('declined', 'cancelled', 'error')";
/**
 * Those that are open, and those that ended lately, each along its own index: left to itself SQLite takes every payment of the device, and
 * with an OR every payment of the same amount or under the same reference, which a shop takes by the hundred thousand.
 */
const RIVALS_BY_NAME = `SELECT * FROM attempts INDEXED BY attempts_open
    WHERE completed_at IS NULL AND (invoice_id = CAST(? AS TEXT) OR reference = CAST(? AS TEXT)) AND ${MAY_HAVE_CHARGED}
  UNION SELECT * FROM attempts INDEXED BY attempts_by_invoice
    WHERE invoice_id = CAST(? AS TEXT) AND completed_at IS NOT NULL AND ${MAY_HAVE_CHARGED}
  UNION SELECT * FROM attempts INDEXED BY attempts_by_reference
    WHERE reference = CAST(? AS TEXT) AND completed_at >= CAST(? AS INTEGER) AND ${MAY_HAVE_CHARGED}
  UNION SELECT * FROM attempts INDEXED BY attempts_by_reference
    WHERE reference = CAST(? AS TEXT) AND completed_at < CAST(? AS INTEGER) AND ${MAY_HAVE_CHARGED}
  ORDER BY seq`;
const RIVALS_BY_AMOUNT = `SELECT * FROM attempts INDEXED BY attempts_open
    WHERE completed_at IS NULL AND device_id = CAST(? AS TEXT) AND amount_minor = CAST(? AS INTEGER) AND ${MAY_HAVE_CHARGED}
  UNION ALL SELECT * FROM attempts INDEXED BY attempts_by_amount
    WHERE device_id = CAST(? AS TEXT) AND amount_minor = CAST(? AS INTEGER) AND completed_at >= CAST(? AS INTEGER) AND ${MAY_HAVE_CHARGED}
  ORDER BY seq`;

const JournalRow = z.object({
  attemptId: z.string(),
  at: z.int(),
  event: z.string(),
  from: z.string(),
  to: z.string(),
  details: z.string(),
});
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
const ReportRow = z.object({
  kind: z.enum(['create', 'result']),
  state: z.enum(['pending', 'done', 'parked']),
  tries: z.int(),
  createdAt: z.int(),
  doneAt: z.int().nullable(),
  lastError: z.string().nullable(),
});
const Details = z.record(z.string(), z.unknown());
const EVERY_DEVICE = '';

/** Payments in `money.db`. */
export class SqlitePaymentStore implements PaymentStore {
  readonly #database: Database;
  readonly #archive: ArchivedStories | null;
  readonly #events: SqliteEventStore;
  readonly #tasks: SqliteTaskStore;
  readonly #settlements: SqliteSettlementStore;
  readonly #find: (id: string) => Attempt | null;
  readonly #open: (deviceId: string) => readonly Attempt[];
  readonly #ofServiceId: (serviceId: string) => Attempt | null;

  /** @param archive where the rows are that the journal has no more */
  constructor(database: Database, archive: ArchivedStories | null = null) {
    this.#database = database;
    this.#archive = archive;
    this.#events = new SqliteEventStore(database);
    this.#tasks = new SqliteTaskStore(database);
    this.#settlements = new SqliteSettlementStore(database);
    this.#find = remembered(database, (id) => orNull(database.get(FIND_ATTEMPT, id)));
    this.#ofServiceId = remembered(database, (id) => orNull(database.get(ATTEMPT_OF_ALIAS, id, id)));
    const everywhere = remembered(database, () => database.all(OPEN_ATTEMPTS).map(attemptOf));
    this.#open = remembered(database, (deviceId) => {
      const all = everywhere(EVERY_DEVICE);
      return deviceId === EVERY_DEVICE ? all : all.filter((attempt) => attempt.deviceId === deviceId);
    });
  }

  transaction<T>(work: () => T): T {
    return this.#database.transaction(work);
  }

  soon<T>(work: () => T): T {
    return this.#database.soon(work);
  }

  harden(): void {
    this.#database.harden();
  }

  whenSure(heard: () => void): void {
    this.#database.whenSure(heard);
  }

  insertAttempt(attempt: Attempt): void {
    this.#database.run(INSERT_ATTEMPT, ...askedValues(attempt), ...becameValues(attempt));
  }

  updateAttempt(attempt: Attempt): void {
    const changed = this.#database.run(
      UPDATE_ATTEMPT,
      ...becameValues(attempt),
      attempt.id,
      attempt.version - 1,
    );
    invariant(changed === 1, 'an attempt is written over its last version only', {
      attempt: attempt.id,
      version: attempt.version,
    });
  }

  findAttempt(id: string): Attempt | null {
    return this.#find(id);
  }

  listAttempts(filter: AttemptFilter): { readonly items: readonly Attempt[]; readonly hasMore: boolean } {
    const { sql, values, newerFirst } = listQuery(filter);
    const rows = this.#database.all(sql, ...values, filter.limit + 1).map(attemptOf);
    const items = rows.slice(0, filter.limit);
    return { items: newerFirst ? items : items.reverse(), hasMore: rows.length > filter.limit };
  }

  openAttempts(deviceId?: string): readonly Attempt[] {
    return this.#open(deviceId ?? EVERY_DEVICE);
  }

  appendJournal(entry: JournalEntry): void {
    const { attemptId, at, event, from, to } = entry;
    const details = JSON.stringify(entry.details);
    const end = chainEnd(this.#database);
    const seq = end.count + 1;
    const row = { attempt_id: attemptId, at, event, from_state: from, to_state: to, details };
    this.#database.run(
      APPEND_JOURNAL,
      seq,
      attemptId,
      at,
      event,
      from,
      to,
      details,
      hashOf(end.hash, seq, row),
    );
  }

  journalOf(attemptId: string): readonly JournalEntry[] {
    const rows = this.#database.all(JOURNAL_OF, attemptId).map((raw) => JournalRow.parse(raw));
    const older = this.#archive && !isWhole(rows) ? this.#archive.rowsOf(attemptId) : [];
    return [...older, ...rows].map((row) => ({ ...row, details: Details.parse(JSON.parse(row.details)) }));
  }

  gapIn(entries: readonly JournalEntry[]): string | null {
    return isWhole(entries) || !this.#archive ? null : this.#archive.gap();
  }

  appendEvent(event: PaymentEvent): void {
    this.#events.append(event);
  }

  events(page: EventPage): { readonly items: readonly PaymentEvent[]; readonly hasMore: boolean } {
    return this.#events.list(page);
  }

  findEvent(id: string): PaymentEvent | null {
    return this.#events.find(id);
  }

  insertKey(row: KeyRow): void {
    const { caller, key, fingerprint, requestId, status, body, attemptId, createdAt } = row;
    this.#database.run(INSERT_KEY, caller, key, fingerprint, requestId, status, body, attemptId, createdAt);
  }

  findKey(caller: string, key: string): KeyRow | null {
    const row = this.#database.get(FIND_KEY, caller, key);
    return row === undefined ? null : StoredKey.parse(row);
  }

  enqueueReport(report: NewReport): void {
    const { id, attemptId, kind, operation, parentId, key, body, createdAt, held } = report;
    const state = held === null ? 'pending' : 'parked';
    const text = JSON.stringify(body);
    this.#database.run(
      ENQUEUE_REPORT,
      id,
      attemptId,
      kind,
      operation,
      parentId,
      key,
      text,
      createdAt,
      state,
      held,
    );
  }

  reportsOf(attemptId: string): readonly ReportState[] {
    return this.#database.all(REPORTS_OF, attemptId).map((row) => ReportRow.parse(row));
  }

  attemptOfServiceId(serviceId: string): Attempt | null {
    return this.#ofServiceId(serviceId);
  }

  bindServiceId(serviceId: string, attemptId: string): void {
    this.#database.run(BIND_ALIAS, serviceId, attemptId);
  }

  rivalSales(search: RivalSearch): readonly Attempt[] {
    const { invoiceId, reference, referenceSince, deviceId, amountMinor, amountSince } = search;
    if (invoiceId === null && reference === null) {
      const same = [deviceId, amountMinor];
      return this.#database.all(RIVALS_BY_AMOUNT, ...same, ...same, amountSince).map(attemptOf);
    }
    const named = [invoiceId, reference];
    return this.#database
      .all(RIVALS_BY_NAME, ...named, ...named, referenceSince, reference, FIRST_RIGHT_TIME)
      .map(attemptOf);
  }

  childrenOf(parentId: string): readonly Attempt[] {
    return this.#database.all(CHILDREN_OF, parentId).map(attemptOf);
  }

  correctionOf(attemptId: string): Attempt | null {
    return orNull(this.#database.get(CORRECTION_OF, attemptId));
  }

  lastTicket(): string | null {
    const row = this.#database.get(LAST_TICKET);
    return row === undefined ? null : Ticket.parse(row).ticket;
  }

  lastSent(deviceId: string): Attempt | null {
    if (this.#database.get(ANY_OF_DEVICE, deviceId) === undefined) return null;
    const row = this.#database.get(LAST_SENT, deviceId);
    return orNull(row ?? this.#database.get(LAST_SENT_ARCHIVED, deviceId));
  }

  succeededIn(
    deviceId: string,
    span: { readonly batch: number } | { readonly day: number },
  ): readonly Attempt[] {
    const rows =
      'batch' in span
        ? this.#database.all(SUCCEEDED_IN_BATCH, deviceId, span.batch)
        : this.#database.all(SUCCEEDED_ON_DAY, deviceId, span.day);
    return rows.map(attemptOf);
  }

  releaseReports(attemptId: string): void {
    this.#database.run(RELEASE_REPORTS, attemptId);
  }

  insertTask(task: Task): boolean {
    return this.#tasks.insert(task);
  }

  finishTask(id: string, done: TaskDone): void {
    this.#tasks.finish(id, done);
  }

  findTask(id: string): Task | null {
    return this.#tasks.find(id);
  }

  tasks(filter: { readonly open: boolean; readonly limit: number }): readonly Task[] {
    return this.#tasks.list(filter);
  }

  openTasksOf(attemptId: string): readonly Task[] {
    return this.#tasks.openOf(attemptId);
  }

  openTasksOfDevice(deviceId: string): readonly Task[] {
    return this.#tasks.openOfDevice(deviceId);
  }

  isFromBefore(attemptId: string): boolean {
    return this.#database.get(FROM_BEFORE, attemptId) !== undefined;
  }

  wasMemoryShown(deviceId: string): boolean {
    return this.#database.get(MEMORY_SHOWN, deviceId) !== undefined;
  }

  insertSettlement(settlement: Settlement): void {
    this.#settlements.insert(settlement);
  }

  updateSettlement(settlement: Settlement): void {
    this.#settlements.update(settlement);
  }

  findSettlement(id: string): Settlement | null {
    return this.#settlements.find(id);
  }

  openSettlements(deviceId?: string): readonly Settlement[] {
    return this.#settlements.open(deviceId);
  }

  listSettlements(page: {
    readonly deviceId: string;
    readonly startingAfter?: string;
    readonly limit: number;
  }) {
    return this.#settlements.list(page);
  }
}

/** Whether rows of one attempt begin with its birth; none at all are whole nowhere. */
function isWhole(rows: readonly { readonly event: string }[]): boolean {
  return rows[0]?.event === 'create';
}

function orNull(row: unknown): Attempt | null {
  return row === undefined ? null : attemptOf(row);
}

function listQuery(filter: AttemptFilter): { sql: string; values: unknown[]; newerFirst: boolean } {
  const conditions: string[] = [];
  const values: unknown[] = [];
  const where = (condition: string, value: unknown) => {
    conditions.push(condition);
    values.push(value);
  };
  if (filter.status !== undefined) where('status = ?', filter.status);
  if (filter.deviceId !== undefined) where('device_id = ?', filter.deviceId);
  if (filter.inDoubt === true) conditions.push("completed_at IS NULL AND state = 'in_doubt'");
  if (filter.inDoubt === false) conditions.push("state <> 'in_doubt'");
  const newerFirst = filter.endingBefore === undefined;
  const cursor = filter.startingAfter ?? filter.endingBefore;
  if (cursor !== undefined)
    where(`seq ${newerFirst ? '<' : '>'} (SELECT seq FROM attempts WHERE id = ?)`, cursor);
  const filterSql = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
  return {
    sql: `SELECT * FROM attempts ${hintOf(filter)}${filterSql} ORDER BY seq ${newerFirst ? 'DESC' : 'ASC'} LIMIT ?`,
    values,
    newerFirst,
  };
}

/**
 * Those in doubt are among the few that are open; left to itself SQLite walks all payments to save the sorting of these.
 * Most payments succeed: those of a device are found along the device, or a new one would be looked for in all that ever succeeded.
 */
function hintOf({ inDoubt, status, deviceId }: AttemptFilter): string {
  if (inDoubt === true) return 'INDEXED BY attempts_open ';
  const isMost = status === 'succeeded' && deviceId !== undefined;
  if (status !== undefined && !isMost) return 'INDEXED BY attempts_by_status ';
  return deviceId === undefined ? '' : 'INDEXED BY attempts_by_device ';
}
