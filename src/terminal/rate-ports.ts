import { assertNever } from '../base/invariant.ts';
import {
  distinguishingSerial,
  isAdapter,
  isSameKind,
  type PortFacts,
  type PreferredPort,
  plugOf,
  type UsbFacts,
} from './port-facts.ts';

/** How likely it is that the terminal is connected to a port. */
export interface RatedPort {
  readonly port: PortFacts;
  /** 0: the port is skipped; nothing is written to it. */
  readonly score: number;
  /** The reasons in words, the heaviest first. */
  readonly reasons: readonly string[];
  /** The configuration names this port and no other. */
  readonly isNamed: boolean;
  /**
   * Whether it is the port where the terminal was: `yes` by its USB serial number or its socket, `no` by another serial number.
   * It matters for terminals that do not identify themselves.
   */
  readonly isOurs: 'yes' | 'no' | 'unclear';
}

/** What was recorded about the terminal's port since the start. */
export interface KnownPort {
  /** The port where the terminal was last proved to be. */
  readonly ours: PortFacts | null;
  /** USB kinds that were proved to be terminals, though not the one of this device. */
  readonly kinds: readonly UsbFacts[];
}

interface Point {
  readonly score: number;
  readonly reason: string;
}

const SERIAL = 120;
const NAMED = 100;
const PREFERRED_KIND = 60;
const OUR_KIND = 50;
const FINGERPRINT = 40;
const STRANGERS_KIND = 20;
const SAME_SOCKET = 10;
const SAME_PATH = 5;

/**
 * Rates every port, the likeliest first. Pure, and the only function that decides which ports may be written to.
 * A port counts only by its name in the configuration or by its USB data. These are never tried: a port without USB that is not named, one of
 * several adapter cables of the same kind, and a port that another process holds.
 */
export function ratePorts(
  preferred: PreferredPort,
  ports: readonly PortFacts[],
  known: KnownPort,
): readonly RatedPort[] {
  const rated = ports.map((port) => rate(port, preferred, known, ports));
  return rated.sort((a, b) => b.score - a.score || (a.port.path < b.port.path ? -1 : 1));
}

function rate(
  port: PortFacts,
  preferred: PreferredPort,
  known: KnownPort,
  all: readonly PortFacts[],
): RatedPort {
  const isNamed = isMeant(port, preferred);
  const isOurs = isOursAt(port, known.ours);
  const leave = (reason: string): RatedPort => ({ port, score: 0, reasons: [reason], isNamed, isOurs });
  if (port.openedBy !== null) return leave(`held by ${port.openedBy}`);
  const other = otherKind(port, known.ours);
  if (other !== null && isNamed) return leave(other);
  if (isOurs === 'no' && !isNamed) return leave('another device of this kind, by its USB serial number');
  const points = [...preferencePoints(port, preferred, isNamed), ...knownPoints(port, known)];
  if (points.length === 0) return leave('neither named in the configuration nor known as a terminal');
  const best = Math.max(...points.map((point) => point.score));
  if (port.usb && isAdapter(port.usb) && !isNamed && best < SERIAL && !isOurSocket(port, known.ours)) {
    const reason = adapterReason(port.usb, preferred, all);
    if (reason !== null) return leave(reason);
  }
  if (isOurSocket(port, known.ours))
    points.push({ score: SAME_SOCKET, reason: 'in the socket it was in before' });
  if (port.path === known.ours?.path) points.push({ score: SAME_PATH, reason: 'the path it had before' });
  const heaviestFirst = points.sort((a, b) => b.score - a.score);
  const score = points.reduce((sum, point) => sum + point.score, 0);
  return { port, score, reasons: heaviestFirst.map((point) => point.reason), isNamed, isOurs };
}

/** The configuration names exactly this port: by path, by a serial number, or by the USB port. */
function isMeant(port: PortFacts, preferred: PreferredPort): boolean {
  switch (preferred.kind) {
    case 'path':
      return port.names.includes(preferred.path);
    case 'usb':
      return (preferred.serial ?? preferred.plug) !== null && isPreferred(port, preferred);
    case 'auto':
      return false;
    default:
      return assertNever(preferred);
  }
}

