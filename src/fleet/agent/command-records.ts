import { z } from 'zod';
import type { Log } from '../../base/log.ts';
import { BooksCommand, type CommandOutcome, TASK_ENDS } from '../contract/command.ts';
import { maskedWords } from './masked-words.ts';

/** So many are remembered; of those, the ones that are still good are never forgotten. */
export const MOST_REMEMBERED = 200;
export const MOST_DETAILS = 4_000;

/** What a command of class M has become: a task for a person of this shop. */
const CommandTask = z.object({
  command: BooksCommand,
  /** A person has had the day closed for it; how the close ends decides. */
  begun: z.object({ by: z.string(), settlementId: z.string() }).nullable(),
  end: z
    .object({
      state: z.enum(TASK_ENDS),
      /** The person; null: none. */
      by: z.string().nullable(),
      /** Epoch ms. */
      at: z.int(),
      words: z.string(),
    })
    .nullable(),
});
export type CommandTask = z.infer<typeof CommandTask>;
export type TaskEnd = NonNullable<CommandTask['end']>;

/** A command that this shop has taken or refused: the audit of this side. */
export const CommandRecord = z.object({
  id: z.string(),
  /** Epoch ms. */
  at: z.int(),
  kind: z.string(),
  /** The name of the key's owner at this shop; `unknown`: no such key has signed it. */
  operator: z.string(),
  /** Until when it is good, epoch ms; 0: it was not proved. */
  until: z.number(),
  /** An earlier release reads these words alone, so the end of a task is in the task. */
  state: z.enum(['begun', 'done', 'failed', 'refused', 'needs_person', 'unsupported', 'interrupted']),
  details: z.string().nullable(),
  /** The hub has the outcome. */
  is_reported: z.boolean(),
  task: CommandTask.optional(),
});
export type CommandRecord = z.infer<typeof CommandRecord>;

/** A record whose command waits, or waited, for a person. */
export type TaskRecord = CommandRecord & { readonly task: CommandTask };

/** Keeps the records; what `keep` was given is on disk when it returns. */
export interface CommandLog {
  read(): readonly CommandRecord[];
  keep(records: readonly CommandRecord[]): void;
}

/** What this shop remembers of commands, oldest first. A change is on disk when its call returns; one that throws has changed nothing. */
export class CommandRecords {
  readonly #log: CommandLog;
  readonly #words: Log;
  #all: readonly CommandRecord[];

  /** What was begun by an earlier process is `interrupted`. */
  constructor(log: CommandLog, words: Log) {
    this.#log = log;
    this.#words = words;
    this.#all = log
      .read()
      .map((record) => (record.state === 'begun' ? { ...record, state: 'interrupted' } : record));
  }

  get all(): readonly CommandRecord[] {
    return this.#all;
  }

  get tasks(): readonly TaskRecord[] {
    return this.#all.filter((record): record is TaskRecord => record.task !== undefined);
  }

  find(id: string): CommandRecord | undefined {
    return this.#all.find((record) => record.id === id);
  }

  /** In words for the operator, where there is no room for another one. */
  full(now: number): string | null {
    const good = this.#all.filter(({ until }) => until > now).length;
    return good >= MOST_REMEMBERED ? `${MOST_REMEMBERED} commands are remembered that are still good` : null;
  }

  add(record: CommandRecord, now: number): void {
    const over = this.#all.length + 1 - MOST_REMEMBERED;
    const gone = new Set(this.#all.filter(({ until }) => until <= now).slice(0, Math.max(0, over)));
    this.#keep([...this.#all.filter((one) => !gone.has(one)), record]);
    const { id, kind, operator } = record;
    const { state, details } = outcomeOf(record);
    this.#words.info({ id, kind, operator, state, details }, 'command of the hub');
  }

  change(ids: readonly string[], changes: Partial<CommandRecord>): void {
    const changed = new Set(ids);
    this.#keep(this.#all.map((record) => (changed.has(record.id) ? { ...record, ...changes } : record)));
  }

  /** The hub has lost the outcome. That is not worth a write: after a restart the hub asks again. */
  reportAgain(id: string): void {
    this.#all = this.#all.map((record) => (record.id === id ? { ...record, is_reported: false } : record));
  }

  #keep(records: readonly CommandRecord[]): void {
    this.#log.keep(records);
    this.#all = records;
  }
}

/** What the hub is to know of a command. */
export function outcomeOf({ id, state, details, task }: CommandRecord): CommandOutcome {
  const end = task?.end;
  if (end)
    return { id, state: end.state, details: maskedWords(end.words, MOST_DETAILS), by: end.by, at: end.at };
  return { id, state: state === 'begun' ? 'interrupted' : state, details };
}
