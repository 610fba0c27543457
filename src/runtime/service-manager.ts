import { execFile } from 'node:child_process';
import { messageOf } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import { SerialQueue } from '../base/serial-queue.ts';

/** Timeout of one message. */
const WITHIN_MS = 5000;
/** While this many messages wait, further STATUS and WATCHDOG messages are dropped. */
const MOST_WAITING = 4;

/** The messages of sd_notify(3) that tilld uses. */
export type Notice = 'READY=1' | 'STOPPING=1' | 'WATCHDOG=1' | `STATUS=${string}`;

/** The service manager that started tilld and wants its status: systemd, or none. */
export interface ServiceManager {
  readonly isThere: boolean;
  /** The watchdog timeout, in ms; null: the watchdog is off. */
  readonly timeLimitMs: number | null;
  /** Sends the messages after the earlier ones. Never rejects: nothing depends on their delivery. */
  notify(...notices: readonly Notice[]): Promise<void>;
}

type Environment = Readonly<Record<string, string | undefined>>;
/** Sends one message. @throws when it was not received */
type Deliver = (notices: readonly string[]) => Promise<void>;

/** The service manager that this environment names; it does nothing when the environment names none. */
export function serviceManager(
  env: Environment,
  pid: number,
  log: Log,
  deliver: Deliver = systemdNotify,
): ServiceManager {
  if (!env['NOTIFY_SOCKET']) return { isThere: false, timeLimitMs: null, notify: () => Promise.resolve() };
  const queue = new SerialQueue();
  let heard = true;
  const say = async (notices: readonly string[]) => {
    try {
      await deliver(notices);
      heard = true;
    } catch (error) {
      if (heard) log.warn({ error: messageOf(error) }, 'systemd could not be notified');
      heard = false;
    }
  };
  return {
    isThere: true,
    timeLimitMs: timeLimitOf(env, pid),
    notify: (...notices) => {
      const isOften = notices.every((notice) => !/^(READY|STOPPING)/.test(notice));
      if (isOften && queue.length >= MOST_WAITING) return Promise.resolve();
      return queue.run(() => say(notices.map(oneLine)));
    },
  };
}

/** @see sd_watchdog_enabled(3) */
function timeLimitOf(env: Environment, pid: number): number | null {
  const forUs = env['WATCHDOG_PID'];
  if (forUs !== undefined && forUs !== String(pid)) return null;
  const microseconds = Number(env['WATCHDOG_USEC']);
  return Number.isSafeInteger(microseconds) && microseconds > 0 ? microseconds / 1000 : null;
}

function oneLine(notice: Notice): string {
  return notice.replace(/[\r\n]+/g, ' ');
}

/** Node has no unix datagrams. systemd-notify is installed with systemd, and waits until the message was read. */
function systemdNotify(notices: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const call = ['--', ...notices];
    execFile('systemd-notify', call, { timeout: WITHIN_MS, killSignal: 'SIGKILL' }, (error) =>
      error ? reject(error) : resolve(),
    );
  });
}
