import { SerialPort } from 'serialport';
import { AppError, messageOf } from '../base/errors.ts';
import type { Link, LinkLoss, OpenLink } from '../terminal/link.ts';
import { StreamLink } from './stream-link.ts';

export interface SerialLine {
  /** Device file: `/dev/serial/by-id/…`, `/dev/ttyACM0`. */
  readonly path: string;
  readonly baudRate: number;
  readonly dataBits: 7 | 8;
  readonly stopBits: 1 | 2;
  readonly parity: 'none' | 'even' | 'odd';
}

/**
 * Opens terminals on a serial port (RS-232, USB-CDC): exclusively, without flow control, RTS and DTR high, stale input thrown away.
 * A port that disappears ends as `unplugged`.
 * @throws LINK_REFUSED (retry safe) when the port is missing, forbidden or held by another program; the signal's reason when it aborts.
 */
export function openSerialLink(line: SerialLine): OpenLink {
  return async (signal) => {
    signal.throwIfAborted();
    const port = new SerialPort({ ...line, lock: true, autoOpen: false });
    await opened(port, line.path, signal);
    await raiseModemLines(port);
    await dropStaleInput(port);
    if (signal.aborted) {
      port.close(() => undefined);
      throw signal.reason;
    }
    return linkOver(port, line.path);
  };
}

function opened(port: SerialPort, path: string, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    port.open((error) => {
      signal.removeEventListener('abort', onAbort);
      if (error) return reject(refused(path, error));
      if (signal.aborted) port.close(() => undefined);
      resolve();
    });
  });
}

/** Ptys and some adapters have no modem lines (ENOTTY): the terminal then does not look at them either. */
function raiseModemLines(port: SerialPort): Promise<void> {
  return new Promise((resolve) => port.set({ rts: true, dtr: true }, () => resolve()));
}

function dropStaleInput(port: SerialPort): Promise<void> {
  return new Promise((resolve) => port.flush(() => resolve()));
}

function linkOver(port: SerialPort, path: string): Link {
  return new StreamLink(port, {
    kind: 'serial',
    where: path,
    isOpen: () => port.isOpen,
    end: () =>
      port.close((error) => {
        if (error) port.destroy();
      }),
    lossOf: (argument, error) => lossOf(path, argument, error),
  });
}

function lossOf(path: string, argument: unknown, error: Error | undefined): LinkLoss {
  const cause = argument instanceof Error ? argument : error;
  if (cause && 'disconnected' in cause && cause.disconnected === true) {
    return { reason: 'unplugged', detail: `${path} is gone: ${cause.message}` };
  }
  return { reason: 'error', detail: `${path} ended: ${cause ? cause.message : 'closed'}` };
}

function refused(path: string, cause: Error): AppError {
  return new AppError('LINK_REFUSED', `cannot open ${path}: ${reasonOf(cause)}`, {
    retry: 'safe',
    moneyMoved: 'no',
    cause,
  });
}

/** serialport gives the system's words, not a code. */
function reasonOf(error: Error): string {
  const text = messageOf(error);
  if (/lock port|resource busy/i.test(text)) return 'another program holds this port';
  if (/no such (file|device)/i.test(text))
    return 'there is no such port (is the terminal plugged in and on?)';
  if (/permission denied/i.test(text)) return 'no permission (is this user in the group dialout?)';
  if (/inappropriate ioctl|not a (tty|typewriter)/i.test(text)) return 'this is not a serial port';
  return text;
}
