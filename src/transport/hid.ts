import { accessSync, constants, existsSync } from 'node:fs';
import { Duplex } from 'node:stream';
import { AppError, messageOf } from '../base/errors.ts';
import type { LinkLoss, OpenLink } from '../terminal/link.ts';
import { OpenPorts } from './open-ports.ts';
import { StreamLink } from './stream-link.ts';

/** What is used of an open device of node-hid (`HIDAsync`). */
export interface HidDevice {
  on(event: 'data', listener: (report: Uint8Array) => void): unknown;
  on(event: 'error', listener: (error: unknown) => void): unknown;
  /** Ends reading until `resume`. */
  pause(): void;
  resume(): void;
  /** Sends one report, its id in front. Resolves with the number of bytes. */
  write(report: Buffer): Promise<number>;
  close(): Promise<void>;
}

/** What is used of node-hid. */
export interface HidModule {
  readonly HIDAsync: { open(path: string): Promise<HidDevice> };
  /** Loads the binary. */
  getHidapiVersion(): string;
}

/** How long a device may take a report, ms. */
const WRITE_MS = 1500;

/**
 * Opens a HID device at `/dev/hidrawN`. Each write is one output report: its id (0 where the device does not number its reports), then its bytes, padded by the driver to the
 * length that the device expects. Input reports arrive one after the other, with their id in front where the device numbers them; several may come as one chunk,
 * so the driver cuts them by their length.
 * `load` gives node-hid, an optional package: only a device with such a link needs it, and the libraries that its binary needs.
 * @throws LINK_REFUSED (retry safe) when node-hid cannot be loaded, the device is missing, forbidden, or open for another device; the signal's reason when it aborts.
 */
export function openHidLink(path: string, open = new OpenPorts(), load = loadNodeHid): OpenLink {
  return async (signal) => {
    signal.throwIfAborted();
    const { HIDAsync } = await load();
    signal.throwIfAborted();
    const release = await open.take(path);
    const device = await HIDAsync.open(path).catch((error: unknown) => {
      release();
      throw refused(`cannot open ${path}: ${reasonOf(path, error)}`, error);
    });
    const stream = streamOver(device);
    stream.once('close', release);
    if (signal.aborted) {
      stream.destroy();
      throw signal.reason;
    }
    return new StreamLink(stream, {
      kind: 'hid',
      where: path,
      isOpen: () => !stream.destroyed,
      end: () => stream.destroy(),
      drop: () => stream.destroy(),
      writeMs: () => WRITE_MS,
      lossOf: (_argument, error) => lossOf(path, error),
    });
  };
}

/** @throws LINK_REFUSED (retry safe) when the package is not installed, or its binary does not load; the message says what to install */
export async function loadNodeHid(): Promise<HidModule> {
  try {
    const hid = await import('node-hid');
    hid.getHidapiVersion();
    return hid;
  } catch (error) {
    throw refused(`HID devices cannot be used on this machine: ${lackOf(error)}`, error);
  }
}

function streamOver(device: HidDevice): Duplex {
  let isReading = true;
  const stream = new Duplex({
    read: () => {
      if (!isReading) device.resume();
      isReading = true;
    },
    write: (report: Buffer, _encoding, done) => {
      device.write(report).then((written) => done(short(written, report.length)), done);
    },
    destroy: (error, done) => {
      device.close().then(
        () => done(error),
        () => done(error),
      );
    },
  });
  device.on('data', (report) => {
    if (stream.destroyed || stream.push(report)) return;
    isReading = false;
    device.pause();
  });
  device.on('error', (error) => stream.destroy(error instanceof Error ? error : new Error(messageOf(error))));
  return stream;
}

/** The end of a report would be missing. */
function short(written: number, length: number): Error | null {
  return written < length ? new Error(`the device took ${written} of ${length} bytes of a report`) : null;
}

/** hidapi returns a text, which is the same for a device that is gone and for one that broke. */
function lossOf(path: string, error: Error | undefined): LinkLoss {
  if (!existsSync(path)) return { reason: 'unplugged', detail: `${path} is gone` };
  return { reason: 'error', detail: `${path} ended: ${error?.message ?? 'closed'}` };
}

function reasonOf(path: string, error: unknown): string {
  if (!existsSync(path)) return 'there is no such device (is the terminal plugged in and on?)';
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
    return messageOf(error);
  } catch {
    return 'no permission (is there a udev rule for it, and is this user in the group dialout?)';
  }
}

function lackOf(error: unknown): string {
  const text = messageOf(error);
  const library = /(lib(usb|udev)\S*): cannot open shared object/.exec(text)?.[2];
  if (library === 'usb') return 'the library libusb is missing (apt install libusb-1.0-0)';
  if (library === 'udev') return 'the library libudev is missing (apt install libudev1)';
  if (/cannot find (package|module)/i.test(text)) return 'the package node-hid is not installed (npm ci)';
  return text;
}

function refused(message: string, cause: unknown): AppError {
  return new AppError('LINK_REFUSED', message, { retry: 'safe', moneyMoved: 'no', cause });
}
