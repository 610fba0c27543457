/** What the USB bus reports of a port; ids are four lower-case hex digits. */
export interface UsbFacts {
  readonly vendorId: string;
  readonly productId: string;
  readonly serial: string | null;
  /** Manufacturer and product, as the device reports them. */
  readonly name: string | null;
}

/** A serial port as it is visible without opening it. */
export interface PortFacts {
  /** The path to open: `/dev/ttyACM0`, or the name of the configuration that leads to it. */
  readonly path: string;
  /** Every name that leads to the port, `path` included. */
  readonly names: readonly string[];
  readonly usb: UsbFacts | null;
  /** The position on the USB bus, which stays the same while the cable does: `1-1.4:1.0`. */
  readonly socket: string | null;
  /** Which process has it open, in words; null: no process that can be seen. */
  readonly openedBy: string | null;
}

/** A USB id that is published for terminals of a driver. It only decides which ports are asked. */
export interface UsbFingerprint {
  readonly vendorId: string;
  readonly productId: string;
  /** Which device it is, and the source of that. */
  readonly note: string;
}

/** How the configuration names the port of a terminal. */
export type PreferredPort =
  | { readonly kind: 'path'; readonly path: string }
  | {
      readonly kind: 'usb';
      readonly vendorId: string;
      readonly productId: string;
      readonly serial: string | null;
      /** The USB port that the device is plugged into: `1-1.4`. */
      readonly plug: string | null;
    }
  /** Any port that is known to belong to such terminals. */
  | { readonly kind: 'auto'; readonly fingerprints: readonly UsbFingerprint[] };

/**
 * Manufacturers of the chips inside adapter cables. Their ids say nothing of the device at the other end: scales, printers and modems use the
 * same chips.
 */
const ADAPTER_MAKERS: ReadonlyMap<string, string> = new Map([
  ['0403', 'FTDI'],
  ['067b', 'Prolific'],
  ['10c4', 'Silicon Labs'],
  ['1a86', 'QinHeng'],
]);

/** Serial numbers that whole series of devices share: empty, a single digit, or ascending digits. */
const EMPTY_SERIAL = /^(?:0*\d?|0?123456789?.*)$/;

/** Whether the id is that of an adapter cable, which says nothing of the device behind it. */
export function isAdapter(usb: UsbFacts): boolean {
  return ADAPTER_MAKERS.has(usb.vendorId);
}

/** The serial number, if it distinguishes this device from others of its kind. */
export function distinguishingSerial(usb: UsbFacts): string | null {
  return usb.serial !== null && !EMPTY_SERIAL.test(usb.serial) ? usb.serial : null;
}

/** The USB port that a device is plugged into: `1-1.4` of the interface `1-1.4:1.0`. */
export function plugOf({ socket }: PortFacts): string | null {
  return socket?.split(':')[0] ?? null;
}

export function isSameKind(
  one: { readonly vendorId: string; readonly productId: string },
  other: { readonly vendorId: string; readonly productId: string },
): boolean {
  return one.vendorId === other.vendorId && one.productId === other.productId;
}

/** `/dev/ttyACM0 (0b00:3070 "INGENICO iPP3xx")`. */
export function portInWords({ path, usb }: PortFacts): string {
  if (!usb) return path;
  const name = usb.name === null ? '' : ` "${usb.name}"`;
  return `${path} (${usb.vendorId}:${usb.productId}${name})`;
}
