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

/** A port that is gone is noticed after two failed checks. */
const HANG_UP_CHECK_MS = 500;
const HANG_UP_FAILURES = 2;
const GONE = /input\/output error|no such device|bad file/i;

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
  let hungUp = false;
  const end = () =>
    port.close((error) => {
      if (error) port.destroy();
    });
  const stopWatching = watchForHangUp(port, () => {
    hungUp = true;
    end();
  });
  port.once('close', stopWatching);
  return new StreamLink(port, {
    kind: 'serial',
    where: path,
    isOpen: () => port.isOpen && !hungUp,
    end,
    drop: () => port.flush(end),
    lossOf: (argument, error) =>
      hungUp ? { reason: 'unplugged', detail: `${path} is gone` } : lossOf(path, argument, error),
  });
}

/**
 * A tty that the kernel has hung up reads as "no bytes" for ever. serialport 13 notices an unplugged cable only while it
 * waits for bytes; if it happened to be reading it asks again without end and never says `close`. Asking for the modem
 * lines tells: EIO on a hung-up tty (ENOTTY merely on one that has none).
 */
function watchForHangUp(port: SerialPort, onHangUp: () => void): () => void {
  let failures = 0;
  const timer = setInterval(() => {
    if (!port.isOpen) return;
    port.get((error) => {
      failures = error && GONE.test(messageOf(error)) ? failures + 1 : 0;
      if (failures === HANG_UP_FAILURES && port.isOpen) onHangUp();
    });
  }, HANG_UP_CHECK_MS);
  timer.unref();
  return () => clearInterval(timer);
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
