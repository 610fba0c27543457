import { readdir, readFile, realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { UsbFacts } from '../terminal/port-facts.ts';

/** The system's folders of devices; tests have their own. */
export interface DeviceFolders {
  readonly sys: string;
  readonly dev: string;
}

export const SYSTEM_FOLDERS: DeviceFolders = { sys: '/sys', dev: '/dev' };

/** How far a USB device is above its tty in sysfs: adapters have two folders more than modems. */
const MAX_DEPTH = 8;
/** A USB interface: `1-1.4:1.0`. */
const USB_INTERFACE = /^\d+-[\d.]+:\d+\.\d+$/;

/** Walks from a piece of hardware up to its USB device. */
export async function usbOf(
  hardware: string,
): Promise<{ readonly usb: UsbFacts | null; readonly socket: string | null }> {
  let socket: string | null = null;
  let folder = hardware;
  for (let depth = 0; depth < MAX_DEPTH; depth += 1) {
    if (USB_INTERFACE.test(basename(folder))) socket = basename(folder);
    const vendorId = await textOf(join(folder, 'idVendor'));
    if (vendorId !== null) return { usb: await usbFacts(folder, vendorId), socket };
    folder = dirname(folder);
  }
  return { usb: null, socket: null };
}

async function usbFacts(folder: string, vendorId: string): Promise<UsbFacts | null> {
  const [productId, serial, maker, product] = await Promise.all(
    ['idProduct', 'serial', 'manufacturer', 'product'].map((name) => textOf(join(folder, name))),
  );
  if (!productId) return null;
  const words = [maker, product].filter((word) => word).join(' ');
  return { vendorId, productId, serial: serial || null, name: words || null };
}

/** The names in a folder; none where it cannot be read. */
export async function entriesOf(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch(() => []);
}

/** The path at the end of all links; null: there is nothing. */
export async function resolved(path: string): Promise<string | null> {
  return realpath(path).catch(() => null);
}

/** The text of a small file, trimmed, at most 200 characters; null where it cannot be read. */
export async function textOf(file: string): Promise<string | null> {
  return readFile(file, 'utf8').then(
    (text) => text.trim().slice(0, 200),
    () => null,
  );
}
