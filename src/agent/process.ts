import { messageOf } from '../base/errors.ts';
import type { Config } from '../config/schema.ts';
import { isJournal, withJournalPriority } from '../runtime/journal-priority.ts';
import { Lifecycle } from '../runtime/lifecycle.ts';
import type { LogFile } from '../runtime/log-file.ts';
import { beside, LogRing } from '../runtime/log-ring.ts';
import { createLog } from '../runtime/pino-log.ts';
import { type ServiceManager, serviceManager } from '../runtime/service-manager.ts';
import { type LineSink, standardError } from '../runtime/standard-error.ts';
import { systemClock as clock } from '../runtime/system-clock.ts';
import { systemIds as ids } from '../runtime/system-ids.ts';
import type { DriverHost } from '../terminal/driver-host.ts';
import { InProcessDriverHost } from './driver-host.ts';
import { EXIT, exitCodeOf } from './exit-code.ts';
import { logFile } from './log-file.ts';

/** The process of the daemon: its log, its signals, and how it ends. */
export interface DaemonProcess {
  readonly log: ReturnType<typeof createLog>;
  /** The newest lines of the log. */
  readonly ring: LogRing;
  readonly lifecycle: Lifecycle;
  readonly manager: ServiceManager;
  /** Where drivers run: the fault of one ends its session, never this process. */
  readonly drivers: DriverHost;
  /** Aborts when the daemon is told to stop. */
  readonly signal: AbortSignal;
  /** Ends in an orderly way, as after SIGTERM, and is started again; null: no service manager would start it. */
  readonly restart: (() => void) | null;
  /** Calls the listener on SIGHUP, after the log file was opened again. */
  onReload(listener: () => void): void;
  /** The disk could not store an outcome: ends at once, without a message to any terminal; recovery runs at the next start. */
  readonly fatal: (error: unknown) => void;
  /** The page cache may show what is on no disk: only a new start reads what is really there. */
  readonly diskFailed: (error: unknown) => void;
  /** The start failed: stops what was started. @throws the error, unless the daemon was told to stop */
  failed(error: unknown): Promise<void>;
}

/** Takes over signals and log; SIGTERM and SIGINT stop what was started. */
export function startProcess(config: Config): DaemonProcess {
  const ring = new LogRing(ids.uuid().replaceAll('-', ''));
  const inFile = logFile(config, ring, clock);
  const log = createLog(config.log.level, beside(inFile ?? output(), ring));
  const lifecycle = new Lifecycle(log);
  const manager = serviceManager(process.env, process.pid, log);
  const stopping = new AbortController();
  const stop = async (exitCode: number) => {
    stopping.abort();
    void manager.notify('STOPPING=1', 'STATUS=stopping');
    await lifecycle.stop();
    process.exitCode = exitCode;
  };
  // A second signal changes nothing: under npm Ctrl-C comes twice, and a running payment has its grace period.
  const end = (why: string) => {
    if (stopping.signal.aborted) return;
    log.info({ signal: why }, 'stopping; a payment that runs may come to its end');
    stop(EXIT.done).catch((error) => log.error({ error: messageOf(error) }, 'stop failed'));
  };
  const onSignal = (signal: NodeJS.Signals) => end(signal);
  const drivers = new InProcessDriverHost(log);
  process.on('uncaughtException', (error) => {
    if (drivers.claim(error)) return;
    log.error({ error: messageOf(error), stack: error.stack }, 'going down: nothing handled this error');
    process.exit(EXIT.failed);
  });
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
  const goDown = (words: string) => (error: unknown) => {
    log.error({ error: messageOf(error) }, words);
    process.exit(EXIT.failed);
  };
  return {
    log,
    ring,
    lifecycle,
    manager,
    signal: stopping.signal,
    drivers,
    restart: manager.isThere ? () => end('restart') : null,
    onReload: reloads(manager, inFile),
    fatal: goDown('outcome cannot be stored, going down'),
    diskFailed: goDown('disk failed, going down: the next start reads what is on it'),
    failed: async (error) => {
      const wasAskedToStop = stopping.signal.aborted;
      await stop(wasAskedToStop ? EXIT.done : exitCodeOf(error));
      if (!wasAskedToStop) throw error;
    },
  };
}

/**
 * Before there is anything to reload SIGHUP is ignored. Without a service manager and a log file it means a closed terminal, or nohup's.
 */
function reloads(manager: ServiceManager, inFile: LogFile | null): DaemonProcess['onReload'] {
  if (!manager.isThere && !inFile) return () => undefined;
  const listeners: (() => void)[] = [];
  process.on('SIGHUP', () => {
    if (listeners.length > 0) inFile?.reopen();
    for (const listener of listeners) listener();
  });
  return (listener) => void listeners.push(listener);
}

/** Standard error; where that is the journal, each line has its priority. */
function output(): LineSink {
  return isJournal(process.env) ? withJournalPriority(standardError()) : standardError();
}
