import type { Clock } from '../../base/clock.ts';
import { AppError, messageOf } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import { guardText } from '../../base/text-guard.ts';
import type { BooksCommand } from '../contract/command.ts';
import type { CommandRecord, CommandRecords, TaskEnd, TaskRecord } from './command-records.ts';

/** The most tasks of operators that wait at a time: what people can look at. */
export const MOST_OPEN_TASKS = 20;

/** What the shop's books say of what a command asks for. */
export type Stand =
  /** `isRunning`: a person has begun it, and it has not ended. */
  | { readonly kind: 'open'; readonly isRunning?: boolean }
  /** Nothing here has this id. */
  | { readonly kind: 'unknown'; readonly words: string }
  /**
   * There is nothing left to do. `by`: the named person who did just that since it was asked for; null: it came otherwise. `isAsBegun`: by what a person
   * has begun for it.
   */
  | {
      readonly kind: 'over';
      readonly by: string | null;
      readonly isAsBegun?: boolean;
      readonly words: string;
    };

/** Reads the books, and changes nothing in them: what a person does goes the way of every local action. */
export interface BooksReader {
  /** @param since when it was asked for, epoch ms @param settlementId the close that a person has begun for it */
  standOf(command: BooksCommand, since: number, settlementId: string | null): Stand;
}

export interface CommandTasksDeps {
  readonly records: CommandRecords;
  readonly books: BooksReader;
  readonly clock: Clock;
  readonly words: Log;
  /** A task has ended: the hub is to know. */
  readonly ended: () => void;
}

/** What a person has done; `settlementId`: it is a close, whose end is not known yet. */
export interface Performed {
  readonly settlementId: string | null;
  readonly words: string;
}

/**
 * Commands of class M as tasks of this shop. Nothing here does what they ask for: that is the local action of a person who is signed in, which
 * comes in as `work` with their name.
 *
 * INVARIANTS:
 * - a command is one task at most, and so is a thing that is asked for;
 * - at most twenty are open;
 * - a task ends once: done or declined by a named person, expired, or not needed any more; its end is on disk before the hub has it.
 */
export class CommandTasks {
  readonly #deps: CommandTasksDeps;
  /** A person does these right now. */
  readonly #performed = new Set<string>();
  #trouble: string | null = null;

  constructor(deps: CommandTasksDeps) {
    this.#deps = deps;
  }

  /** Oldest first, as the books stand now; also those that have ended. */
  list(): readonly TaskRecord[] {
    this.refresh();
    return this.#deps.records.tasks;
  }

  /** What a command becomes now. @throws what the books throw: then it is asked for again later */
  begin(command: BooksCommand): Pick<CommandRecord, 'state' | 'details' | 'task'> {
    const { books, clock } = this.#deps;
    const now = clock.now();
    const refusal = this.#refusalOf(command);
    if (refusal !== null) return { state: 'refused', details: refusal };
    const stand = books.standOf(command, now, null);
    if (stand.kind === 'unknown') return { state: 'failed', details: stand.words };
    const isOver = stand.kind === 'over';
    const end: TaskEnd | null = isOver
      ? { state: 'not_needed', by: null, at: now, words: stand.words }
      : null;
    return { state: 'needs_person', details: null, task: { command: guarded(command), begun: null, end } };
  }

