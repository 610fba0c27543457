import type { Clock } from '../base/clock.ts';
import type { Ids } from '../base/ids.ts';
import type { Log } from '../base/log.ts';
import type { Device, Devices } from '../terminal/device.ts';
import type { TerminalSupervisor } from '../terminal/supervisor.ts';
import type { LaneLimits } from './guards/preconditions.ts';
import type { Attempt } from './attempt/attempt.ts';
import type { ReportBodies } from './change.ts';
import { Desk } from './payments-api.ts';
import type { FrameLog } from './dispatch/dialogue.ts';
import type { ElapsedTime } from './attempt/elapsed-time.ts';
import type { DevicePolicy } from './follow-up.ts';
import { Intake } from './guards/payment-request-guard.ts';
import { type InvoiceSource, NO_INVOICES } from './invoice/bill.ts';
import { InvoiceBook } from './invoice/invoice-book.ts';
import { InvoiceCheck } from './invoice/invoice-check.ts';
import { type Lane, Lanes } from './dispatch/terminal-queues.ts';
import type { Memory } from './recovery/restored-database.ts';
import { Office } from './batch/terminal-operations-service.ts';
import type { IdentityStore, PaymentStore } from './ports.ts';
import type { RecoveryLimits } from './recovery/recovery.ts';
import { Returns } from './refunds/refunds-and-voids.ts';
import { type Room, UNWATCHED } from './guards/disk-space.ts';
import { LaneRunner } from './dispatch/queue-worker.ts';
import { PaymentService } from './payment-writer.ts';

/** A place at the counter: its terminal, and what its owner wants of it. */
export interface Counter {
  readonly device: Device;
  readonly terminal: TerminalSupervisor;
  readonly frames: FrameLog;
  readonly log: Log;
  readonly wishes: Pick<DevicePolicy, 'lateApproval' | 'partialApproval'>;
}

export interface CorePorts {
  readonly store: PaymentStore;
  readonly terminals: IdentityStore;
  /** What we owe the service; null where none is configured. */
  readonly reports: ReportBodies | null;
  readonly limits: LaneLimits;
  readonly recovery: RecoveryLimits;
  readonly memory: Memory;
  /** Where invoices are known beside our books; absent: nowhere. */
  readonly invoices?: InvoiceSource;
  /** Room on the disk; absent: nobody looks. */
  readonly room?: Room;
  readonly clock: Clock;
  readonly elapsed: ElapsedTime;
  readonly ids: Ids;
  readonly log: Log;
  /** The disk refused an outcome: nothing may be answered, the process must end. */
  readonly fatal: (error: unknown) => void;
}

/** The payment core, wired; `inherit` of the lanes comes first, then `start`. */
export interface Core {
  readonly service: PaymentService;
  readonly intake: Intake;
  readonly desk: Desk;
  readonly office: Office;
  readonly lanes: Lanes;
  readonly invoiceCheck: InvoiceCheck;
}

/** Wires the payment core around the terminals of a shop; nothing is opened. */
export function makeCore(ports: CorePorts, counters: readonly Counter[]): Core {
  const { store, terminals, reports, limits, memory, room = UNWATCHED, clock, elapsed, ids, log } = ports;
  // Lanes need the service, and the service asks the lanes what a device can do.
  const late: { lanes?: Lanes; intake?: Intake } = {};
  const lanesOf = () => late.lanes ?? new Lanes([], store, service, terminals, memory);
  const devices: Devices = { list: () => lanesOf().list(), get: (id) => lanesOf().get(id) };
  const service = new PaymentService({
    store,
    clock,
    elapsed,
    ids,
    log,
    reports,
    terminals,
    policyOf: (deviceId) => lanesOf().policyOf(deviceId),
  });
  const hasLooked = (deviceId: string) => lanesOf().require(deviceId).runner.hasLooked;
  const wasAsked = (deviceId: string) => lanesOf().require(deviceId).runner.wasAsked;
  const isUnread = (deviceId: string) => lanesOf().require(deviceId).runner.isUnread;
  const awaitsWitness = (deviceId: string) => lanesOf().require(deviceId).runner.awaitsWitness;
  const isWitnessed = () => late.intake?.isWitnessed ?? false;
  const guardAgain = (attempt: Attempt) => late.intake?.guardAgain(attempt);
  const askInvoice = (attempt: Attempt) => late.intake?.askAgain(attempt) ?? Promise.resolve();
  const isInvoiceUnasked = (attempt: Attempt) => invoices.isUnasked(attempt);
  const returns = new Returns({
    store,
    devices,
    identities: terminals,
    ids,
    limits,
    elapsed,
    memory,
    hasLooked,
  });
  const lanes = new Lanes(
    counters.map((counter) =>
      laneOf(counter, ports, { service, returns, guardAgain, askInvoice, isInvoiceUnasked, isWitnessed }),
    ),
    store,
    service,
    terminals,
    memory,
  );
  late.lanes = lanes;
  const invoices = new InvoiceBook({
    source: ports.invoices ?? NO_INVOICES,
    store,
    isOurs: (serviceId, metadata) => late.intake?.isOurs(serviceId, metadata) ?? false,
    clock,
    log,
  });
  const intake = new Intake({
    invoices,
    service,
    store,
    devices: lanes,
    clock,
    elapsed,
    ids,
    log,
    limits,
    returns,
    memory,
    room,
    hasLooked,
    wasAsked,
    isUnread,
    awaitsWitness,
    deviceIds: counters.map(({ device }) => device.id),
    restored: (reason) => {
      memory.begin?.(reason);
      for (const { device } of lanes.list()) lanes.wake(device.id);
    },
  });
  late.intake = intake;
  const office = new Office({ service, store, lanes, terminals, room, clock, ids });
  const invoiceCheck = new InvoiceCheck({ service, store, invoices, clock, log });
  return {
    service,
    intake,
    desk: new Desk(service, intake, store, clock, elapsed),
    office,
    lanes,
    invoiceCheck,
  };
}

function laneOf(
  counter: Counter,
  ports: CorePorts,
  core: {
    readonly service: PaymentService;
    readonly returns: Returns;
    readonly guardAgain: (attempt: Attempt) => void;
    readonly askInvoice: (attempt: Attempt) => Promise<void>;
    readonly isInvoiceUnasked: (attempt: Attempt) => boolean;
    readonly isWitnessed: () => boolean;
  },
): Lane {
  const { device, terminal, frames, log, wishes } = counter;
  const { store, terminals, recovery, memory, room = UNWATCHED, clock, ids, fatal } = ports;
  const runner = new LaneRunner({
    deviceId: device.id,
    currency: device.currency,
    device,
    memory,
    room,
    terminal,
    ...core,
    store,
    terminals,
    hasService: ports.reports !== null,
    frames,
    clock,
    ids,
    log,
    recovery,
    fatal,
  });
  return { device, terminal, runner, wishes };
}
