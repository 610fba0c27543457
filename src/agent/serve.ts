import { flushCompileCache } from 'node:module';
import { resolve } from 'node:path';
import type { Tls } from '../api/create-api.ts';
import type { ApiDeps } from '../api/deps.ts';
import type { FleetMember } from '../api/fleet-member.ts';
import { type RunningApi, startApi } from '../api/server.ts';
import { isLoopback } from '../base/loopback.ts';
import { serviceEnvironment } from '../config/service-key.ts';
import type { Fleet } from '../fleet/agent/fleet.ts';
import { OutboxAdmin } from '../outbox/outbox-admin.ts';
import { startCron } from '../runtime/cron.ts';
import { listenFds } from '../runtime/listen-fds.ts';
import { ProcessGauges } from '../runtime/process-gauges.ts';
import { shopCalendar } from '../runtime/shop-calendar.ts';
import { isClockSynchronised } from '../runtime/synchronised-clock.ts';
import { systemClock as clock } from '../runtime/system-clock.ts';
import { systemIds as ids } from '../runtime/system-ids.ts';
import { SqliteOutboxAdminStore } from '../store/outbox/sqlite-outbox-admin-store.ts';
import { paymentSeries } from '../store/statistics/sqlite-series.ts';
import { SqliteTakings } from '../store/statistics/sqlite-takings.ts';
import { SqliteTerminalActivity } from '../store/terminals/sqlite-terminal-activity.ts';
import { afterStart } from './after-start.ts';
import type { Assembled } from './assemble.ts';
import { authorityPlace } from './authority-place.ts';
import { DoctorBeside } from './doctor.ts';
import { type FleetServiceDeps, makeFleet } from './fleet.ts';
import { keepConfiguration } from './fleet-configuration.ts';
import { showHeartbeats } from './heartbeats.ts';
import { serveLan } from './lan.ts';
import type { OpenedDaemon } from './open-daemon.ts';
import { pageFiles } from './pages.ts';
import { PaymentMeter } from './payment-meter.ts';
import { serveProviderWebhooks } from './provider-webhooks.ts';
import { whenReady } from './ready.ts';
import { reloadConfig } from './reload.ts';
import { scheduledJobs } from './scheduled-jobs.ts';
import { StatusReport } from './status-report.ts';
import { tlsOf } from './tls.ts';
import { startUpkeep, type Upkeep } from './upkeep.ts';
import { WallClockCheck } from './wall-clock-check.ts';
import { portWait } from './when-free.ts';

/** What the interface shows beside the assembled parts. */
interface ServedParts {
  readonly status: StatusReport;
  readonly doctor: DoctorBeside;
}

/** Serves the local interface, starts the agent and its jobs, and tells that a payment can be taken. */
export async function serve(opened: OpenedDaemon, parts: Assembled): Promise<void> {
  const { config, daemon, money, version, folder } = opened;
  const { agent, webhooks, integrations, metrics } = parts;
  const { log, lifecycle, signal, manager } = daemon;
  agent.payments.subscribe({ event: new PaymentMeter(metrics).event });
  const clockWatch = clockCheck(opened, parts);
  const doctor = doctorOf(opened);
  const upkeep = upkeepOf(opened, parts, doctor);
  const status = statusOf(opened, parts, upkeep, clockWatch);
  const keeper = keepConfiguration(opened, agent, status);
  const fleet = fleetOf(opened, parts, { status, keeper, doctor });
  const api = await openApi(opened, parts, { status, fleet, doctor });
  lifecycle.started('local interface', () => api.stop());
  webhooks.start();
  lifecycle.started('agent', () => agent.stop());
  agent.start();
  keeper.start();
  integrations.start();
  const started = afterStart({ clock, lifecycle, signal }, () => {
    const jobs = scheduledJobs({
      ...parts,
      money,
      clockWatch,
      webhooks: webhooks.webhooks,
      clock,
      quiet: upkeep.quiet,
    });
    fleet.start();
    const housekeeping = startCron(jobs, log);
    lifecycle.started('housekeeping', () => housekeeping.stop());
  });
  const providerWebhooks = listenForProviders(opened, parts);
  readAgain(opened, (tls) => {
    api.renewTls(tls);
    providerWebhooks?.renewTls(tls);
  });
  log.info({ url: api.url, socket: folder.socket, version }, 'listening');
  const { lan } = config.listen;
  if (lan) {
    const place = authorityPlace(folder.credentials, lan.name);
    serveLan({ lan, place, api, clock, log, lifecycle });
  }
  showHeartbeats({
    manager,
    database: money.database,
    queues: agent.queues,
    health: () => status.health(),
    upgrade: () => status.upgrade(),
    clock,
    log,
    lifecycle,
  });
  if (await whenReady(status, clock, log, signal)) {
    process.stdout.write(`tilld ready ${api.url}\n`);
    started();
  }
  // Node writes its compile cache by itself only at a regular exit, and a daemon is often killed.
  flushCompileCache();
}

function doctorOf({ command, folder, daemon: { lifecycle } }: OpenedDaemon): DoctorBeside {
  const doctor = new DoctorBeside({ config: command.config, folder, clock });
  lifecycle.started('doctor', () => doctor.close());
  return doctor;
}

function upkeepOf(
  { config: { retention }, money, disk, daemon: { log, lifecycle, signal } }: OpenedDaemon,
  { agent: { queues }, mirror }: Assembled,
  doctor: DoctorBeside,
): Upkeep {
  return startUpkeep({ money, mirror, retention, disk, queues, doctor, signal, clock, log, lifecycle });
}

