import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import type { Ids } from '../../base/ids.ts';
import { whereAnotherAnswers } from '../../base/next-step.ts';
import type { Device } from '../../terminal/device.ts';
import type { Reprint, TerminalIdentity, TerminalJournal } from '../../terminal/ports.ts';
import type { Attempt } from '../attempt/attempt.ts';
import { paymentDetails } from '../attempt/error-details.ts';
import { isFinal } from '../attempt/state-machine.ts';
import type { DeviceQueue, TerminalQueues } from '../dispatch/terminal-queues.ts';
import { checkDiskSpace, type DiskSpace } from '../guards/disk-space.ts';
import type { DrainLease } from '../guards/drain-lease.ts';
import { whatToDoAbout } from '../guards/what-to-do.ts';
import type { PaymentWriter } from '../payment-writer.ts';
import type { IdentityStore, PaymentStore } from '../ports.ts';
import type { Task, TaskFilter } from '../tasks/task.ts';
import { agrees, ourTotals } from './compare-totals.ts';
import { reconcileLines } from './reconcile.ts';
import type { Settlement } from './settlement.ts';
import type { EndOfDayRequest, Reconciliation, TerminalOperations } from './terminal-operations.ts';

export interface TerminalOperationsDeps {
  readonly writer: PaymentWriter;
  readonly store: PaymentStore;
  readonly queues: TerminalQueues;
  readonly terminals: IdentityStore;
  readonly disk: DiskSpace;
  /** While it is held nothing new begins. */
  readonly drain: DrainLease;
  readonly clock: Clock;
  readonly ids: Ids;
}

const NOT_ANSWERED =
  'It is not known yet whether the customer was charged by this payment. Say first what its slip, the statement or the journal shows; this task ends with that answer.';

/** The operations on a terminal besides payments. */
export class TerminalOperationsService implements TerminalOperations {
  readonly #deps: TerminalOperationsDeps;
  readonly #stopping = new AbortController();

  constructor(deps: TerminalOperationsDeps) {
    this.#deps = deps;
  }

  /** Refuses every call from now on, and aborts reads: the daemon is shutting down. */
  close(): void {
    this.#stopping.abort(new AppError('SHUTTING_DOWN', 'tilld is shutting down', { retry: 'safe' }));
  }

