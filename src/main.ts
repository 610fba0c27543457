#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { startApi } from './api/server.ts';
import { messageOf } from './base/errors.ts';
import { Board } from './boot/board.ts';
import { type Command, readCommandLine } from './boot/command-line.ts';
import { EXIT, exitCodeOf, mendingCommand } from './boot/exit-code.ts';
import { agentName, serviceKey } from './boot/identity.ts';
import { LINK_REASONS, makeLink } from './boot/link.ts';
import { whenReady } from './boot/ready.ts';
import { makeLanes } from './boot/terminals.ts';
import { tlsOf } from './boot/tls.ts';
import { loadConfig } from './config/load.ts';
import { createBody, resultBody } from './outbox/reports.ts';
import { Desk } from './payment/desk.ts';
import { Intake } from './payment/intake.ts';
import { Lanes } from './payment/lanes.ts';
import { PaymentService } from './payment/service.ts';
import { startHousekeeping } from './runtime/housekeeping.ts';
import { Lifecycle } from './runtime/lifecycle.ts';
import { createLog } from './runtime/pino-log.ts';
import { holdStateFolder } from './runtime/state-folder.ts';
import { systemClock as clock } from './runtime/system-clock.ts';
import { systemIds as ids } from './runtime/system-ids.ts';
import { Database } from './store/database.ts';
import { checkEpoch } from './store/epoch.ts';
import { MONEY_MIGRATIONS } from './store/migrations.ts';
import { SqliteIdentityStore } from './store/sqlite-identity-store.ts';
import { SqliteKeyStore } from './store/sqlite-key-store.ts';
import { SqliteOutboxStore } from './store/sqlite-outbox-store.ts';
import { SqlitePaymentStore } from './store/sqlite-payment-store.ts';

/** The daemon: reads as its boot order. What it prints on standard output is the ready line alone. */
async function main(args: readonly string[]): Promise<void> {
  const version = ownVersion();
  const command = readCommandLine(args, version);
  if (command.kind === 'print') process.stdout.write(`${command.text}\n`);
  else await run(command, version);
}

async function run(command: Extract<Command, { kind: 'run' }>, version: string): Promise<void> {
  const config = loadConfig(command.config);
  const listen = command.listen ?? config.listen;
  const log = createLog(config.log.level);
  const lifecycle = new Lifecycle(log);
  const stopping = new AbortController();
  const stop = async (exitCode: number) => {
    stopping.abort();
    await lifecycle.stop();
    process.exitCode = exitCode;
  };
  onSignals(() => void stop(EXIT.done));
  /** The disk refused an outcome: leave at once, without a word to any terminal; recovery is the next start's work. */
  const fatal = (error: unknown) => {
    log.error({ error: messageOf(error) }, 'outcome cannot be stored, going down');
    process.exit(EXIT.failed);
  };
  try {
    const folder = holdStateFolder(command.stateDir ?? config.state_dir);
    lifecycle.started('state folder', () => folder.release());

    const database = Database.open(folder.moneyDatabase, MONEY_MIGRATIONS, version);
    lifecycle.started('money database', () => database.close());
    if (checkEpoch(database, folder.epoch, ids.uuid()) === 'other') {
      log.error({ file: folder.epoch }, 'this is not the database that was here before: compare the last payments');
    }
    const store = new SqlitePaymentStore(database);
    const outbox = new SqliteOutboxStore(database, clock);

    const credential = serviceKey(config, folder, log);
    const sandbox = config.sandbox
      ? await (await import('./boot/sandbox.ts')).startSandbox(config.sandbox, {
          config,
          folder: folder.sandbox,
          serviceKey: credential() ?? '',
          anyPort: command.listen?.port === 0,
          clock,
          ids,
          log,
          lifecycle,
        })
      : null;

    const agent = agentName(config, database, ids);
    const serviceUrl = config.service ? (config.service.url ?? sandbox?.serviceUrl ?? null) : null;
    const reports = serviceUrl === null ? null : { create: reportOf(createBody, agent), result: reportOf(resultBody, agent) };
    const service = new PaymentService({ store, clock, ids, log, reports });
    const lanes = new Lanes(
      await makeLanes({
        config,
        virtualAddresses: sandbox?.addresses ?? new Map(),
        store,
        identities: new SqliteIdentityStore(database),
        service,
        clock,
        ids,
        log,
        fatal,
      }),
      store,
      service,
    );
    const limits = { waitMs: config.lane.wait_ms, maxAgeMs: config.lane.max_age_ms, maxWaiting: config.lane.max_waiting };
    const wake = (deviceId: string) => lanes.wake(deviceId);
    const intake = new Intake({ service, store, devices: lanes, clock, ids, log, limits, wake });
    const link = makeLink({ config, url: serviceUrl, agent, credential, store: outbox, work: intake, clock, ids, log });

    const urls = { local: '', sandbox: sandbox?.serviceUrl ?? null, socket: folder.socket };
    const board = new Board({
      version,
      environment: config.environment,
      urls,
      devices: lanes,
      payments: store,
      outbox,
      link: () => linkStatus(link?.state.view),
      now: () => clock.now(),
    });

    lanes.start();
    lifecycle.started('lanes', () => lanes.stop());
    lifecycle.started('intake', () => intake.close());
    if (link) {
      service.subscribe({ report: () => link.reportWritten() });
      link.start();
      lifecycle.started('link', () => link.stop());
    }
    const api = await startApi(
      {
        host: listen.host,
        port: listen.port,
        socketPath: folder.socket,
        tls: tlsOf(config),
        environment: config.environment,
        version,
        rateLimit: { perMinute: config.limits.requests_per_minute, burst: config.limits.burst },
      },
      { payments: new Desk(service, intake, store), devices: lanes, keys: new SqliteKeyStore(database), status: board, clock, ids, log },
    );
    urls.local = api.url;
    lifecycle.started('local interface', () => api.stop());

    const idle = () => lanes.list().every((device) => device.status !== 'busy');
    const chores = [{ name: 'checkpoint', when: '* * * * *', may: idle, run: () => database.checkpoint() }];
    const housekeeping = startHousekeeping(chores, log);
    lifecycle.started('housekeeping', () => housekeeping.stop());

    log.info({ url: api.url, socket: folder.socket, version }, 'listening');
    if (await whenReady(board, clock, log, stopping.signal)) process.stdout.write(`tilld ready ${api.url}\n`);
  } catch (error) {
    await stop(exitCodeOf(error));
    throw error;
  }
}

function reportOf(body: typeof createBody, agent: string) {
  return (attempt: Parameters<typeof createBody>[0]) => body(attempt, agent);
}

function linkStatus(view: { state: 'online' | 'offline' | 'off'; reason: keyof typeof LINK_REASONS | null } | undefined) {
  if (!view) return { state: 'off', reason: null } as const;
  return { state: view.state, reason: view.reason === null ? null : LINK_REASONS[view.reason] };
}

function onSignals(stop: () => void): void {
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
}

function ownVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  const version = typeof manifest === 'object' && manifest !== null && 'version' in manifest ? manifest.version : undefined;
  return typeof version === 'string' ? version : '0.0.0';
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  const mend = mendingCommand(error);
  process.stderr.write(`tilld: ${messageOf(error)}\n${mend === null ? '' : `${mend}\n`}`);
  process.exitCode = exitCodeOf(error);
}
