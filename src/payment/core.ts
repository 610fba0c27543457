import type { Clock } from '../base/clock.ts';
import type { Ids } from '../base/ids.ts';
import type { Log } from '../base/log.ts';
import type { Device, Devices } from '../terminal/device.ts';
import { FrameRing } from '../terminal/frame-ring.ts';
import { type Reach, type TerminalOptions, TerminalSupervisor } from '../terminal/supervisor.ts';
import { TerminalRegistry } from '../terminal/terminal-registry.ts';
import type { ElapsedTime } from './attempt/elapsed-time.ts';
import { TerminalOperationsService } from './batch/terminal-operations-service.ts';
import type { ReportBodies } from './change.ts';
import { DeviceViews } from './dispatch/device-views.ts';
import { QueueWorker } from './dispatch/queue-worker.ts';
import { type DeviceQueue, TerminalQueues } from './dispatch/terminal-queues.ts';
import { TerminalState } from './dispatch/terminal-state.ts';
import type { DevicePolicy } from './follow-up.ts';
import { type DiskSpace, UNWATCHED_DISK } from './guards/disk-space.ts';
import { DrainLease } from './guards/drain-lease.ts';
import { isOurs } from './guards/own-payment.ts';
import { PaymentRequestGuard } from './guards/payment-request-guard.ts';
import type { QueueLimits } from './guards/preconditions.ts';
import { type InvoiceSource, NO_INVOICES } from './invoice/bill.ts';
import { InvoiceCheck } from './invoice/invoice-check.ts';
import { InvoiceLookup } from './invoice/invoice-lookup.ts';
import { PaymentWriter } from './payment-writer.ts';
import { PaymentsApi } from './payments-api.ts';
import type { IdentityStore, PaymentStore } from './ports.ts';
import type { RecoveryLimits } from './recovery/recovery.ts';
import type { DatabaseAge } from './recovery/restored-database.ts';
import { ServiceWitness } from './recovery/service-witness.ts';
import { RefundsAndVoids } from './refunds/refunds-and-voids.ts';

/** A device of the shop: what its terminal is, and the policy of its owner. */
export interface Counter {
  readonly device: Device;
  readonly terminal: TerminalOptions;
  readonly log: Log;
  /** Gets every frame; absent: `log`. */
  readonly frameLog?: Log;
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
  /** The terminal of a device became reachable, or unreachable; absent: nothing is recorded. */
  readonly reached?: (deviceId: string, reach: Reach) => void;
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
  readonly drain: DrainLease;
  readonly payments: PaymentsApi;
  readonly operations: TerminalOperationsService;
  readonly queues: TerminalQueues;
  readonly invoiceCheck: InvoiceCheck;
}

/** Wires the payment core around the terminals of a shop; nothing is opened. */
export function createPaymentCore(deps: PaymentCoreDeps, counters: readonly Counter[]): PaymentCore {
  const { store, terminals, reports, limits, databaseAge, disk = UNWATCHED_DISK } = deps;
  const { clock, elapsed, ids, log } = deps;
  const witness = new ServiceWitness();
  const registry = new TerminalRegistry();
  const supervised = counters.map((counter) => supervisedOf(counter, deps, { registry, witness }));
  const states = supervised.map(({ state }) => state);
  const devices = new DeviceViews(states, terminals);
  const stateOf = (deviceId: string) => devices.stateOf(deviceId);
  const policyOf = (deviceId: string) => devicePolicy(counters, devices, deviceId);
  const writer = new PaymentWriter({ store, clock, elapsed, ids, log, reports, terminals, policyOf });
  const common = { store, devices, limits, databaseAge, clock, elapsed, ids, log };
  const hasLooked = (deviceId: string) => stateOf(deviceId).hasLooked;
  const refundsAndVoids = new RefundsAndVoids({ ...common, identities: terminals, hasLooked });
  const invoices = invoiceLookupOf(deps);
  const drain = new DrainLease({ busy: () => devices.busy(), clock, log });
  const deviceIds = counters.map(({ device }) => device.id);
  const requestGuard = new PaymentRequestGuard({
    ...common,
    invoices,
    writer,
    refundsAndVoids,
    disk,
    drain,
    stateOf,
    witness,
    deviceIds,
    restored: (reason) => {
      databaseAge.begin?.(reason);
      writer.wakeQueues(deviceIds);
    },
  });
  const parts = { writer, refundsAndVoids, requestGuard, invoices, witness };
  const queues = new TerminalQueues(
    supervised.map((one) => queueOf(one, deps, parts)),
    devices,
    store,
    writer,
    terminals,
    databaseAge,
  );
  const operations = new TerminalOperationsService({
    writer,
    store,
    queues,
    terminals,
    disk,
    drain,
    clock,
    ids,
  });
  const invoiceCheck = new InvoiceCheck({ writer, store, invoices, clock, log });
  const payments = new PaymentsApi(writer, requestGuard, store, clock, elapsed);
  return { writer, requestGuard, drain, payments, operations, queues, invoiceCheck };
}

