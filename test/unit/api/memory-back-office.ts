import { AppError } from '../../../src/base/errors.ts';
import type { Settlement } from '../../../src/payment/batch/settlement.ts';
import type {
  EndOfDayRequest,
  Reconciliation,
  TerminalOperations,
} from '../../../src/payment/batch/terminal-operations.ts';
import type { Task, TaskFilter } from '../../../src/payment/tasks/task.ts';
import type { Reprint } from '../../../src/terminal/ports.ts';
import { DEVICE_ID } from './memory-payments.ts';

/** The back office in memory: the port's promises and nothing of the rules but one open end of day per device. */
export class MemoryBackOffice implements TerminalOperations {
  readonly all: Settlement[] = [];
  readonly taskList: Task[] = [];
  readonly adopted: (readonly [deviceId: string, by: string])[] = [];
  found: Reconciliation = reconciliationOf();
  copy: Reprint = { kind: 'printed' };

  endOfDay(request: EndOfDayRequest): Settlement {
    const open = this.all.find(
      ({ deviceId, status }) => deviceId === request.deviceId && status === 'requested',
    );
    if (open) return open;
    const { deviceId, caller, force } = request;
    const settlement = settlementOf({
      id: settlementId(this.all.length + 1),
      deviceId,
      caller,
      forced: force && { ...force, doubtId: null },
    });
    this.all.push(settlement);
    return settlement;
  }

  settlement(id: string): Settlement {
    const found = this.all.find((settlement) => settlement.id === id);
    if (!found) throw new AppError('SETTLEMENT_UNKNOWN', 'There is no such settlement here');
    return found;
  }

  settlements(page: { readonly deviceId: string; readonly startingAfter?: string; readonly limit: number }) {
    const mine = this.all.filter(({ deviceId }) => deviceId === page.deviceId).reverse();
    const index = mine.findIndex(({ id }) => id === page.startingAfter);
    if (page.startingAfter !== undefined && index === -1)
      throw new AppError('CURSOR_UNKNOWN', 'There is nothing with this id');
    const rest = mine.slice(index + 1);
    return { items: rest.slice(0, page.limit), hasMore: rest.length > page.limit };
  }

  async reconcile(deviceId: string): Promise<Reconciliation> {
    return { ...this.found, deviceId };
  }

  async reprint(): Promise<Reprint> {
    return this.copy;
  }

  async adopt(deviceId: string, by: string): Promise<void> {
    this.adopted.push([deviceId, by]);
  }

  tasks({ open, limit, startingAfter }: TaskFilter): readonly Task[] {
    const index = this.taskList.findIndex(({ id }) => id === startingAfter);
    if (startingAfter !== undefined && index === -1)
      throw new AppError('CURSOR_UNKNOWN', 'There is nothing with this id');
    const rest = this.taskList.slice(index + 1);
    return rest.filter(({ done }) => !open || done === null).slice(0, limit);
  }

  finishTask(id: string, { by, note }: { readonly by: string; readonly note: string }): Task {
    const index = this.taskList.findIndex((task) => task.id === id);
    const task = this.taskList[index];
    if (!task) throw new AppError('TASK_UNKNOWN', 'There is no such task here');
    if (task.done) throw new AppError('TASK_DONE', 'This task is done already');
    const done: Task = { ...task, done: { by, note, at: 1_700_000_100_000 } };
    this.taskList[index] = done;
    return done;
  }
}

export function settlementOf(change: Partial<Settlement> = {}): Settlement {
  return {
    id: settlementId(0),
    deviceId: DEVICE_ID,
    source: 'request',
    status: 'requested',
    caller: 'socket',
    forced: null,
    createdAt: 1_700_000_000_000,
    completedAt: null,
    terminal: null,
    totals: null,
    ours: null,
    differs: null,
    receipts: {},
    reason: null,
    ...change,
  };
}

export function taskOf(change: Partial<Task> = {}): Task {
  return {
    id: '0198c5a0-dddd-7000-8000-000000000001',
    kind: 'cancel_too_late',
    attemptId: '0198c5a0-0000-7000-8000-000000000001',
    settlementId: null,
    deviceId: null,
    message: 'Cancel came too late. The customer HAS paid. Hand over the goods or refund.',
    createdAt: 1_700_000_000_000,
    done: null,
    ...change,
  };
}

export const NO_SALES = {
  sales: { count: 0, amountMinor: 0 },
  refunds: { count: 0, amountMinor: 0 },
  voids: { count: 0, amountMinor: 0 },
  netMinor: 0,
} as const;

export function reconciliationOf(change: Partial<Reconciliation> = {}): Reconciliation {
  return {
    deviceId: DEVICE_ID,
    at: 1_700_000_000_000,
    since: null,
    complete: true,
    lines: [],
    totals: null,
    ours: NO_SALES,
    totalsAgree: null,
    ...change,
  };
}

function settlementId(number: number): string {
  return `0198c5a0-eeee-7000-8000-${String(number).padStart(12, '0')}`;
}
