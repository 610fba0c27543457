import type { Log } from '../base/log.ts';
import type { Config } from '../config/schema.ts';
import type { TerminalManifest } from '../driver-kit/define.ts';
import type { PortSearch } from '../terminal/link.ts';
import type { PreferredPort } from '../terminal/port-facts.ts';
import { PreferredPortSearch } from '../terminal/port-search.ts';
import type { HeldPorts } from '../transport/held-ports.ts';
import { foldersOfPorts, watchFolders } from '../transport/port-hotplug.ts';
import { type DeviceFolders, listPorts, SYSTEM_FOLDERS } from '../transport/port-list.ts';
import { openSerialLink, type SerialLine } from '../transport/serial.ts';

type SerialConfig = Extract<Config['devices'][number]['link'], { type: 'serial' }>;

/** How the configuration names the port of a device. */
export function preferredPortOf({ path, usb }: SerialConfig, manifest: TerminalManifest): PreferredPort {
  if (usb) {
    const { vendor, product, serial = null, port = null } = usb;
    return { kind: 'usb', vendorId: vendor, productId: product, serial, plug: port };
  }
  if (path === undefined || path === 'auto')
    return { kind: 'auto', fingerprints: manifest.usbFingerprints ?? [] };
  return { kind: 'path', path };
}

/** Finds a terminal's serial port, and finds it again after every plug-in. `held`: shared by all devices of the shop. */
export function searchSerialPort(
  preferred: PreferredPort,
  line: Omit<SerialLine, 'path'>,
  { held, log, folders = SYSTEM_FOLDERS }: { held: HeldPorts; log: Log; folders?: DeviceFolders },
): PortSearch {
  return new PreferredPortSearch({
    preferred,
    list: (named) => listPorts(held, named, folders),
    open: (path) => openSerialLink({ ...line, path }, held),
    watch: (onChange) =>
      watchFolders(foldersOfPorts(folders.dev, preferred.kind === 'path' ? preferred.path : null), onChange),
    log,
  });
}
