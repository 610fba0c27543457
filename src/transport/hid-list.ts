import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PortFacts } from '../terminal/port-facts.ts';
import type { OpenPorts } from './open-ports.ts';
import { type DeviceFolders, entriesOf, resolved, SYSTEM_FOLDERS, usbOf } from './sysfs.ts';

/** A HID interface of a USB device, seen without opening it. */
export interface HidFacts extends PortFacts {
  /** The usage page of its first collection, four lower-case hex digits: `ff00`; null: its descriptor cannot be read. */
  readonly usagePage: string | null;
}

/**
 * The HID interfaces of USB devices, from sysfs: with the USB port, which node-hid does not report, and without loading a library.
 */
export async function listHidDevices(
  open: OpenPorts,
  { sys, dev }: DeviceFolders = SYSTEM_FOLDERS,
): Promise<readonly HidFacts[]> {
  const names = await entriesOf(join(sys, 'class/hidraw'));
  const found = await Promise.all(
    names.map(async (name): Promise<HidFacts | null> => {
      const path = join(dev, name);
      const [device, hardware] = await Promise.all([
        resolved(path),
        resolved(join(sys, 'class/hidraw', name, 'device')),
      ]);
      if (device === null || hardware === null) return null;
      const { usb, socket } = await usbOf(hardware);
      if (usb === null) return null;
      const usagePage = await usagePageOf(join(hardware, 'report_descriptor'));
      const openedBy = open.has(device) ? 'tilld itself' : null;
      return { path, names: [path], usb, socket, openedBy, usagePage };
    }),
  );
  return found.filter((one) => one !== null);
}

/** HID 1.11, 6.2.2: short items of a prefix (tag 4 bits, type 2, size 2) and 0, 1, 2 or 4 bytes; a global item with tag 0 is a usage page. */
const USAGE_PAGE = 0x04;
const SIZES = [0, 1, 2, 4] as const;

async function usagePageOf(file: string): Promise<string | null> {
  const bytes = await readFile(file).catch(() => null);
  if (bytes === null) return null;
  for (let at = 0; at < bytes.length; ) {
    const prefix = bytes[at] ?? 0;
    const size = SIZES[(prefix & 3) as 0 | 1 | 2 | 3];
    if ((prefix & 0xfc) === USAGE_PAGE && size > 0 && at + 1 + size <= bytes.length)
      return (bytes.readUIntLE(at + 1, size) & 0xffff).toString(16).padStart(4, '0');
    at += 1 + size;
  }
  return null;
}
