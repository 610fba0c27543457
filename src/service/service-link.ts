import type { Clock } from '../base/clock.ts';
import type { Ids } from '../base/ids.ts';
import type { Log } from '../base/log.ts';
import type { Spans } from '../base/span.ts';
import type { FeedPlace, OutboxStore } from '../outbox/ports.ts';
import { OutboxSender } from '../outbox/sender.ts';
import { type DiskSpace, UNWATCHED_DISK } from '../payment/guards/disk-space.ts';
import type { ServiceWork } from '../payment/guards/service-work.ts';
import type { CreateWatch } from './create-watch.ts';
import { HookWakeup } from './hook-wakeup.ts';
import { ServiceHooks } from './hooks.ts';
import { Poller } from './poller.ts';
import { ReportsToService } from './reports-to-service.ts';
import type { ServiceConnection } from './service-connection.ts';

export interface ServiceLinkDeps {
  readonly connection: ServiceConnection;
  readonly store: OutboxStore & FeedPlace;
  readonly work: ServiceWork;
  /** Reports wait while it is in trouble; absent: it is not watched. */
  readonly disk?: DiskSpace;
  /** null or absent: no traces. */
  readonly spans?: Spans | null;
  /** Signing secrets of the service's webhooks; absent: tilld receives none. */
  readonly hookSecrets?: () => readonly string[];
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
}

export interface ServiceLinkOptions {
  readonly agent: string;
  /** The id of this machine and state folder: a claim of a copy with the same agent is another agent's. */
  readonly instance?: string;
  readonly deviceIds: readonly string[];
  readonly createLocal: boolean;
  readonly pollIntervalMs?: number;
  readonly cancelIntervalMs?: number;
  readonly maxAgeMs?: number;
}

/** The work between the payment core and the service, started and stopped as one with its connection. */
export interface ServiceLink extends Pick<ServiceConnection, 'health' | 'serviceTime' | 'client' | 'sync'> {
  /** Receives the service's webhooks; null when no signing secret is configured. */
  readonly hooks: ServiceHooks | null;
  start(): void;
  /** Aborts running requests; idempotent. */
  stop(): Promise<void>;
  /** A report was written. */
  reportWritten(): void;
  /** The service may have work: polls at once. */
  workMayWait(): void;
  /** The credential was rotated. */
  keyChanged(): void;
}

/** Wires the link; nothing is sent before `start()`. */
export function createServiceLink(deps: ServiceLinkDeps, options: ServiceLinkOptions): ServiceLink {
  const { connection, clock, ids, log, store, work } = deps;
  const { health, serviceTime, client, budget, creates, sync } = connection;
  const { createLocal, pollIntervalMs, ...polled } = options;
  const port = new ReportsToService(client, budget, options.deviceIds, creates);
  const disk = deps.disk ?? UNWATCHED_DISK;
  const spans = deps.spans ?? undefined;
  const sender = new OutboxSender(
    { store, port, serviceTime, budget, disk, clock, ids, log, spans },
    { createLocal },
  );
  const ours = oursAmong(creates, createLocal ? store : null);
  const wakeup = deps.hookSecrets ? new HookWakeup(clock) : null;
  const woken = wakeup ? { wakeup } : {};
  const interval = pollIntervalMs === undefined ? {} : { intervalMs: pollIntervalMs };
  const poller = new Poller(
    { ...woken, client, work, place: store, serviceTime, creates: ours, budget, clock, ids, log },
    { ...polled, ...interval },
  );
  wakeup?.subscribe((cancels) => poller.poke(cancels));
  const unsubscribe = health.subscribe({
    changed: ({ state }) => {
      if (state !== 'online') return;
      sender.lineRestored();
      poller.lineRestored();
    },
    keyAccepted: () => sender.keyChanged(),
  });
  connection.onLineBack(() => {
    sender.lineRestored();
    poller.poke();
  });
  connection.onKeyChange(() => {
    sender.keyChanged();
    poller.poke();
  });
  const secrets = deps.hookSecrets;
  return {
    health,
    serviceTime,
    client,
    sync,
    hooks: wakeup && secrets ? new ServiceHooks({ secrets, serviceTime, wakeup, clock }) : null,
    start: () => {
      connection.start();
      poller.start();
      sender.start();
    },
    stop: async () => {
      unsubscribe();
      wakeup?.stop();
      await Promise.all([sender.stop(), poller.stop()]);
      await connection.stop();
    },
    reportWritten: () => sender.poke(),
    workMayWait: () => poller.poke(),
    keyChanged: () => connection.keyChanged(),
  };
}

/** What the watch has forgotten with an earlier process run, or takes for ended by a refused key, is on disk. `store` null: no creates are sent. */
function oursAmong(creates: CreateWatch, store: OutboxStore | null): Pick<CreateWatch, 'mayBeOurs'> {
  return {
    mayBeOurs: (listed, askedAt) =>
      creates.mayBeOurs(listed, askedAt) || store?.mayHaveCreated(listed) === true,
  };
}
