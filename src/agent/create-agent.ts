import type { Clock } from '../base/clock.ts';
import type { Ids } from '../base/ids.ts';
import type { Log } from '../base/log.ts';
import type { Spans } from '../base/span.ts';
import type { MirrorReader } from '../integration/views/mirror.ts';
import { createBody, resultBody } from '../outbox/reports.ts';
import { type Counter, createPaymentCore, type PaymentCore, type PaymentCoreDeps } from '../payment/core.ts';
import type { DiskSpace } from '../payment/guards/disk-space.ts';
import type { QueueLimits } from '../payment/guards/preconditions.ts';
import type { RecoveryLimits } from '../payment/recovery/recovery.ts';
import type { ServiceConnection } from '../service/service-connection.ts';
import { createServiceLink, type ServiceLink, type ServiceLinkOptions } from '../service/service-link.ts';
import { invoiceSource } from './invoices.ts';
import { databaseAgeIn, type Money } from './money.ts';

/** The service, as it is reached, and how tilld works with it. */
export interface AgentService
  extends Pick<ServiceLinkOptions, 'createLocal' | 'pollIntervalMs' | 'cancelIntervalMs' | 'maxAgeMs'> {
  readonly connection: ServiceConnection;
  /** Signing secrets of the service's webhooks; absent: tilld receives none. */
  readonly hookSecrets?: () => readonly string[];
}

/** Everything from outside that the agent needs; it opens none of it itself. */
export interface AgentPorts {
  /** This installation's name at the service; no two installations may share it. */
  readonly name: string;
  readonly money: Pick<
    Money,
    'database' | 'payments' | 'outbox' | 'identities' | 'elapsed' | 'epoch' | 'identity' | 'beginAsCopy'
  >;
  readonly counters: readonly Counter[];
  /** null: none is configured; payments stay local. */
  readonly service: AgentService | null;
  /** The mirror of the service's invoices; null or absent: there is none. */
  readonly mirror?: MirrorReader | null;
  /** The terminal of a device became reachable, or unreachable; absent: nothing is recorded. */
  readonly reached?: PaymentCoreDeps['reached'];
  /** Absent: it is not watched. */
  readonly disk?: DiskSpace;
  /** null or absent: tracing is off. */
  readonly spans?: Spans | null;
  readonly limits: QueueLimits;
  readonly recovery: RecoveryLimits;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  /** The disk refused an outcome: nothing may be answered, the process must end. */
  readonly fatal: (error: unknown) => void;
}

/** Payments, their terminals, and the link to the service. */
export interface Agent extends PaymentCore {
  /** null: no service is configured. */
  readonly link: ServiceLink | null;
  /** Resolves what the last process run left open; call it before anything is accepted. */
  inherit(): void;
  /** Opens the link, then the terminal queues. */
  start(): void;
  /** Takes nothing more, lets running payments end, and reports them as far as the link takes them; idempotent. */
  stop(): Promise<void>;
}

/**
 * Wires one agent: `main.ts`, the simulations and the tests get the same one, each with its own ports. Nothing is opened before `start()`.
 */
export function createAgent(ports: AgentPorts): Agent {
  const core = createPaymentCore(coreDeps(ports), ports.counters);
  const link = linkOf(core, ports);
  const { queues, invoiceCheck, writer, requestGuard, operations } = core;
  return {
    ...core,
    link,
    inherit: () => queues.inherit(),
    start: () => {
      if (link) writer.subscribe({ report: () => link.reportWritten() });
      link?.start();
      queues.start();
      invoiceCheck.start();
    },
    stop: async () => {
      requestGuard.close();
      operations.close();
      try {
        await queues.stop();
      } finally {
        invoiceCheck.stop();
        await link?.stop();
      }
    },
  };
}

function coreDeps({ name, money, service, mirror = null, disk, ...ports }: AgentPorts): PaymentCoreDeps {
  const { limits, recovery, reached, clock, ids, log, fatal } = ports;
  const connection = service?.connection ?? null;
  const confirmsCreates = service?.createLocal ?? false;
  return {
    store: money.payments,
    terminals: money.identities,
    reports: service && {
      create: (attempt) => createBody(attempt, name),
      result: (attempt) => resultBody(attempt, name),
    },
    limits,
    recovery,
    databaseAge: databaseAgeIn(money),
    ...(disk ? { disk } : {}),
    ...(reached ? { reached } : {}),
    invoices: invoiceSource({ mirror, connection, confirmsCreates, log }),
    clock,
    elapsed: money.elapsed,
    ids,
    log,
    fatal,
  };
}

function linkOf({ requestGuard: work }: PaymentCore, ports: AgentPorts): ServiceLink | null {
  const { name, money, counters, service, disk, spans = null, clock, ids } = ports;
  if (!service) return null;
  const { hookSecrets, connection, ...options } = service;
  const log = ports.log.child({ part: 'link' });
  const instance = money.identity?.instance;
  const deviceIds = counters.map(({ device }) => device.id);
  return createServiceLink(
    {
      connection,
      store: money.outbox,
      work,
      ...(disk ? { disk } : {}),
      spans,
      ...(hookSecrets ? { hookSecrets } : {}),
      clock,
      ids,
      log,
    },
    { ...options, agent: name, deviceIds, ...(instance === undefined ? {} : { instance }) },
  );
}