  /**
   * Ends what is over or has expired. A disk or books that cannot be read or written leave a task open until they can.
   */
  refresh(): void {
    for (const record of this.#open()) {
      if (this.#performed.has(record.id)) continue;
      try {
        const end = this.#endOf(record);
        if (end) this.#end(record, end);
      } catch (error) {
        const words = messageOf(error);
        if (words !== this.#trouble)
          this.#deps.words.warn({ error: words }, 'a task of an operator was not checked');
        this.#trouble = words;
      }
    }
  }

  /**
   * A person does it: `work` is their local action, with all its checks. Where it throws, the task stays open.
   * @param by the name of the person who is signed in
   * @throws TASK_UNKNOWN, TASK_DONE, and what the work throws
   */
  async perform(
    id: string,
    by: string,
    work: (command: BooksCommand) => Promise<Performed>,
  ): Promise<TaskRecord> {
    const record = this.#mustBeOpen(id);
    this.#performed.add(id);
    try {
      this.#performedBy(record, by, await work(record.task.command));
    } finally {
      this.#performed.delete(id);
    }
    this.refresh();
    return this.require(id);
  }

  /** It is done, whether that can be written or not: the books end the task then, without the name. */
  #performedBy(record: TaskRecord, by: string, { settlementId, words }: Performed): void {
    const { id, kind, task } = record;
    this.#deps.words.info({ id, kind, by, words }, 'a task of an operator was performed');
    try {
      if (settlementId === null) this.#end(record, { state: 'done', by, at: this.#deps.clock.now(), words });
      else this.#deps.records.change([id], { task: { ...task, begun: { by, settlementId } } });
    } catch (error) {
      this.#deps.words.error({ id, error: messageOf(error) }, 'who performed a task could not be written');
    }
  }

  /** @throws TASK_UNKNOWN, TASK_DONE */
  decline(id: string, by: string, reason: string): TaskRecord {
    const record = this.#mustBeOpen(id);
    this.#deps.words.info({ id, kind: record.kind, by, reason }, 'a task of an operator was declined');
    this.#end(record, { state: 'declined', by, at: this.#deps.clock.now(), words: reason });
    return this.require(id);
  }

  /** @throws TASK_UNKNOWN */
  require(id: string): TaskRecord {
    const found = this.#deps.records.tasks.find((record) => record.id === id);
    if (found) return found;
    throw new AppError('TASK_UNKNOWN', 'no task has this id', { context: { param: 'id' } });
  }

  /** In words for the operator: why this is no task; null: it may become one. */
  #refusalOf(command: BooksCommand): string | null {
    this.refresh();
    const open = this.#open();
    const same = open.find(({ task }) => keyOf(task.command) === keyOf(command));
    if (same) return `${same.operator} has asked for it already, and it waits for a person`;
    if (open.length < MOST_OPEN_TASKS) return null;
    return `${MOST_OPEN_TASKS} tasks of operators wait for a person at this shop already`;
  }

  #mustBeOpen(id: string): TaskRecord {
    this.refresh();
    const record = this.require(id);
    const { end, begun } = record.task;
    if (end) throw taskDone(`This has ended: ${end.words}`, end.by);
    const stand = this.#standOf(record);
    if (this.#performed.has(id) || (stand.kind === 'open' && stand.isRunning))
      throw taskDone('This is being done right now', begun?.by ?? null);
    return record;
  }

  #open(): readonly TaskRecord[] {
    return this.#deps.records.tasks.filter(({ task }) => task.end === null);
  }

  #standOf({ task: { command, begun }, at }: TaskRecord): Stand {
    return this.#deps.books.standOf(command, at, begun?.settlementId ?? null);
  }

  /** null: it stays open. */
  #endOf(record: TaskRecord): TaskEnd | null {
    const at = this.#deps.clock.now();
    const stand = this.#standOf(record);
    if (stand.kind === 'unknown') return { state: 'not_needed', by: null, at, words: stand.words };
    if (stand.kind === 'over') {
      const by = (stand.isAsBegun ? record.task.begun?.by : null) ?? stand.by;
      return { state: by === null ? 'not_needed' : 'done', by, at, words: stand.words };
    }
    if (record.until > at || stand.isRunning) return null;
    return { state: 'expired', by: null, at, words: 'no person had done or declined it when it expired' };
  }

  #end({ id, kind, operator, task }: TaskRecord, end: TaskEnd): void {
    this.#deps.records.change([id], { task: { ...task, end }, is_reported: false });
    this.#deps.words.info({ id, kind, operator, ...end }, 'a task of an operator has ended');
    this.#deps.ended();
  }
}

function taskDone(words: string, by: string | null): AppError {
  return new AppError('TASK_DONE', words, { context: { details: { done_by: by ?? 'tilld' } } });
}

/** What an operator says is shown to people here: it has no card number and no key. */
function guarded(command: BooksCommand): BooksCommand {
  return command.reason === undefined ? command : { ...command, reason: guardText(command.reason) };
}

/** One for each thing that can be asked for; who asks, and why, does not make another one. */
function keyOf({ reason: _, ...command }: BooksCommand): string {
  return JSON.stringify(command);
}