function invoiceLookupOf({ invoices, store, clock, log }: PaymentCoreDeps): InvoiceLookup {
  return new InvoiceLookup({
    source: invoices ?? NO_INVOICES,
    store,
    isOurs: (serviceId, metadata) => isOurs(store, serviceId, metadata),
    clock,
    log,
  });
}

/** The owner's policy and what the terminal can do; without a configured device tilld voids nothing by itself. */
function devicePolicy(counters: readonly Counter[], devices: Devices, deviceId: string): DevicePolicy {
  const counter = counters.find(({ device }) => device.id === deviceId);
  const view = devices.get(deviceId);
  if (!counter || !view) return { lateApproval: 'keep', partialApproval: 'keep', canVoid: false };
  const { void: canVoid, voidNeedsCard } = view.capabilities;
  return { ...counter.policy, canVoid: canVoid !== 'none' && !voidNeedsCard };
}

interface CoreParts {
  readonly writer: PaymentWriter;
  readonly refundsAndVoids: RefundsAndVoids;
  readonly requestGuard: PaymentRequestGuard;
  readonly invoices: InvoiceLookup;
  readonly witness: ServiceWitness;
}

interface SupervisedTerminal extends Pick<Counter, 'device' | 'log'> {
  readonly terminal: TerminalSupervisor;
  readonly frames: FrameRing;
  readonly state: TerminalState;
}

interface SupervisedDeps {
  readonly registry: TerminalRegistry;
  readonly witness: ServiceWitness;
}

/** The terminal of a device, and its state; nothing is opened. */
function supervisedOf(
  counter: Counter,
  deps: PaymentCoreDeps,
  { registry, witness }: SupervisedDeps,
): SupervisedTerminal {
  const { device, log } = counter;
  const { store, terminals, databaseAge, reports, clock, ids } = deps;
  const frames = new FrameRing(clock, counter.frameLog ?? log);
  const terminal = new TerminalSupervisor({
    ...counter.terminal,
    device,
    transcript: frames,
    identities: {
      get: () => terminals.identityOf(device.id),
      remember: (identity) => terminals.rememberIdentity(device.id, identity, clock.now()),
      setAside: () => terminals.factsOf(device.id).setAside,
    },
    registry,
    clock,
    ids,
    log,
  });
  const hasService = reports !== null;
  const state = new TerminalState({ device, terminal, store, databaseAge, witness, hasService, clock });
  return { device, log, terminal, frames, state };
}

function queueOf(
  supervised: SupervisedTerminal,
  deps: PaymentCoreDeps,
  { writer, refundsAndVoids, requestGuard, invoices, witness }: CoreParts,
): DeviceQueue {
  const { device, terminal, frames, log, state } = supervised;
  const { store, terminals, recovery, databaseAge, disk = UNWATCHED_DISK, clock, ids, reached, fatal } = deps;
  const worker = new QueueWorker({
    deviceId: device.id,
    currency: device.currency,
    device,
    databaseAge,
    disk,
    terminal,
    state,
    witness,
    writer,
    refundsAndVoids,
    guardAgain: (attempt) => requestGuard.guardAgain(attempt),
    askInvoice: async ({ type, invoiceId, id }) => {
      if (type === 'sale') await invoices.ask(invoiceId, id);
    },
    isInvoiceUnasked: (attempt) => invoices.isUnasked(attempt),
    store,
    terminals,
    frames,
    clock,
    ids,
    log,
    recovery,
    fatal,
  });
  terminal.subscribe(() => worker.wake());
  if (reached) terminal.subscribe(() => reached(device.id, terminal.reach));
  return { device, terminal, state, worker };
}
