import { z } from 'zod';
import { AppError } from '../../base/errors.ts';
import {
  TASK_KINDS,
  type Task,
  type TaskDone,
  type TaskFilter,
  type TaskKind,
} from '../../payment/tasks/task.ts';
import type { Database } from '../database.ts';

const INSERT = `INSERT OR IGNORE INTO tasks (id, kind, attempt_id, settlement_id, device_id, message, created_at, done_at, done_by, note)
  VALUES (?, ?, ?, ?, ?, ?, ?, NULL, NULL, NULL)`;
const FINISH = 'UPDATE tasks SET done_at = ?, done_by = ?, note = ? WHERE id = ? AND done_at IS NULL';
const FIND = 'SELECT * FROM tasks WHERE id = ?';
const SEQ = 'SELECT seq FROM tasks WHERE id = ?';
const LIST = 'SELECT * FROM tasks WHERE seq > CAST(? AS INTEGER) ORDER BY seq LIMIT CAST(? AS INTEGER)';
const LIST_OPEN = `SELECT * FROM tasks WHERE done_at IS NULL AND seq > CAST(? AS INTEGER)
  ORDER BY seq LIMIT CAST(? AS INTEGER)`;
const OPEN_OF_ATTEMPT =
  'SELECT * FROM tasks WHERE attempt_id = CAST(? AS TEXT) AND done_at IS NULL ORDER BY seq';
const OPEN_OF_KIND = 'SELECT * FROM tasks WHERE done_at IS NULL AND kind = CAST(? AS TEXT) ORDER BY seq';
const OPEN_OF_DEVICE =
  'SELECT * FROM tasks WHERE device_id = CAST(? AS TEXT) AND done_at IS NULL ORDER BY seq';

const Row = z.object({
  id: z.string(),
  kind: z.enum(TASK_KINDS),
  attempt_id: z.string().nullable(),
  settlement_id: z.string().nullable(),
  device_id: z.string().nullable(),
  message: z.string(),
  created_at: z.int(),
  done_at: z.int().nullable(),
  done_by: z.string().nullable(),
  note: z.string().nullable(),
});

const Place = z.object({ seq: z.int() });

/** Tasks for staff, in `money.db`. */
export class SqliteTaskStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** @returns false when such a task of its attempt or settlement exists already, or an open one of its device. */
  insert({ id, kind, attemptId, settlementId, deviceId, message, createdAt }: Task): boolean {
    return this.#database.run(INSERT, id, kind, attemptId, settlementId, deviceId, message, createdAt) === 1;
  }

  finish(id: string, { at, by, note }: TaskDone): void {
    this.#database.run(FINISH, at, by, note, id);
  }

  find(id: string): Task | null {
    const row = this.#database.get(FIND, id);
    return row === undefined ? null : taskOf(row);
  }

  /** @throws CURSOR_UNKNOWN */
  list({ open, limit, startingAfter }: TaskFilter): readonly Task[] {
    const after = startingAfter === undefined ? 0 : this.#seqOf(startingAfter);
    return this.#database.all(open ? LIST_OPEN : LIST, after, limit).map(taskOf);
  }

  openOfDevice(deviceId: string): readonly Task[] {
    return this.#database.all(OPEN_OF_DEVICE, deviceId).map(taskOf);
  }

  openOfKind(kind: TaskKind): readonly Task[] {
    return this.#database.all(OPEN_OF_KIND, kind).map(taskOf);
  }

  openOf(attemptId: string): readonly Task[] {
    return this.#database.all(OPEN_OF_ATTEMPT, attemptId).map(taskOf);
  }

  #seqOf(id: string): number {
    const row = this.#database.get(SEQ, id);
    if (row !== undefined) return Place.parse(row).seq;
    throw new AppError('CURSOR_UNKNOWN', 'no task has this id', { context: { param: 'starting_after' } });
  }
}

function taskOf(raw: unknown): Task {
  const row = Row.parse(raw);
  const { id, kind, message, done_at, done_by, note } = row;
  return {
    id,
    kind,
    attemptId: row.attempt_id,
    settlementId: row.settlement_id,
    deviceId: row.device_id,
    message,
    createdAt: row.created_at,
    done: done_at === null ? null : { by: done_by ?? '', note: note ?? '', at: done_at },
  };
}
