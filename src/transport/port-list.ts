import { join } from 'node:path';
import type { PortFacts, UsbFacts } from '../terminal/port-facts.ts';
import type { OpenPorts } from './open-ports.ts';
import { holdersOf } from './port-holders.ts';
import { type DeviceFolders, entriesOf, resolved, SYSTEM_FOLDERS, textOf, usbOf } from './sysfs.ts';

/** A UART that the kernel has a name for but has not found. */
const NO_UART = '0';

/**
 * The serial ports of this machine with their USB facts, read from sysfs without opening any.
 * Why not `SerialPort.list()`: it needs `udevadm`, which a small system or a container lacks.
 * `named`: a path that is included if it exists, also where sysfs does not know it as a port (a pty).
 */
export async function listPorts(
  open: OpenPorts,
  named: string | null,
  folders = SYSTEM_FOLDERS,
): Promise<readonly PortFacts[]> {
  const names = await entriesOf(join(folders.sys, 'class/tty'));
  const [links, found] = await Promise.all([
    linksTo(folders, named),
    Promise.all(names.map((name) => portOf(name, folders))),
  ]);
  const seen: Seen[] = found.filter((port) => port !== null);
  const target = named === null ? null : await resolved(named);
  if (named !== null && target !== null && !seen.some(({ device }) => device === target))
    seen.push({ path: named, device: target, usb: null, socket: null });
  const ownerOf = await holdersOf();
  return Promise.all(
    seen.map(async ({ path, device, usb, socket }) => ({
      path,
      names: [path, ...links.filter((link) => link.device === device).map((link) => link.name)],
      usb,
      socket,
      openedBy: open.has(device) ? 'tilld itself' : await ownerOf(device),
    })),
  );
}

interface Seen {
  readonly path: string;
  /** The device file at the end of all links. */
  readonly device: string;
  readonly usb: UsbFacts | null;
  readonly socket: string | null;
}

/** A real port; null for consoles, ptys and UARTs that do not exist. */
async function portOf(name: string, { sys, dev }: DeviceFolders): Promise<Seen | null> {
  const folder = await resolved(join(sys, 'class/tty', name));
  if (folder === null || folder.includes('/devices/virtual/')) return null;
  const path = join(dev, name);
  const [device, hardware, uart] = await Promise.all([
    resolved(path),
    resolved(join(folder, 'device')),
    textOf(join(folder, 'type')),
  ]);
  if (device === null || hardware === null || uart === NO_UART) return null;
  return { path, device, ...(await usbOf(hardware)) };
}

/** The stable names, and the one of the configuration, each with its device file. */
async function linksTo({ dev }: DeviceFolders, named: string | null) {
  const folders = ['by-id', 'by-path'].map((kind) => join(dev, 'serial', kind));
  const lists = await Promise.all(
    folders.map(async (folder) => (await entriesOf(folder)).map((name) => join(folder, name))),
  );
  const names = [...lists.flat(), ...(named === null ? [] : [named])];
  return Promise.all([...new Set(names)].map(async (name) => ({ name, device: await resolved(name) })));
}