  endOfDay(request: EndOfDayRequest): Settlement {
    const { writer, store, queues, clock, ids } = this.#deps;
    this.#stopping.signal.throwIfAborted();
    const queue = queues.require(request.deviceId);
    const [open] = store.openSettlements(request.deviceId);
    if (open) return open;
    this.#deps.drain.check('The day was not closed.');
    // Its journal may be full, and the close is what it needs.
    if (!needsPerson(queue)) this.#mustBeReady(queue);
    if (!queue.terminal.capabilities.endOfDay) {
      throw new AppError(
        'OPERATION_NOT_SUPPORTED',
        `The terminal of ${queue.device.name} cannot be closed by the till: close its day by hand.`,
        { context: { details: { device_id: queue.device.id, instead: 'at the terminal by hand' } } },
      );
    }
    this.#mustBeKnown(request, queue);
    checkDiskSpace(this.#deps.disk, 'The day was not closed.');
    const settlement: Settlement = {
      id: ids.uuid(),
      deviceId: request.deviceId,
      source: 'request',
      status: 'requested',
      caller: request.caller,
      forced: request.force && { ...request.force, doubtId: queue.state.doubt?.id ?? null },
      createdAt: clock.now(),
      completedAt: null,
      terminal: queue.terminal.identity,
      totals: null,
      ours: null,
      differs: null,
      receipts: {},
      reason: null,
    };
    writer.settle(settlement, true);
    queues.wake(request.deviceId);
    return settlement;
  }

  settlement(id: string): Settlement {
    const settlement = this.#deps.store.findSettlement(id);
    if (settlement) return settlement;
    throw new AppError('SETTLEMENT_UNKNOWN', 'no settlement has this id', { context: { param: 'id' } });
  }

  settlements(page: { readonly deviceId: string; readonly startingAfter?: string; readonly limit: number }) {
    this.#deps.queues.require(page.deviceId);
    return this.#deps.store.listSettlements(page);
  }

  async reconcile(deviceId: string): Promise<Reconciliation> {
    const { store, queues, terminals, clock } = this.#deps;
    const { signal } = this.#stopping;
    signal.throwIfAborted();
    this.#deps.drain.check('Nothing was compared.');
    const queue = queues.require(deviceId);
    this.#mustBeReady(queue);
    if (queue.state.running || queue.state.isClosing) throw busy(queue);
    const previous = store.lastSent(deviceId);
    const journal: TerminalJournal = await queue.worker.readJournal(signal);
    const { day, dayIsWhole } = terminals.factsOf(deviceId);
    const succeeded = store.succeededIn(deviceId, { day });
    const ours = ourTotals(succeeded);
    const { complete, totals } = journal;
    return {
      deviceId,
      at: clock.now(),
      since: succeeded[0]?.createdAt ?? null,
      complete,
      lines: reconcileLines(succeeded, previous, journal),
      totals,
      ours,
      totalsAgree: totals?.amountMinor === undefined || !dayIsWhole ? null : agrees(totals, ours),
    };
  }

  async reprint(deviceId: string): Promise<Reprint> {
    const { queues, drain, writer } = this.#deps;
    const { signal } = this.#stopping;
    signal.throwIfAborted();
    drain.check('Nothing was printed.');
    const queue = queues.require(deviceId);
    const { device, terminal, state, worker } = queue;
    if (terminal.capabilities.reprint !== true) throw cannotReprint(device);
    this.#mustBeReady(queue);
    this.#mustBeAdopted(deviceId);
    const copy = state.isTaken ? null : await worker.reprint(signal);
    if (!copy)
      throw state.blockedBy ? recovering(device, state.blockedBy, 'Try again afterwards.') : busy(queue);
    writer.log.info({ device: deviceId, copy: copy.kind }, 'receipt reprinted');
    return copy;
  }

  async adopt(deviceId: string, by: string): Promise<void> {
    const { store, queues, terminals, writer, clock } = this.#deps;
    this.#stopping.signal.throwIfAborted();
    this.#deps.drain.check('No terminal was adopted.');
    const queue = queues.require(deviceId);
    const open = store.openAttempts(deviceId);
    const running = open.find(({ state }) => state.name !== 'in_doubt');
    if (running) {
      throw new AppError(
        'ADOPT_BLOCKED',
        'A payment on this device is not finished. Wait for its end, or cancel it, and try again.',
        { context: { details: { in_doubt_attempt_id: running.id, ...paymentDetails(running) } } },
      );
    }
    const before: TerminalIdentity | null = terminals.identityOf(deviceId);
    store.transaction(() => {
      terminals.forgetIdentity(deviceId);
      for (const { id, kind } of store.openTasksOfDevice(deviceId))
        if (kind === 'terminal_not_believed')
          store.finishTask(id, { by, note: 'The terminal was adopted.', at: clock.now() });
      for (const { id, baseline } of open)
        if (baseline?.terminal.grade === 'port')
          writer.note(id, 'replaced', { baseline: { ...baseline, replaced: true } });
    });
    writer.log.warn(
      { device: deviceId, by, before: before?.serial ?? before?.terminalId },
      'another terminal adopted',
    );
    await queue.terminal.meetAnew();
  }

  tasks(filter: TaskFilter): readonly Task[] {
    return this.#deps.store.tasks(filter);
  }

  finishTask(id: string, done: { readonly by: string; readonly note: string }): Task {
    const { store, clock } = this.#deps;
    const task = store.findTask(id);
    if (!task) throw new AppError('TASK_UNKNOWN', 'no task has this id', { context: { param: 'id' } });
    if (task.done) {
      throw new AppError('TASK_DONE', `${task.done.by} has done this already`, {
        context: { details: { done_by: task.done.by } },
      });
    }
    this.#mustBeAnswered(task);
    const at = clock.now();
    store.transaction(() => {
      store.finishTask(id, { ...done, at });
      // A person knows of the partial payment, so the service may get its report.
      if (task.kind === 'partial_approval' && task.attemptId !== null) store.releaseReports(task.attemptId);
    });
    this.#deps.writer.reportsReleased();
    return { ...task, done: { ...done, at } };
  }

  /**
   * A doubt whose terminal was replaced keeps its task until a person has answered it, and a terminal that was not believed until it is adopted.
   * @throws TASK_NOT_ANSWERED, WRONG_TERMINAL
   */
  #mustBeAnswered({ kind, attemptId, deviceId }: Task): void {
    if (kind === 'terminal_not_believed' && deviceId !== null) this.#mustBeAdopted(deviceId);
    if (kind !== 'terminal_replaced' || attemptId === null) return;
    const attempt = this.#deps.writer.require(attemptId);
    if (isFinal(attempt.state)) return;
    throw new AppError('TASK_NOT_ANSWERED', NOT_ANSWERED, {
      context: { details: { payment_id: attemptId, what_to_do: whatToDoAbout(attempt) } },
    });
  }

