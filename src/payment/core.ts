import type { Clock } from '../base/clock.ts';
import type { Ids } from '../base/ids.ts';
import type { Log } from '../base/log.ts';
import type { Device, Devices } from '../terminal/device.ts';
import type { TerminalSupervisor } from '../terminal/supervisor.ts';
import type { Attempt } from './attempt/attempt.ts';
import type { ElapsedTime } from './attempt/elapsed-time.ts';
import { TerminalOperationsService } from './batch/terminal-operations-service.ts';
import type { ReportBodies } from './change.ts';
import type { FrameLog } from './dispatch/dialogue.ts';
import { QueueWorker } from './dispatch/queue-worker.ts';
import { type DeviceQueue, TerminalQueues } from './dispatch/terminal-queues.ts';
import type { DevicePolicy } from './follow-up.ts';
import { type DiskSpace, UNWATCHED_DISK } from './guards/disk-space.ts';
import { PaymentRequestGuard } from './guards/payment-request-guard.ts';
import type { QueueLimits } from './guards/preconditions.ts';
import { type InvoiceSource, NO_INVOICES } from './invoice/bill.ts';
import { InvoiceBook } from './invoice/invoice-book.ts';
import { InvoiceCheck } from './invoice/invoice-check.ts';
import { PaymentWriter } from './payment-writer.ts';
import { PaymentsApi } from './payments-api.ts';
import type { IdentityStore, PaymentStore } from './ports.ts';
import type { RecoveryLimits } from './recovery/recovery.ts';
import type { DatabaseAge } from './recovery/restored-database.ts';
import { RefundsAndVoids } from './refunds/refunds-and-voids.ts';

/** A device with its terminal, and the policy of its owner. */
export interface Counter {
  readonly device: Device;
  readonly terminal: TerminalSupervisor;
  readonly frames: FrameLog;
  readonly log: Log;
  readonly policy: Pick<DevicePolicy, 'lateApproval' | 'partialApproval'>;
}

export interface PaymentCoreDeps {
  readonly store: PaymentStore;
  readonly terminals: IdentityStore;
  /** The report bodies for the service; null where none is configured. */
  readonly reports: ReportBodies | null;
  readonly limits: QueueLimits;
  readonly recovery: RecoveryLimits;
  readonly databaseAge: DatabaseAge;
  /** Where invoices are known beside the database; absent: nowhere. */
  readonly invoices?: InvoiceSource;
  /** Disk space; absent: it is not watched. */
  readonly disk?: DiskSpace;
  readonly clock: Clock;
  readonly elapsed: ElapsedTime;
  readonly ids: Ids;
  readonly log: Log;
  /** The disk refused an outcome: nothing may be answered, the process must end. */
  readonly fatal: (error: unknown) => void;
}

/** The payment core, wired; `inherit` of the queues comes first, then `start`. */
export interface PaymentCore {
  readonly writer: PaymentWriter;
  readonly requestGuard: PaymentRequestGuard;
  readonly payments: PaymentsApi;
  readonly operations: TerminalOperationsService;
  readonly queues: TerminalQueues;
  readonly invoiceCheck: InvoiceCheck;
}

/** Wires the payment core around the terminals of a shop; nothing is opened. */
export function createPaymentCore(deps: PaymentCoreDeps, counters: readonly Counter[]): PaymentCore {
  const {
    store,
    terminals,
    reports,
    limits,
    databaseAge,
    disk = UNWATCHED_DISK,
    clock,
    elapsed,
    ids,
    log,
  } = deps;
  // Queues need the writer, and the writer asks the queues what a device can do.
  const late: { queues?: TerminalQueues; requestGuard?: PaymentRequestGuard } = {};
  const queuesOf = () => late.queues ?? new TerminalQueues([], store, writer, terminals, databaseAge);
  const devices: Devices = { list: () => queuesOf().list(), get: (id) => queuesOf().get(id) };
  const writer = new PaymentWriter({
    store,
    clock,
    elapsed,
    ids,
    log,
    reports,
    terminals,
    policyOf: (deviceId) => queuesOf().policyOf(deviceId),
  });
  const hasLooked = (deviceId: string) => queuesOf().require(deviceId).worker.hasLooked;
  const wasAsked = (deviceId: string) => queuesOf().require(deviceId).worker.wasAsked;
  const isUnread = (deviceId: string) => queuesOf().require(deviceId).worker.isUnread;
  const awaitsWitness = (deviceId: string) => queuesOf().require(deviceId).worker.awaitsWitness;
  const isWitnessed = () => late.requestGuard?.isWitnessed ?? false;
  const guardAgain = (attempt: Attempt) => late.requestGuard?.guardAgain(attempt);
  const askInvoice = (attempt: Attempt) => late.requestGuard?.askAgain(attempt) ?? Promise.resolve();
  const isInvoiceUnasked = (attempt: Attempt) => invoices.isUnasked(attempt);
  const refundsAndVoids = new RefundsAndVoids({
    store,
    devices,
    identities: terminals,
    ids,
    limits,
    elapsed,
    databaseAge,
    hasLooked,
  });
  const queues = new TerminalQueues(
    counters.map((counter) =>
      laneOf(counter, deps, {
        writer,
        refundsAndVoids,
        guardAgain,
        askInvoice,
        isInvoiceUnasked,
        isWitnessed,
      }),
    ),
    store,
    writer,
    terminals,
    databaseAge,
  );
  late.queues = queues;
  const invoices = new InvoiceBook({
    source: deps.invoices ?? NO_INVOICES,
    store,
    isOurs: (serviceId, metadata) => late.requestGuard?.isOurs(serviceId, metadata) ?? false,
    clock,
    log,
  });
  const requestGuard = new PaymentRequestGuard({
    invoices,
    writer,
    store,
    devices: queues,
    clock,
    elapsed,
    ids,
    log,
    limits,
    refundsAndVoids,
    databaseAge,
    disk,
    hasLooked,
    wasAsked,
    isUnread,
    awaitsWitness,
    deviceIds: counters.map(({ device }) => device.id),
    restored: (reason) => {
      databaseAge.begin?.(reason);
      for (const { device } of queues.list()) queues.wake(device.id);
    },
  });
  late.requestGuard = requestGuard;
  const operations = new TerminalOperationsService({ writer, store, queues, terminals, disk, clock, ids });
  const invoiceCheck = new InvoiceCheck({ writer, store, invoices, clock, log });
  return {
    writer,
    requestGuard,
    payments: new PaymentsApi(writer, requestGuard, store, clock, elapsed),
    operations,
    queues,
    invoiceCheck,
  };
}

function laneOf(
  counter: Counter,
  deps: PaymentCoreDeps,
  core: {
    readonly writer: PaymentWriter;
    readonly refundsAndVoids: RefundsAndVoids;
    readonly guardAgain: (attempt: Attempt) => void;
    readonly askInvoice: (attempt: Attempt) => Promise<void>;
    readonly isInvoiceUnasked: (attempt: Attempt) => boolean;
    readonly isWitnessed: () => boolean;
  },
): DeviceQueue {
  const { device, terminal, frames, log, policy } = counter;
  const { store, terminals, recovery, databaseAge, disk = UNWATCHED_DISK, clock, ids, fatal } = deps;
  const worker = new QueueWorker({
    deviceId: device.id,
    currency: device.currency,
    device,
    databaseAge,
    disk,
    terminal,
    ...core,
    store,
    terminals,
    hasService: deps.reports !== null,
    frames,
    clock,
    ids,
    log,
    recovery,
    fatal,
  });
  return { device, terminal, worker, policy };
}
