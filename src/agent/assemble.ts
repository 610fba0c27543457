import { resolve } from 'node:path';
import { Metrics } from '../api/metrics/metrics.ts';
import type { Sealer } from '../base/sealer.ts';
import type { Spans } from '../base/span.ts';
import type { Config } from '../config/schema.ts';
import type { RecoveryLimits } from '../payment/recovery/recovery.ts';
import { systemClock as clock } from '../runtime/system-clock.ts';
import { systemIds as ids } from '../runtime/system-ids.ts';
import { MirrorPlace } from '../store/mirror/mirror-place.ts';
import { SqliteTerminalActivity } from '../store/terminals/sqlite-terminal-activity.ts';
import { ConnectionLog } from '../terminal/connection-log.ts';
import type { Webhooks } from '../webhooks/webhooks.ts';
import { type Agent, createAgent } from './create-agent.ts';
import { hostedDrivers } from './hosted-drivers.ts';
import { agentName } from './identity.ts';
import { type Integrations, makeIntegrations } from './integrations.ts';
import type { OpenedDaemon } from './open-daemon.ts';
import { checkedIntegrations } from './served-integrations.ts';
import { makeService } from './service.ts';
import { hookSecrets } from './service-key.ts';
import { whenThereIsSpace } from './space-to-start.ts';
import { makeCounters } from './terminals.ts';
import { makeTracing, traceDialogues } from './tracing.ts';
import { makeWebhooks } from './webhooks.ts';

/** The agent and what works beside it; nothing of it has started. */
export interface Assembled {
  readonly agent: Agent;
  /** When each terminal was connected. */
  readonly connections: ConnectionLog;
  readonly mirror: MirrorPlace;
  readonly webhooks: { readonly webhooks: Webhooks; readonly sealer: Sealer; start(): void };
  readonly integrations: Integrations;
  readonly metrics: Metrics;
  /** null: tracing is off. */
  readonly spans: Spans | null;
}

/** Makes the agent of the configuration, its webhooks and its integrations. @throws CONFIG_INVALID */
export async function assemble(opened: OpenedDaemon): Promise<Assembled> {
  const { config, daemon, start, folder, money, version, credential, serviceUrl, sandbox, disk } = opened;
  const { lifecycle, log, fatal, drivers } = daemon;
  const shared = { clock, ids, log, lifecycle };
  const spans = makeTracing({ config, version, ...shared });
  const path = folder.mirrorDatabase;
  const mirror = await whenThereIsSpace(() => new MirrorPlace({ path, version, clock, log }), start);
  lifecycle.started('mirror', () => mirror.close());
  const secrets = hookSecrets(config, folder, log);
  const connections = new ConnectionLog({
    store: new SqliteTerminalActivity(money.database),
    deviceIds: config.devices.map(({ id }) => id),
    now: () => clock.now(),
  });
  lifecycle.started('connections of terminals', () => connections.keep());
  const agent = createAgent({
    name: agentName(config, money.database, ids),
    money,
    counters: await makeCounters({
      config,
      virtualAddresses: sandbox?.addresses ?? new Map(),
      drivers,
      credentials: { stateDir: folder.path, env: process.env },
      manifests: hostedDrivers(config, opened.command.driverPackages, shared),
      log,
    }),
    service: makeService({ config, url: serviceUrl, money, credential, hookSecrets: secrets, ...shared }),
    mirror: mirror.reader,
    disk,
    reached: (deviceId, reach) => connections.changed(deviceId, reach),
    spans,
    ...limitsOf(config),
    ...shared,
    fatal,
  });
  await whenThereIsSpace(() => agent.inherit(), start);
  traceDialogues(agent.payments, spans);
  const allowPrivate = config.webhooks.allow_private;
  const webhooks = makeWebhooks({ folder, money, disk, agent, allowPrivate, version, ...shared });
  const metrics = new Metrics();
  const { sealer } = webhooks;
  const keys = { serviceKey: credential, sandboxProvider: sandbox?.provider ?? null, sealer };
  const { command, refused } = opened;
  const configFile = resolve(command.config);
  const checked = await checkedIntegrations(config, configFile, refused);
  const world = { config, configFile, checked, money, disk, agent, mirror, serviceUrl, metrics, ...keys };
  const integrations = await whenThereIsSpace(() => makeIntegrations({ ...world, ...shared }), start);
  return { agent, connections, mirror, webhooks, integrations, metrics, spans };
}

function limitsOf({ lane, recovery }: Config) {
  const limits: RecoveryLimits = {
    settleMs: recovery.settle_ms ?? null,
    readIntervalMs: recovery.read_interval_ms,
    askPersonAfterMs: recovery.ask_person_after_ms,
    giveUpMs: recovery.give_up_ms,
  };
  return {
    limits: { waitMs: lane.wait_ms, maxAgeMs: lane.max_age_ms, maxWaiting: lane.max_waiting },
    recovery: limits,
  };
}