  #mustBeAdopted(deviceId: string): void {
    const { setAside } = this.#deps.terminals.factsOf(deviceId);
    if (setAside === null || !this.#deps.queues.get(deviceId)) return;
    const details = { device_id: deviceId, reason: setAside, what_to_do: whereAnotherAnswers(deviceId) };
    throw new AppError('WRONG_TERMINAL', `The terminal is set aside until a person adopts it: ${setAside}`, {
      context: { details },
    });
  }

  /** @throws TERMINAL_IN_DOUBT while recovery runs, END_OF_DAY_BLOCKED while a person must decide and the close is not forced. */
  #mustBeKnown({ force }: EndOfDayRequest, { device, state }: DeviceQueue): void {
    const { doubt } = state;
    if (!doubt || (force !== null && doubt.releasedAt !== null)) return;
    if (doubt.releasedAt === null) throw recovering(device, doubt, 'Close the day afterwards.');
    const details = { device_id: device.id, in_doubt_attempt_id: doubt.id };
    throw new AppError(
      'END_OF_DAY_BLOCKED',
      `The outcome of a payment on ${device.name} is not known. Resolve it first: once the day is closed the terminal may no longer show it.`,
      { context: { details: { ...details, what_to_do: whatToDoAbout(doubt) } } },
    );
  }

  #mustBeReady({ device, terminal }: DeviceQueue): void {
    const { reach } = terminal;
    if (reach.kind === 'up') return;
    const code = reach.kind === 'wrong_terminal' ? 'WRONG_TERMINAL' : 'TERMINAL_NOT_READY';
    throw new AppError(code, `${device.name} cannot be asked: ${reach.reason}`, {
      retry: 'safe',
      context: {
        details: {
          device_id: device.id,
          reason: reach.reason,
          ...(code === 'WRONG_TERMINAL' ? { what_to_do: whereAnotherAnswers(device.id) } : {}),
        },
      },
    });
  }
}

/** It answers, and a person must do something before it sells. */
function needsPerson({ terminal: { reach } }: DeviceQueue): boolean {
  return reach.kind === 'down' && reach.needs !== undefined;
}

function recovering(device: Device, doubt: Attempt, then: string): AppError {
  const message = `${device.name} is finding out how its last payment ended. ${then}`;
  const details = { device_id: device.id, in_doubt_attempt_id: doubt.id };
  return new AppError('TERMINAL_IN_DOUBT', message, { context: { details } });
}

function cannotReprint(device: Device): AppError {
  const message = `The terminal of ${device.name} repeats no receipt for the till: print it at the terminal by hand.`;
  const details = { device_id: device.id, instead: 'at the terminal by hand' };
  return new AppError('OPERATION_NOT_SUPPORTED', message, { context: { details } });
}

function busy({ device }: DeviceQueue): AppError {
  return new AppError('TERMINAL_BUSY', `A payment or a close runs on ${device.name}. Try again afterwards.`, {
    retry: 'safe',
    context: { details: { device_id: device.id } },
  });
}
