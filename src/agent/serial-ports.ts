import type { Log } from '../base/log.ts';
import type { Config } from '../config/schema.ts';
import type { TerminalManifest } from '../driver-kit/define.ts';
import type { PortSearch } from '../terminal/link.ts';
import type { PreferredPort } from '../terminal/port-facts.ts';
import { PreferredPortSearch } from '../terminal/port-search.ts';
import { type loadNodeHid, openHidLink } from '../transport/hid.ts';
import { type HidFacts, listHidDevices } from '../transport/hid-list.ts';
import type { OpenPorts } from '../transport/open-ports.ts';
import { foldersOfPorts, watchFolders } from '../transport/port-hotplug.ts';
import { listPorts } from '../transport/port-list.ts';
import { openSerialLink, type SerialLine } from '../transport/serial.ts';
import { type DeviceFolders, SYSTEM_FOLDERS } from '../transport/sysfs.ts';

type LinkConfig = Config['devices'][number]['link'];
type SerialConfig = Extract<LinkConfig, { type: 'serial' }>;
type HidConfig = Extract<LinkConfig, { type: 'hid' }>;

/** How the configuration names the port of a device. */
export function preferredPortOf({ path, usb }: SerialConfig, manifest: TerminalManifest): PreferredPort {
  if (usb) return preferredUsb(usb);
  if (path === undefined || path === 'auto')
    return { kind: 'auto', fingerprints: manifest.usbFingerprints ?? [] };
  return { kind: 'path', path };
}

/** Finds a terminal's serial port, and finds it again after every plug-in. `open`: shared by all devices of the shop. */
export function searchSerialPort(
  preferred: PreferredPort,
  line: Omit<SerialLine, 'path'>,
  { open, log, folders = SYSTEM_FOLDERS }: { open: OpenPorts; log: Log; folders?: DeviceFolders },
): PortSearch {
  return new PreferredPortSearch({
    preferred,
    list: (named) => listPorts(open, named, folders),
    open: (path) => openSerialLink({ ...line, path }, open),
    watch: (onChange) =>
      watchFolders(foldersOfPorts(folders.dev, preferred.kind === 'path' ? preferred.path : null), onChange),
    log,
  });
}

/** Finds a terminal that is a HID device, and finds it again after every plug-in. */
export function searchHidDevice(
  link: HidConfig,
  { open, log, folders = SYSTEM_FOLDERS }: { open: OpenPorts; log: Log; folders?: DeviceFolders },
  load?: typeof loadNodeHid,
): PortSearch {
  return new PreferredPortSearch({
    preferred: preferredUsb(link),
    list: async () => hidDevicesOf(link, await listHidDevices(open, folders)),
    open: (path) => openHidLink(path, open, load),
    watch: (onChange) => watchFolders(foldersOfPorts(folders.dev, null), onChange),
    log,
  });
}

/** Those with the usage page of the configuration. */
function hidDevicesOf({ usage_page: page }: HidConfig, found: readonly HidFacts[]): readonly HidFacts[] {
  return found.filter(({ usagePage }) => page === undefined || usagePage === page);
}

function preferredUsb({ vendor, product, serial, port }: NonNullable<SerialConfig['usb']>): PreferredPort {
  return { kind: 'usb', vendorId: vendor, productId: product, serial: serial ?? null, plug: port ?? null };
}
