import { readFileSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { resolve } from 'node:path';
import { Metrics } from './api/metrics/metrics.ts';
import { startApi } from './api/server.ts';
import { messageOf } from './base/errors.ts';
import { afterStart } from './boot/after-start.ts';
import { backfillIds, type IdBackfilling } from './boot/backfill-ids.ts';
import { type Command, readCommandLine } from './boot/command-line.ts';
import { keepDiskSpace } from './boot/disk-space.ts';
import { DoctorBeside } from './boot/doctor.ts';
import { EXIT, exitCodeOf, mendOf } from './boot/exit-code.ts';
import { showHeartbeats } from './boot/heartbeats.ts';
import { makeIntegrations } from './boot/integrations.ts';
import { scanPages } from './boot/integrity-scan.ts';
import { type ArchiveKeeping, keepArchive } from './boot/keep-archive.ts';
import { logFile } from './boot/log-file.ts';
import { openMoney } from './boot/money.ts';
import { pageFiles } from './boot/pages.ts';
import { PaymentMeter } from './boot/payment-meter.ts';
import { whenReady } from './boot/ready.ts';
import { reloadConfig } from './boot/reload.ts';
import { scheduledJobs } from './boot/scheduled-jobs.ts';
import { hookSecrets, serviceKey } from './boot/service-key.ts';
import { makeShop } from './boot/shop.ts';
import { whenThereIsSpace } from './boot/space-to-start.ts';
import { stateWitnesses } from './boot/state-identity.ts';
import { StatusReport } from './boot/status-report.ts';
import { requireTls, tlsOf } from './boot/tls.ts';
import { makeTracing, traceDialogues } from './boot/tracing.ts';
import { verifyJournal } from './boot/verify-journal.ts';
import { WallClockCheck } from './boot/wall-clock-check.ts';
import { makeWebhooks } from './boot/webhooks.ts';
import { loadConfig } from './config/load.ts';
import { serviceEnvironment } from './config/service-key.ts';
import type { MirrorReader } from './integration/mirror.ts';
import { OutboxAdmin } from './outbox/outbox-admin.ts';
import { startCron } from './runtime/cron.ts';
import { isJournal, withJournalPriority } from './runtime/journal-priority.ts';
import { Lifecycle } from './runtime/lifecycle.ts';
import { beside, LogRing } from './runtime/log-ring.ts';
import { createLog } from './runtime/pino-log.ts';
import { ProcessGauges } from './runtime/process-gauges.ts';
import { serviceManager } from './runtime/service-manager.ts';
import { type LineSink, standardError } from './runtime/standard-error.ts';
import { holdStateFolder } from './runtime/state-folder.ts';
import { isClockSynchronised } from './runtime/synchronised-clock.ts';
import { systemClock as clock } from './runtime/system-clock.ts';
import { systemIds as ids } from './runtime/system-ids.ts';
import { SqliteOutboxAdminStore } from './store/sqlite-outbox-admin-store.ts';
import { paymentSeries } from './store/sqlite-series.ts';

/** The group may read every file that this process creates, other users never; the socket depends on it. */
const UMASK = 0o007;

/** The daemon. Its only standard output is the ready line. */
async function main(args: readonly string[]): Promise<void> {
  const version = ownVersion();
  const command = readCommandLine(args, version);
  if (command.kind === 'print') process.stdout.write(`${command.text}\n`);
  else await run(command, version);
}

/** Standard error; where that is the journal, each line has its priority. */
function output(): LineSink {
  return isJournal(process.env) ? withJournalPriority(standardError()) : standardError();
}

/** The calls stand in boot order; started parts stop in reverse. */
async function run(command: Extract<Command, { kind: 'run' }>, version: string): Promise<void> {
  process.umask(UMASK);
  const config = loadConfig(command.config);
  const listen = command.listen ?? config.listen;
  requireTls(listen.host, config);
  const ring = new LogRing(ids.uuid().replaceAll('-', ''));
  const inFile = logFile(config, ring, clock);
  const log = createLog(config.log.level, beside(inFile ?? output(), ring));
  const lifecycle = new Lifecycle(log);
  const manager = serviceManager(process.env, process.pid, log);
  const stopping = new AbortController();
  const stop = async (exitCode: number) => {
    stopping.abort();
    void manager.tell('STOPPING=1', 'STATUS=stopping');
    await lifecycle.stop();
    process.exitCode = exitCode;
  };
  /** A second signal changes nothing: under npm Ctrl-C comes twice, and a running payment has its grace period. */
  const onSignal = (signal: NodeJS.Signals) => {
    if (stopping.signal.aborted) return;
    log.info({ signal }, 'stopping; a payment that runs may come to its end');
    stop(EXIT.done).catch((error) => log.error({ error: messageOf(error) }, 'stop failed'));
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
  /**
   * Before there is anything to reload the signal is ignored. Without a service manager and a log file SIGHUP means a closed terminal, or nohup's.
   */
  let reload = () => {};
  if (manager.isThere || inFile) process.on('SIGHUP', () => reload());
  /** The disk could not store an outcome: end at once, without a message to any terminal; recovery runs at the next start. */
  const fatal = (error: unknown) => {
    log.error({ error: messageOf(error) }, 'outcome cannot be stored, going down');
    process.exit(EXIT.failed);
  };
  /** The page cache may show what is on no disk: only a new start reads what is really there. */
  const diskFailed = (error: unknown) => {
    log.error({ error: messageOf(error) }, 'disk failed, going down: the next start reads what is on it');
    process.exit(EXIT.failed);
  };
  try {
    const stateDir = resolve(command.stateDir ?? config.state_dir);
    const start = { folder: stateDir, clock, log, signal: stopping.signal };
    const folder = await whenThereIsSpace(() => holdStateFolder(stateDir), start);
    lifecycle.started('state folder', () => folder.release());
    const witnesses = stateWitnesses(folder.path, config, process.env);
    const money = await whenThereIsSpace(
      () =>
        openMoney({
          folder,
          version,
          clock,
          ids,
          log,
          lifecycle,
          witnesses,
          onFailure: diskFailed,
        }),
      start,
    );
    const disk = keepDiskSpace({ folder: folder.path, money, clock, log, lifecycle });

    const credential = serviceKey(config, folder, log);
    const anyPort = command.listen?.port === 0;
    const sandboxPorts = {
      config,
      folder: folder.sandbox,
      serviceKey: credential() ?? '',
      anyPort,
      clock,
      ids,
      log,
      lifecycle,
    };
    const sandbox = config.sandbox
      ? await (await import('./boot/sandbox.ts')).startSandbox(config.sandbox, sandboxPorts)
      : null;

    const serviceEnv = serviceEnvironment(config);
    const isUsed = serviceEnv !== null && serviceEnv !== 'mock';
    const serviceUrl = isUsed ? (config.service?.url ?? sandbox?.serviceUrl ?? null) : null;
    const virtualAddresses = sandbox?.addresses ?? new Map();
    const spans = makeTracing({ config, version, clock, log, lifecycle });
    const mirrored: { reader?: MirrorReader } = {};
    const shop = await makeShop({
      mirror: () => mirrored.reader ?? null,
      config,
      spans,
      money,
      disk,
      serviceUrl,
      credential,
      hookSecrets: hookSecrets(config, folder, log),
      virtualAddresses,
      clock,
      ids,
      log,
      lifecycle,
      fatal,
    });
    await whenThereIsSpace(() => shop.inherit(), start);

    const webhooks = makeWebhooks({ folder, money, disk, shop, version, clock, ids, log, lifecycle });

    const metrics = new Metrics();
    const integrations = await whenThereIsSpace(
      () =>
        makeIntegrations({
          config,
          folder,
          money,
          disk,
          shop,
          serviceUrl,
          serviceKey: credential,
          sealer: webhooks.sealer,
          version,
          metrics,
          clock,
          ids,
          log,
          lifecycle,
        }),
      start,
    );

    mirrored.reader = integrations.mirror;
    const urls = { local: '', sandbox: sandbox?.serviceUrl ?? null, socket: folder.socket };
    const meter = new PaymentMeter(metrics);
    shop.payments.subscribe({ event: meter.event });
    traceDialogues(shop.payments, spans);
    const gauges = new ProcessGauges(folder.path, folder.moneyDatabase, folder.archiveDatabase);
    lifecycle.started('gauges', () => gauges.stop());
    const archive: { keeping?: ArchiveKeeping } = {};
    const upgrade: { backfilling?: IdBackfilling } = {};
    const clockWatch = new WallClockCheck({
      clock,
      elapsed: money.elapsed,
      isSynchronised: isClockSynchronised,
      skewMs: () => shop.link?.serviceTime.skewMs() ?? null,
    });
    const status = new StatusReport({
      version,
      environment: config.environment,
      serviceEnvironment: serviceEnv,
      urls,
      ...shop,
      money,
      disk,
      syncs: integrations.indicators,
      metrics,
      process: () => gauges.look(),
      archive: () => archive.keeping?.trouble ?? null,
      backfill: () => upgrade.backfilling?.progress ?? null,
      clockTrouble: () => clockWatch.trouble(),
      clock,
    });
    const doctor = new DoctorBeside({ config: command.config, folder, clock });
    lifecycle.started('doctor', () => doctor.close());
    const { requests_per_minute: perMinute, burst, body_bytes: maxBodyBytes } = config.limits;
    const api = await startApi(
      {
        ...listen,
        allowedHosts: config.listen.allowed_hosts,
        socketPath: folder.socket,
        tls: tlsOf(config),
        environment: config.environment,
        version,
        rateLimit: { perMinute, burst },
        maxBodyBytes,
      },
      {
        payments: shop.payments,
        operations: shop.operations,
        devices: shop.queues,
        keys: money.keys,
        answers: money.answers,
        webhooks: webhooks.webhooks,
        outbox: new OutboxAdmin({
          store: new SqliteOutboxAdminStore(money.database),
          clock,
          changed: () => shop.link?.reportWritten(),
        }),
        integrations: integrations.integrations,
        mirror: integrations.mirror,
        sealer: webhooks.sealer,
        spans,
        status,
        serviceHooks: shop.link?.hooks ?? null,
        pages: {
          files: pageFiles(),
          sessions: money.sessions,
          ops: {
            log: ring,
            series: {
              payments: (since, bucketMs) => paymentSeries(money.database, since, bucketMs),
              syncs: integrations.series,
            },
            doctor,
            virtualTerminals: sandbox?.terminals ?? null,
          },
        },
        clock,
        ids,
        log,
      },
    );
    urls.local = api.url;
    lifecycle.started('local interface', () => api.stop());
    webhooks.start();
    shop.start();
    integrations.start();

    /** No payment runs, and the disk accepts writes. */
    const quiet = () =>
      shop.queues.list().every((device) => device.status !== 'busy') && disk.lack() === null;
    const started = afterStart({ clock, lifecycle, signal: stopping.signal }, () => {
      const housekeeping = startCron(
        scheduledJobs(money, clockWatch, webhooks.webhooks, integrations, clock, quiet),
        log,
      );
      lifecycle.started('housekeeping', () => housekeeping.stop());
    });
    verifyJournal({ money, quiet, clock, log, lifecycle });
    const reading = scanPages({ money, quiet, clock, log, lifecycle });
    const { retention } = config;
    const nobodyReads = () => quiet() && !reading.isOn;
    const backfilling = backfillIds({ money, quiet: nobodyReads, clock, log, lifecycle });
    upgrade.backfilling = backfilling;
    /** The archive notes the last dispatch of each device, under the id that its payments hold. */
    const mayArchive = () => nobodyReads() && backfilling.progress === null;
    archive.keeping = keepArchive({ money, retention, quiet: mayArchive, clock, log, lifecycle });

    const source = resolve(command.config);
    reload = () => {
      inFile?.reopen();
      reloadConfig({ file: source, running: config, log, renewTls: api.renewTls });
    };
    log.info({ url: api.url, socket: folder.socket, version }, 'listening');
    const lights = {
      health: () => status.health(),
      upgrade: () => status.upgrade(),
    };
    showHeartbeats({
      manager,
      database: money.database,
      queues: shop.queues,
      ...lights,
      clock,
      log,
      lifecycle,
    });
    if (await whenReady(status, clock, log, stopping.signal)) {
      process.stdout.write(`tilld ready ${api.url}\n`);
      started();
    }
    // Node writes its compile cache by itself only at a regular exit, and a daemon is often killed.
    flushCompileCache();
  } catch (error) {
    const toldToStop = stopping.signal.aborted;
    await stop(toldToStop ? EXIT.done : exitCodeOf(error));
    if (!toldToStop) throw error;
  }
}

/** The call that started tilld, for the command that corrects a failed start; such a command often changes `--listen`. */
function ownCall(args: readonly string[]): string {
  const viaNpm = process.env['npm_lifecycle_event'] === 'start';
  const own = viaNpm ? args.slice(2) : args;
  const kept = own.filter((arg, index) => !arg.startsWith('--listen') && own[index - 1] !== '--listen');
  return [viaNpm ? 'npm start --' : 'tilld', ...kept].join(' ');
}

function ownVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  const version =
    typeof manifest === 'object' && manifest !== null && 'version' in manifest ? manifest.version : undefined;
  return typeof version === 'string' ? version : '0.0.0';
}

/** Ends with an exit code in every case. */
async function begin(): Promise<void> {
  const args = process.argv.slice(2);
  try {
    await main(args);
  } catch (error) {
    const mend = mendOf(error, ownCall(args));
    process.stderr.write(`tilld: ${messageOf(error)}\n${mend === null ? '' : `${mend}\n`}`);
    process.exitCode = exitCodeOf(error);
  }
}

void begin();
