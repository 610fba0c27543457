import { z } from 'zod';
import type { Clock } from '../../base/clock.ts';
import { canonicalId } from '../../base/ids.ts';
import { invariant } from '../../base/invariant.ts';
import type { Traced } from '../../base/trace.ts';
import type { FeedPlace, OutboxRow, OutboxStore, OutboxSummary } from '../../outbox/ports.ts';
import type { Database } from '../database.ts';
import { remembered } from '../query-cache.ts';
import { FreeResults } from './free-results.ts';
import { BEGIN_TRY, DONE, DUE, DUE_RESULTS, MAY_HAVE_CREATED } from './outbox-statements.ts';

const FAILED = 'UPDATE outbox SET last_error = ?, unanswered = ? WHERE id = ?';
/** A look-up that finds the report rejected counts as a try: a report without a try is held back by tilld. */
const PARK =
  "UPDATE outbox SET state = 'parked', unanswered = 0, tries = max(tries, 1), last_error = ? WHERE id = ?";
/** Uses the expressions of the index `tasks_once`. */
const OPEN_TASK_AGAIN = `UPDATE tasks SET created_at = ?, done_at = NULL, done_by = NULL, note = NULL
  WHERE kind = 'report_rejected' AND COALESCE(attempt_id, '') = ? AND device_id IS NULL`;
const ADD_TASK = `INSERT INTO tasks (id, kind, attempt_id, settlement_id, message, created_at) VALUES (?, 'report_rejected', ?, NULL, '', ?)`;
const ASK_ABOUT_TWICE = `INSERT OR IGNORE INTO tasks (id, kind, attempt_id, settlement_id, message, created_at)
  VALUES (?, 'maybe_reported_twice', ?, NULL, '', ?)`;
const ATTEMPT_OF = 'SELECT attempt_id AS attemptId FROM outbox WHERE id = ?';
const BIND_ALIAS = 'INSERT OR IGNORE INTO aliases (service_id, attempt_id) VALUES (?, ?)';
const SERVICE_ID_OF = 'SELECT service_id AS serviceId FROM aliases WHERE attempt_id = ? LIMIT 1';
/** A payment with a trace of its own, or of an earlier release, stores none. */
const TRACED_OF = "SELECT id, detail -> '$.trace' AS trace FROM attempts WHERE id = ?";
const EVENT_CURSOR = "SELECT value FROM facts WHERE name = 'service_event_cursor'";
const KEEP_EVENT_CURSOR = "INSERT OR REPLACE INTO facts (name, value) VALUES ('service_event_cursor', ?)";
/**
 * Counted in the indexes alone: status and metrics read it again and again, and a month offline leaves 200,000 pending rows. The oldest was written
 * first.
 */
const SUMMARY = `SELECT (SELECT count(*) FROM outbox INDEXED BY outbox_pending WHERE state = 'pending') AS pending,
  (SELECT count(*) FROM outbox INDEXED BY outbox_parked WHERE state = 'parked') AS parked,
  (SELECT count(*) FROM outbox INDEXED BY outbox_parked WHERE state = 'parked' AND tries > 0 AND dropped_at IS NULL) AS refused,
  (SELECT count(*) FROM outbox INDEXED BY outbox_dropped WHERE dropped_at IS NOT NULL) AS dropped,
  (SELECT created_at FROM outbox INDEXED BY outbox_pending WHERE state = 'pending' ORDER BY seq LIMIT 1) AS oldestAt`;

const Row = z.object({
  id: z.string(),
  attemptId: z.string(),
  kind: z.enum(['create', 'result']),
  operation: z.enum(['sale', 'refund', 'void']),
  parentId: z.string().nullable(),
  key: z.string(),
  body: z.string().transform(bodyOf),
  createdAt: z.int(),
  state: z.enum(['pending', 'done', 'parked']),
  tries: z.int(),
  firstUsedAt: z.int().nullable(),
  unanswered: z.int().transform((flag) => flag === 1),
  lastError: z.string().nullable(),
});
const ANY_KIND = '*';
const Attempt = z.object({ attemptId: z.string() });
const Service = z.object({ serviceId: z.string() });
const Fact = z.object({ value: z.string() });
const TraceText = z
  .string()
  .nullable()
  .transform((text): unknown => JSON.parse(text ?? 'null'))
  .pipe(z.object({ id: z.string(), parent: z.string(), sampled: z.boolean() }).nullable());
