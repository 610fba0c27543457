import { terminalDrivers } from '../../../../drivers/index.ts';
import { AppError } from '../../../base/errors.ts';
import { OpenPorts } from '../../../transport/open-ports.ts';
import { listPorts } from '../../../transport/port-list.ts';

/** How a terminal is reached, as the configuration says it. */
export type Place =
  | { readonly type: 'tcp'; readonly host: string; readonly port?: number }
  | { readonly type: 'serial'; readonly path: string };

/** A serial port of this machine, and the drivers whose terminals have its USB ids. */
export interface FoundPort {
  readonly path: string;
  readonly drivers: readonly string[];
}

/** Serial ports that are plugged in, those of terminals that a driver knows first. */
export async function portsHere(): Promise<readonly FoundPort[]> {
  const ports = await listPorts(new OpenPorts(), null);
  const found = ports.map(({ path, names, usb }) => ({
    // Of two devices with the same serial number one alone has the name by-id.
    path:
      ['by-id', 'by-path'].flatMap((by) =>
        names.filter((name) => name.startsWith(`/dev/serial/${by}/`)),
      )[0] ?? path,
    drivers: terminalDrivers
      .filter(({ usbFingerprints = [] }) =>
        usbFingerprints.some(
          ({ vendorId, productId }) => vendorId === usb?.vendorId && productId === usb.productId,
        ),
      )
      .map(({ id }) => id),
  }));
  return found.toSorted((one, other) => other.drivers.length - one.drivers.length);
}

/** `192.168.1.20`, `terminal.lan:20007`, `[fd00::7]:20007`, `/dev/ttyUSB0`. @throws USAGE */
export function placeOf(text: string): Place {
  if (/^\/[\x21-\x7e]{1,255}$/.test(text)) return { type: 'serial', path: text };
  const parts =
    /^(?:\[([0-9A-Fa-f:]{2,45})\]|([A-Za-z0-9._-]{1,253})|([0-9A-Fa-f:]*:[0-9A-Fa-f:]*:[0-9A-Fa-f:]*))(?::(\d{1,5}))?$/.exec(
      text,
    );
  const host = parts?.[1] ?? parts?.[2] ?? parts?.[3];
  const port = parts?.[4] === undefined ? undefined : Number(parts[4]);
  if (host === undefined || (port !== undefined && (port < 1 || port > 65_535)))
    throw new AppError(
      'USAGE',
      'the place must be an address like 192.168.1.20 or 192.168.1.20:20007, or a port like /dev/ttyUSB0',
    );
  return { type: 'tcp', host, ...(port === undefined ? {} : { port }) };
}
