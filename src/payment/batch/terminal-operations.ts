import type { Reprint, Totals, TransactionReport } from '../../terminal/ports.ts';
import type { Task, TaskFilter } from '../tasks/task.ts';
import type { OurTotals, Settlement } from './settlement.ts';

/** A person's request to close the day of a terminal. */
export interface EndOfDayRequest {
  readonly deviceId: string;
  readonly caller: string;
  /** Although a payment is in doubt: the terminal may erase its record of it. */
  readonly force: { readonly by: string; readonly reason: string } | null;
}

/** One line of the terminal's journal beside ours. */
export interface ReconciledLine {
  /** The terminal's line; null where it has none. */
  readonly terminal: TransactionReport | null;
  readonly attemptId: string | null;
  /**
   * `same`: both agree; `unknown`: tilld did not send it; `missing`: sent by tilld, and the terminal does not have it;
   * `contradicts`: the terminal and our database differ; where it is our newest attempt there, a correction was recorded.
   */
  readonly verdict: 'same' | 'unknown' | 'missing' | 'contradicts';
}

/** The terminal's open batch beside our database. */
export interface Reconciliation {
  readonly deviceId: string;
  readonly at: number;
  /** When the first payment of this day that succeeded was created; null: there is none. */
  readonly since: number | null;
  /** False where the terminal reports only a part of its journal (many report the last line alone). */
  readonly complete: boolean;
  readonly lines: readonly ReconciledLine[];
  readonly totals: Totals | null;
  readonly ours: OurTotals;
  /** Null where the terminal reports no sum, or the beginning of its day is unknown. */
  readonly totalsAgree: boolean | null;
}

/**
 * The operations on a terminal besides payments. Refusals are thrown as AppError and have written nothing:
 * DEVICE_UNKNOWN, SETTLEMENT_UNKNOWN, TASK_UNKNOWN, TASK_DONE, TASK_NOT_ANSWERED, OPERATION_NOT_SUPPORTED, TERMINAL_NOT_READY, TERMINAL_IN_DOUBT,
 * TERMINAL_BUSY, WRONG_TERMINAL, ADOPT_BLOCKED, END_OF_DAY_BLOCKED (a doubt is with a person: `context.details.in_doubt_attempt_id`),
 * CURSOR_UNKNOWN, STORAGE_FULL, STORAGE_FAILED, DRAINING, SHUTTING_DOWN.
 */
export interface TerminalOperations {
  /** Queues an end of day behind the waiting requests; an open one is returned instead of a second. */
  endOfDay(request: EndOfDayRequest): Settlement;
  settlement(id: string): Settlement;
  /** Newest first. */
  settlements(page: { readonly deviceId: string; readonly startingAfter?: string; readonly limit: number }): {
    readonly items: readonly Settlement[];
    readonly hasMore: boolean;
  };
  /** Reads the terminal's journal and compares it with ours; a contradiction of our newest attempt there becomes a correction. */
  reconcile(deviceId: string): Promise<Reconciliation>;
  /** Repeats the last receipt of the terminal, for a person who compares; nothing of it is stored, and it is no evidence. */
  reprint(deviceId: string): Promise<Reprint>;
  /**
   * The terminal that answers there now serves this device from now on. Doubts of the old terminal stay with a person; refused while a
   * payment of the device waits or runs.
   */
  adopt(deviceId: string, by: string): Promise<void>;
  /** Oldest first. @throws CURSOR_UNKNOWN */
  tasks(filter: TaskFilter): readonly Task[];
  finishTask(id: string, done: { readonly by: string; readonly note: string }): Task;
}
