import { AppError } from '../../base/errors.ts';
import type { Heartbeat } from '../../base/heartbeat.ts';
import type { Device, Devices, DeviceView } from '../../terminal/device.ts';
import { whichOf } from '../../terminal/identity.ts';
import type { TerminalSupervisor } from '../../terminal/supervisor.ts';
import type { Attempt } from '../attempt/attempt.ts';
import type { Settlement } from '../batch/settlement.ts';
import { FORGOTTEN } from '../guards/payment-request-guard.ts';
import { NOTHING_SENT, type PaymentWriter } from '../payment-writer.ts';
import type { IdentityStore, PaymentStore } from '../ports.ts';
import type { DatabaseAge } from '../recovery/restored-database.ts';
import type { DeviceViews } from './device-views.ts';
import type { QueueWorker } from './queue-worker.ts';
import type { TerminalState } from './terminal-state.ts';

/** One device with its terminal and its queue. */
export interface DeviceQueue {
  readonly device: Device;
  readonly terminal: TerminalSupervisor;
  readonly state: TerminalState;
  readonly worker: QueueWorker;
}

/**
 * All queues of the shop, and the present state of each device.
 * `inherit` first puts every attempt of the last process run in doubt, or cancels it; nothing may be accepted or moved before.
 */
export class TerminalQueues implements Devices {
  readonly #queues: ReadonlyMap<string, DeviceQueue>;
  readonly #store: PaymentStore;
  readonly #writer: PaymentWriter;
  readonly #terminals: IdentityStore;
  readonly #databaseAge: DatabaseAge;
  readonly #views: DeviceViews;

  constructor(
    queues: readonly DeviceQueue[],
    views: DeviceViews,
    store: PaymentStore,
    writer: PaymentWriter,
    terminals: IdentityStore,
    databaseAge: DatabaseAge,
  ) {
    this.#databaseAge = databaseAge;
    this.#views = views;
    this.#queues = new Map(queues.map((queue) => [queue.device.id, queue]));
    this.#store = store;
    this.#writer = writer;
    this.#terminals = terminals;
  }

  /**
   * Ends what the last process run left open: an attempt past `requested` is in doubt, a waiting one is cancelled. Where the database is
   * restored, or may be after a reboot of the machine, a waiting one may have been sent since, and is in doubt as well.
   */
  inherit(): void {
    for (const attempt of this.#store.openAttempts()) this.#takeOver(attempt);
    for (const settlement of this.#store.openSettlements())
      takeOverClose(settlement, this.#writer, this.#terminals);
  }

  start(): void {
    this.#writer.subscribe({
      abort: (attempt) => this.abort(attempt),
      waits: (deviceId) => this.wake(deviceId),
    });
    for (const { terminal, worker } of this.#queues.values()) {
      terminal.start();
      worker.start();
    }
  }

  async stop(): Promise<void> {
    const queues = [...this.#queues.values()];
    for (const { terminal } of queues) terminal.halt();
    const runners = await Promise.allSettled(queues.map((queue) => queue.worker.stop()));
    const terminals = await Promise.allSettled(queues.map((queue) => queue.terminal.stop()));
    const failed = [...runners, ...terminals].find((one) => one.status === 'rejected');
    if (failed) throw failed.reason;
  }

  /** The supervisor of each terminal, for the watchdog. */
  signs(): readonly Heartbeat[] {
    return [...this.#queues.values()].map(({ device, terminal }) => ({
      name: `terminal of ${device.name}`,
      dueBy: () => terminal.dueBy(),
    }));
  }

  wake(deviceId: string): void {
    this.#queues.get(deviceId)?.worker.wake();
  }

  /** Asks the terminal that works on this attempt to stop. */
  abort(attempt: Attempt): void {
    this.#queues.get(attempt.deviceId)?.worker.abort(attempt.id);
  }

  list(): readonly DeviceView[] {
    return this.#views.list();
  }

  get(id: string): DeviceView | undefined {
    return this.#views.get(id);
  }

  /** @throws DEVICE_UNKNOWN */
  require(id: string): DeviceQueue {
    const queue = this.#queues.get(id);
    if (queue) return queue;
    throw new AppError('DEVICE_UNKNOWN', 'no device has this id', { context: { param: 'id' } });
  }

  /** A process run that this database does not know may have sent the request: after a reboot of the machine the disk may be an older image. */
  #mayHaveBeenSent(id: string): boolean {
    return (this.#databaseAge.lost && this.#store.isFromBefore(id)) || this.#store.isFromEarlierBoot(id);
  }

  #takeOver({ id, deviceId, state, needsPerson, baseline }: Attempt): void {
    if (state.name === 'requested' && this.#mayHaveBeenSent(id)) {
      this.#writer.apply(id, { type: 'forgotten' }, { reason: FORGOTTEN, needsPerson: true });
      return;
    }
    if (state.name === 'requested') {
      const message = 'tilld was restarted before it reached the terminal.';
      this.#writer.apply(
        id,
        { type: 'expire' },
        { reason: { code: 'expired', message }, evidence: NOTHING_SENT },
      );
      return;
    }
    if (state.name !== 'in_doubt') {
      const reason = { code: 'restart', message: 'tilld stopped while the terminal was working on it.' };
      this.#writer.apply(id, { type: 'lost' }, { reason });
    }
    if (!this.#queues.has(deviceId) && !needsPerson) {
      const reason = {
        code: 'needs_person',
        message: `Its device is not configured any more. Look at its terminal${baseline ? whichOf(baseline.terminal) : ''}.`,
      };
      this.#writer.note(id, 'person_asked', { needsPerson: true, reason });
    }
  }
}

/** A close that the last process run left open: it was not sent, or its end is unknown. */
function takeOverClose(settlement: Settlement, writer: PaymentWriter, terminals: IdentityStore): void {
  const { status } = settlement;
  const message =
    status === 'requested'
      ? 'tilld was restarted before it reached the terminal: the day was not closed.'
      : 'tilld stopped while the terminal closed its day: look at the terminal whether it did.';
  const reason = { code: 'restart', message };
  const ended = status === 'requested' ? 'cancelled' : 'unknown';
  writer.settle({ ...settlement, status: ended, reason, completedAt: writer.now() }, false, () => {
    if (ended === 'unknown') terminals.beginDay(settlement.deviceId);
  });
}
