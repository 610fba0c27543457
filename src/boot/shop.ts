import type { Clock } from '../base/clock.ts';
import type { Ids } from '../base/ids.ts';
import type { Log } from '../base/log.ts';
import type { Spans } from '../base/span.ts';
import type { Config } from '../config/schema.ts';
import type { MirrorReader } from '../integration/mirror.ts';
import { createBody, resultBody } from '../outbox/reports.ts';
import type { Attempt } from '../payment/attempt/attempt.ts';
import type { TerminalOperationsService } from '../payment/batch/terminal-operations-service.ts';
import type { ReportBodies } from '../payment/change.ts';
import { createPaymentCore } from '../payment/core.ts';
import type { TerminalQueues } from '../payment/dispatch/terminal-queues.ts';
import type { DiskSpace } from '../payment/guards/disk-space.ts';
import type { PaymentsApi } from '../payment/payments-api.ts';
import type { CopyReason } from '../payment/recovery/database-identity.ts';
import type { Lifecycle } from '../runtime/lifecycle.ts';
import type { ServiceLink } from '../service/service-link.ts';
import { agentName } from './identity.ts';
import { invoiceSource } from './invoices.ts';
import { makeLink } from './link.ts';
import { type Money, memoryIn } from './money.ts';
import { makeCounters } from './terminals.ts';

export interface ShopDeps {
  readonly config: Config;
  readonly money: Money;
  readonly disk: DiskSpace;
  /** The mirror of the service; null until one is open. */
  readonly mirror: () => MirrorReader | null;
  /** Address of the service without `/v2`; null: none is configured. */
  readonly serviceUrl: string | null;
  /** null: tracing is off. */
  readonly spans: Spans | null;
  readonly credential: () => string | null;
  /** undefined: tilld receives no webhooks from the service. */
  readonly hookSecrets: (() => readonly string[]) | undefined;
  /** The address of each virtual terminal of the sandbox, by its name. */
  readonly virtualAddresses: ReadonlyMap<string, string>;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly lifecycle: Lifecycle;
  /** The disk could not store an outcome: the process must end. */
  readonly fatal: (error: unknown) => void;
}

/** Payments, their terminals, and the link to the service. */
export interface Shop {
  readonly payments: PaymentsApi;
  readonly operations: TerminalOperationsService;
  readonly queues: TerminalQueues;
  readonly link: ServiceLink | null;
  /** Why tilld takes no work from the service, because the database may be a copy; null: it takes work. */
  stoppedAsCopy(): CopyReason | null;
  /** Resolves what the last process run left open; call it before anything is accepted. */
  inherit(): void;
  /** Opens the link, then the terminal queues; they stop in reverse, so that a last outcome is still reported. */
  start(): void;
}

/** Wires payments, terminals and link; nothing is opened before `start()`. */
export async function makeShop(deps: ShopDeps): Promise<Shop> {
  const { config, money, disk, serviceUrl, clock, ids, log, lifecycle, fatal } = deps;
  const agent = agentName(config, money.database, ids);
  const core: { queues?: TerminalQueues; link?: ServiceLink | null } = {};
  const counters = await makeCounters({
    ...deps,
    identities: money.identities,
    changed: (deviceId) => core.queues?.wake(deviceId),
  });
  const { writer, requestGuard, payments, operations, queues, invoiceCheck } = createPaymentCore(
    {
      store: money.payments,
      terminals: money.identities,
      reports: serviceUrl === null ? null : reportBodies(agent),
      limits: laneLimits(config),
      recovery: recoveryLimits(config),
      databaseAge: memoryIn(money),
      disk,
      invoices: invoiceSource({
        mirror: deps.mirror,
        link: () => core.link ?? null,
        tellsCreates: config.service?.create_local === 'on',
        log,
      }),
      clock,
      elapsed: money.elapsed,
      ids,
      log,
      fatal,
    },
    counters,
  );
  core.queues = queues;
  const instance = money.identity?.instance ?? null;
  const link = makeLink({
    ...deps,
    url: serviceUrl,
    agent,
    instance,
    processRun: money.processRun,
    store: money.outbox,
    work: requestGuard,
    heardTime: (serviceMs) => money.elapsed.heard('service', serviceMs),
  });
  core.link = link;
  return {
    payments,
    operations,
    queues,
    link,
    stoppedAsCopy: () => requestGuard.stoppedAsCopy(),
    inherit: () => queues.inherit(),
    start: () => {
      if (link) {
        writer.subscribe({ report: () => link.reportWritten() });
        link.start();
        lifecycle.started('link', () => link.stop());
      }
      queues.start();
      invoiceCheck.start();
      lifecycle.started('invoice check', () => invoiceCheck.stop());
      lifecycle.started('queues', () => queues.stop());
      lifecycle.started('intake', () => {
        requestGuard.close();
        operations.close();
      });
    },
  };
}

function reportBodies(agent: string): ReportBodies {
  return {
    create: (attempt: Attempt) => createBody(attempt, agent),
    result: (attempt: Attempt) => resultBody(attempt, agent),
  };
}

function laneLimits(config: Config) {
  const { wait_ms, max_age_ms, max_waiting } = config.lane;
  return { waitMs: wait_ms, maxAgeMs: max_age_ms, maxWaiting: max_waiting };
}

function recoveryLimits(config: Config) {
  const { settle_ms, read_interval_ms, ask_person_after_ms, give_up_ms } = config.recovery;
  return {
    settleMs: settle_ms ?? null,
    readIntervalMs: read_interval_ms,
    askPersonAfterMs: ask_person_after_ms,
    giveUpMs: give_up_ms,
  };
}