const TracedRow = z.object({ id: z.string(), trace: TraceText });
const Summary = z.object({
  pending: z.int(),
  parked: z.int(),
  refused: z.int(),
  dropped: z.int(),
  oldestAt: z.int().nullable(),
});

/** The pending reports, and how far the service's events were read, in `money.db`. */
export class SqliteOutboxStore implements OutboxStore, FeedPlace {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #free: FreeResults;
  /** Due reports, by kind and limit: the sender asks every second, and skips what must not go yet. */
  readonly #due: (kindAndLimit: string) => readonly OutboxRow[];

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
    this.#free = new FreeResults(database);
    this.#due = remembered(database, (key) => {
      const [kind, limit] = key.split(' ');
      if (kind === 'result')
        return database.all(DUE_RESULTS, this.#free.asJson(), Number(limit)).map((row) => Row.parse(row));
      return database.all(DUE, kind === ANY_KIND ? null : kind, Number(limit)).map((row) => Row.parse(row));
    });
  }

  due(limit: number, kind?: OutboxRow['kind']): readonly OutboxRow[] {
    return this.#due(`${kind ?? ANY_KIND} ${limit}`);
  }

  beginTry(id: string, serviceNow: number): void {
    this.#change(BEGIN_TRY, serviceNow, id);
  }

  done(id: string, serviceId: string | null): void {
    if (serviceId === null) this.#database.deferSync(() => this.#end(id));
    else this.#doneAs(id, serviceId);
    this.#free.done(id);
  }

  flush(): void {
    this.#database.flush();
  }

  failed(id: string, error: string, unanswered: boolean): void {
    this.#change(FAILED, error, unanswered ? 1 : 0, id);
  }

  park(id: string, reason: string, taskId: string): void {
    this.#database.transaction(() => {
      this.#change(PARK, reason, id);
      const [attemptId, now] = [this.#attemptOf(id), this.#clock.now()];
      if (this.#database.run(OPEN_TASK_AGAIN, now, attemptId) > 0) return;
      this.#database.run(ADD_TASK, taskId, attemptId, now);
    });
  }

  askAboutTwice(attemptId: string, taskId: string): void {
    this.#database.run(ASK_ABOUT_TWICE, taskId, attemptId, this.#clock.now());
  }

  summary(): OutboxSummary {
    const { pending, parked, refused, dropped, oldestAt } = Summary.parse(this.#database.get(SUMMARY));
    return { pending, oldestAt, parked: parked - dropped, refused };
  }

  mayHaveCreated({
    type,
    parentId,
    deviceId,
    amountMinor,
  }: Parameters<OutboxStore['mayHaveCreated']>[0]): boolean {
    const found = this.#database.get(MAY_HAVE_CREATED, type, deviceId, amountMinor, parentId, parentId);
    return found !== undefined;
  }

  serviceIdOf(attemptId: string): string | null {
    const row = this.#database.get(SERVICE_ID_OF, attemptId);
    return row === undefined ? null : canonicalId(Service.parse(row).serviceId);
  }

  tracedOf(attemptId: string): Traced {
    return (
      TracedRow.safeParse(this.#database.get(TRACED_OF, attemptId)).data ?? { id: attemptId, trace: null }
    );
  }

  eventCursor(): string | null {
    const row = this.#database.get(EVENT_CURSOR);
    return row === undefined ? null : Fact.parse(row).value;
  }

  keepEventCursor(eventId: string): void {
    this.#database.run(KEEP_EVENT_CURSOR, eventId);
  }

  #doneAs(id: string, serviceId: string): void {
    this.#database.transaction(() => {
      this.#end(id);
      const attemptId = this.#attemptOf(id);
      if (serviceId !== attemptId) this.#database.run(BIND_ALIAS, serviceId, attemptId);
    });
  }

  #end(id: string): void {
    this.#change(DONE, this.#clock.now(), Math.floor(this.#clock.monotonic()), id);
  }

  #attemptOf(rowId: string): string {
    return Attempt.parse(this.#database.get(ATTEMPT_OF, rowId)).attemptId;
  }

  #change(sql: string, ...values: readonly unknown[]): void {
    invariant(this.#database.run(sql, ...values) === 1, 'an outbox row is changed once', { sql });
  }
}

/** JSON of tilld's own, written with the row. */
function bodyOf(text: string): OutboxRow['body'] {
  const body: unknown = JSON.parse(text);
  invariant(typeof body === 'object' && body !== null, 'a stored report is an object');
  return body as OutboxRow['body'];
}