function isPreferred(port: PortFacts, preferred: PreferredPort & { kind: 'usb' }): boolean {
  const { usb } = port;
  if (!usb || !isSameKind(usb, preferred)) return false;
  if (preferred.plug !== null && plugOf(port) !== preferred.plug) return false;
  return preferred.serial === null || usb.serial === preferred.serial;
}

/** Why a port with the right name is another device than before; null: it may be the same. */
function otherKind(port: PortFacts, ours: PortFacts | null): string | null {
  if (!ours?.usb) return null;
  if (port.usb && isSameKind(port.usb, ours.usb)) return null;
  const now = port.usb ? `${port.usb.vendorId}:${port.usb.productId}` : 'no USB device';
  return `another kind of device has this name now (${now}, the terminal was ${ours.usb.vendorId}:${ours.usb.productId})`;
}

function preferencePoints(port: PortFacts, preferred: PreferredPort, isNamed: boolean): readonly Point[] {
  const { usb } = port;
  switch (preferred.kind) {
    case 'path':
      return isNamed ? [{ score: NAMED, reason: 'named in the configuration' }] : [];
    case 'usb':
      if (!isPreferred(port, preferred)) return [];
      return [
        isNamed
          ? { score: NAMED, reason: 'has the USB serial number, or is in the USB port, of the configuration' }
          : { score: PREFERRED_KIND, reason: 'has the USB ids of the configuration' },
      ];
    case 'auto': {
      const found = usb && preferred.fingerprints.find((one) => isSameKind(one, usb));
      return found ? [{ score: FINGERPRINT, reason: `known: ${found.note}` }] : [];
    }
    default:
      return assertNever(preferred);
  }
}

function knownPoints({ usb }: PortFacts, { ours, kinds }: KnownPort): Point[] {
  if (!usb) return [];
  if (ours?.usb && isSameKind(usb, ours.usb)) {
    switch (sameSerial(usb, ours.usb)) {
      case 'yes':
        return [{ score: SERIAL, reason: 'has the USB serial number of the terminal' }];
      case 'no':
        return [];
      default:
        return [{ score: OUR_KIND, reason: 'has the USB ids of the terminal' }];
    }
  }
  const isOfKind = kinds.some((kind) => isSameKind(kind, usb));
  if (isOfKind && !isAdapter(usb))
    return [{ score: STRANGERS_KIND, reason: 'of the kind of another terminal' }];
  return [];
}

function isOursAt(port: PortFacts, ours: PortFacts | null): RatedPort['isOurs'] {
  if (!ours?.usb || !port.usb || !isSameKind(port.usb, ours.usb)) return 'unclear';
  const bySerial = sameSerial(port.usb, ours.usb);
  return bySerial === 'unclear' && isOurSocket(port, ours) ? 'yes' : bySerial;
}

function sameSerial(one: UsbFacts, other: UsbFacts): 'yes' | 'no' | 'unclear' {
  const [first, second] = [distinguishingSerial(one), distinguishingSerial(other)];
  if (first === null || second === null) return 'unclear';
  return first === second ? 'yes' : 'no';
}

function isOurSocket(port: PortFacts, ours: PortFacts | null): boolean {
  return port.socket !== null && port.socket === ours?.socket;
}

/** Why an adapter cable that is known by its kind alone is skipped; null: the operator named its kind, and there is only one. */
function adapterReason(usb: UsbFacts, preferred: PreferredPort, all: readonly PortFacts[]): string | null {
  const alike = all.filter((port) => port.usb && isSameKind(port.usb, usb)).length;
  if (preferred.kind === 'path') return 'an adapter cable: anything may hang on it';
  if (alike === 1) return null;
  return `one of ${alike} adapter cables alike: anything may hang on it; name it by its path under /dev/serial`;
}