/** Has a reload read the configuration again. */
function readAgain(
  { config, command, daemon: { log, onReload }, fleet }: OpenedDaemon,
  renewTls: (tls: Tls) => void,
): void {
  const file = resolve(command.config);
  const settings = fleet?.settings ?? null;
  onReload(() => reloadConfig({ file, settings, running: config, log, renewTls }));
}

function fleetOf(
  opened: OpenedDaemon,
  { agent, integrations }: Assembled,
  made: Pick<FleetServiceDeps, 'status' | 'keeper' | 'doctor'>,
): Fleet {
  const { daemon, folder, money, version } = opened;
  const own = { ...made, folder, money, version };
  const rest = { agent, integrations: integrations.integrations, clock, ids };
  return makeFleet({ ...own, ...rest, log: daemon.log, lifecycle: daemon.lifecycle });
}

/** null: nothing listens for webhooks of providers. */
function listenForProviders(
  { config, daemon: { log, lifecycle } }: OpenedDaemon,
  { agent, integrations: { webhooks } }: Assembled,
): { renewTls(tls: Tls): void } | null {
  const { webhooks: listen } = config.listen;
  if (!listen) return null;
  // On loopback the proxy in front speaks plain HTTP.
  const tls = isLoopback(listen.host) ? null : tlsOf(config);
  const now = () => agent.link?.serviceTime.now() ?? clock.now();
  return serveProviderWebhooks({ listen, tls, webhooks, now, clock, log, lifecycle });
}

function clockCheck({ money }: OpenedDaemon, { agent: { link } }: Assembled): WallClockCheck {
  const skewMs = () => link?.serviceTime.skewMs() ?? null;
  return new WallClockCheck({ clock, elapsed: money.elapsed, isSynchronised: isClockSynchronised, skewMs });
}

function statusOf(
  { config, version, money, disk, folder, daemon }: OpenedDaemon,
  { agent, integrations, metrics }: Assembled,
  { archive, backfilling }: Upkeep,
  clockWatch: WallClockCheck,
): StatusReport {
  const gauges = new ProcessGauges(folder.path, folder.moneyDatabase, folder.archiveDatabase);
  daemon.lifecycle.started('gauges', () => gauges.stop());
  return new StatusReport({
    version,
    environment: config.environment,
    serviceEnvironment: serviceEnvironment(config),
    queues: agent.queues,
    link: agent.link,
    requestGuard: agent.requestGuard,
    drain: agent.drain,
    money,
    disk,
    syncs: integrations.indicators,
    metrics,
    process: () => gauges.look(),
    archive: () => archive.trouble,
    backfill: () => backfilling.progress,
    clockTrouble: () => clockWatch.trouble(),
    clock,
  });
}

function openApi(
  opened: OpenedDaemon,
  parts: Assembled,
  { fleet, ...made }: ServedParts & { readonly fleet: FleetMember },
): Promise<RunningApi> {
  const { config, command, folder, version, sandbox, daemon } = opened;
  const listen = command.listen ?? config.listen;
  const { requests_per_minute: perMinute, burst, body_bytes: maxBodyBytes } = config.limits;
  return startApi(
    {
      ...listen,
      allowedHosts: config.listen.allowed_hosts,
      allowedOrigins: config.listen.allowed_origins,
      trustedProxies: config.listen.trusted_proxies,
      socketPath: folder.socket,
      inherited: listenFds(process.env, process.pid),
      ...(daemon.manager.isThere ? { portTaken: portWait(listen.port, daemon.manager, opened.start) } : {}),
      urls: { sandbox: sandbox?.serviceUrl ?? null, socket: folder.socket },
      tls: tlsOf(config),
      environment: config.environment,
      version,
      rateLimit: { perMinute, burst },
      maxBodyBytes,
    },
    { ...apiDeps(opened, parts, made), fleet },
  );
}

function apiDeps(opened: OpenedDaemon, parts: Assembled, { status, doctor }: ServedParts): ApiDeps {
  const { money, daemon } = opened;
  const { agent, connections, webhooks, integrations, mirror, spans } = parts;
  const { log } = daemon;
  const activity = new SqliteTerminalActivity(money.database);
  return {
    payments: agent.payments,
    operations: agent.operations,
    takings: new SqliteTakings(money.database),
    activity: {
      spans: (deviceId, from) => connections.spans(deviceId, from),
      figures: (deviceId, from) => activity.figures(deviceId, from),
      saleAmounts: (deviceId, currency) => activity.saleAmounts(deviceId, currency),
    },
    calendar: shopCalendar(),
    ...(opened.config.language === undefined ? {} : { language: opened.config.language }),
    drain: agent.drain,
    devices: agent.queues,
    keys: money.keys,
    people: money.people,
    signIn: money.signIn,
    answers: money.answers,
    webhooks: webhooks.webhooks,
    outbox: new OutboxAdmin({
      store: new SqliteOutboxAdminStore(money.database),
      clock,
      changed: () => agent.link?.reportWritten(),
    }),
    integrations: integrations.integrations,
    mirror: mirror.reader,
    mirrorLists: opened.serviceUrl === null ? [] : opened.config.mirror.lists,
    sealer: webhooks.sealer,
    spans,
    status,
    serviceHooks: agent.link?.hooks ?? null,
    pages: pagesOf(opened, parts, doctor),
    clock,
    ids,
    log,
  };
}

function pagesOf(
  { config, money, daemon, sandbox }: OpenedDaemon,
  { integrations }: Assembled,
  doctor: DoctorBeside,
): NonNullable<ApiDeps['pages']> {
  return {
    files: pageFiles(config.language),
    sessions: money.sessions,
    ops: {
      log: daemon.ring,
      series: {
        payments: (since, bucketMs) => paymentSeries(money.database, since, bucketMs),
        syncs: integrations.series,
      },
      doctor,
      virtualTerminals: sandbox?.terminals ?? null,
    },
  };
}
