import type { Totals, TransactionReport } from '../../terminal/ports.ts';
import type { Task } from '../tasks/task.ts';
import type { OurTotals, Settlement } from './settlement.ts';

/** A person's wish to close the day of a terminal. */
export interface EndOfDayRequest {
  readonly deviceId: string;
  readonly caller: string;
  /** Although a payment is in doubt: the terminal may forget what it knows of it. */
  readonly force: { readonly by: string; readonly reason: string } | null;
}

/** One line of the terminal's journal beside ours. */
export interface ReconciledLine {
  /** What the terminal tells; null where it has no such line. */
  readonly terminal: TransactionReport | null;
  readonly attemptId: string | null;
  /**
   * `same`: both agree; `unknown`: nobody here sent it; `missing`: ours, and the terminal has not got it;
   * `contradicts`: the terminal says otherwise than our books, a correction was recorded.
   */
  readonly verdict: 'same' | 'unknown' | 'missing' | 'contradicts';
}

/** The terminal's open batch beside our books. */
export interface Reconciliation {
  readonly deviceId: string;
  readonly at: number;
  /** Since when our books count; null: since the first payment of this terminal. */
  readonly since: number | null;
  /** False where the terminal tells only a part of its journal (many tell the last line alone). */
  readonly complete: boolean;
  readonly lines: readonly ReconciledLine[];
  readonly totals: Totals | null;
  readonly ours: OurTotals;
  /** Null where the terminal tells no sum. */
  readonly totalsAgree: boolean | null;
}

/**
 * What is done at a terminal beside taking payments. Refusals are thrown as AppError and have written nothing:
 * DEVICE_UNKNOWN, SETTLEMENT_UNKNOWN, TASK_UNKNOWN, TASK_DONE, TASK_NOT_ANSWERED, OPERATION_NOT_SUPPORTED, TERMINAL_NOT_READY, TERMINAL_IN_DOUBT,
 * TERMINAL_BUSY, WRONG_TERMINAL, END_OF_DAY_BLOCKED (a doubt is with a person: `context.details.in_doubt_attempt_id`), CURSOR_UNKNOWN,
 * STORAGE_FULL, SHUTTING_DOWN.
 */
export interface TerminalOperations {
  /** Queues an end of day behind what waits already; an open one is given again instead of a second. */
  endOfDay(request: EndOfDayRequest): Settlement;
  settlement(id: string): Settlement;
  /** Newest first. */
  settlements(page: { readonly deviceId: string; readonly startingAfter?: string; readonly limit: number }): {
    readonly items: readonly Settlement[];
    readonly hasMore: boolean;
  };
  /** Reads the terminal's journal and holds it against ours; what contradicts becomes a correction. */
  reconcile(deviceId: string): Promise<Reconciliation>;
  /** The terminal that answers there now serves this device from now on. What the old one left in doubt stays with a person; refused while it works on a payment. */
  adopt(deviceId: string, by: string): Promise<void>;
  /** Oldest first. */
  tasks(filter: { readonly open: boolean; readonly limit: number }): readonly Task[];
  finishTask(id: string, done: { readonly by: string; readonly note: string }): Task;
}
