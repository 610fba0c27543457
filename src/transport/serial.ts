import type { SerialPort } from 'serialport';
import { AppError, messageOf } from '../base/errors.ts';
import type { Link, LinkLoss, OpenLink } from '../terminal/link.ts';
import { OpenPorts } from './open-ports.ts';
import { watchPort } from './port-unplug.ts';
import { StreamLink } from './stream-link.ts';

export interface SerialLine {
  /** Device file: `/dev/serial/by-id/…`, `/dev/ttyACM0`. */
  readonly path: string;
  readonly baudRate: number;
  readonly dataBits: 7 | 8;
  readonly stopBits: 1 | 2;
  readonly parity: 'none' | 'even' | 'odd';
}

/** How long a port may accept no byte. */
const WRITE_MS = 1500;
/** Bits on the line for one byte, at most. */
const BITS_PER_BYTE = 12;

/**
 * Opens terminals on a serial port (RS-232, USB-CDC): exclusively, without flow control, RTS and DTR high, stale input dropped.
 * A port that disappears ends as `unplugged`, one that accepts no bytes as `error`.
 * `open`: the ports that are open for other devices; they are not opened.
 * @throws LINK_REFUSED (retry safe) when the port is missing, forbidden or held by another program; the signal's reason when it aborts.
 */
export function openSerialLink(line: SerialLine, open = new OpenPorts()): OpenLink {
  return async (signal) => {
    signal.throwIfAborted();
    // The first port loads it with its binary: a shop with network terminals needs neither.
    const { SerialPort } = await import('serialport');
    signal.throwIfAborted();
    const release = await open.take(line.path);
    const port = new SerialPort({ ...line, lock: true, autoOpen: false });
    await opened(port, line.path, release, signal);
    await unlessAborted(signal, settled(port)).catch((error: unknown) => {
      endOf(port);
      throw error;
    });
    return linkOver(port, line);
  };
}

/** Opens the port; `release` is called when the system has closed it, which may be long after its last use. */
function opened(port: SerialPort, path: string, release: () => void, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    port.open((error) => {
      signal.removeEventListener('abort', onAbort);
      if (error) {
        release();
        return reject(refused(path, error));
      }
      port.on('close', () => {
        if (!port.closing && port.port?.isOpen !== true) release();
      });
      if (signal.aborted) endOf(port);
      resolve();
    });
  });
}

/** A wedged adapter answers neither of the two: the caller's timeout ends the wait. */
async function settled(port: SerialPort): Promise<void> {
  await raiseModemLines(port);
  await dropStaleInput(port);
}

/** @throws the signal's reason as soon as it aborts; `work` then continues alone. */
function unlessAborted(signal: AbortSignal, work: Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    if (signal.aborted) return onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}

/** Ptys and some adapters have no modem lines (ENOTTY): the terminal then does not read them either. */
function raiseModemLines(port: SerialPort): Promise<void> {
  return new Promise((resolve) => port.set({ rts: true, dtr: true }, () => resolve()));
}

function dropStaleInput(port: SerialPort): Promise<void> {
  return new Promise((resolve) => port.flush(() => resolve()));
}

/** Emits `close` also where the system refuses to close: a destroyed stream would not. */
function endOf(port: SerialPort): void {
  port.close((error) => {
    if (!error) return;
    port.destroy();
    port.emit('close', null);
  });
}

function linkOver(port: SerialPort, { path, baudRate }: SerialLine): Link {
  const stopWatching = watchPort(port, () => link.fail({ reason: 'unplugged', detail: `${path} is gone` }));
  port.once('close', stopWatching);
  const link = new StreamLink(port, {
    kind: 'serial',
    where: path,
    isOpen: () => port.isOpen,
    end: () => endOf(port),
    writeMs: (length) => WRITE_MS + (length * BITS_PER_BYTE * 1000) / baudRate,
    drop: () => port.flush(() => endOf(port)),
    lossOf: (argument, error) => lossOf(path, argument, error),
  });
  return link;
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

/** serialport returns the system's text, not a code. */
function reasonOf(error: Error): string {
  const text = messageOf(error);
  if (/lock port|resource busy/i.test(text)) return 'another program holds this port';
  if (/no such (file|device)/i.test(text))
    return 'there is no such port (is the terminal plugged in and on?)';
  if (/permission denied/i.test(text)) return 'no permission (is this user in the group dialout?)';
  if (/inappropriate ioctl|not a (tty|typewriter)/i.test(text)) return 'this is not a serial port';
  return text;
}
