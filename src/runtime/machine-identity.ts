import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The files from which the machine's identity is read; a test passes folders of its own. */
export interface IdentitySources {
  readonly etc: string;
  readonly sys: string;
  /** Credentials from systemd (`CREDENTIALS_DIRECTORY`): only root may read the product UUID. */
  readonly credentials: string | null;
}

/** The machine's identity in two parts, each hashed; null: it cannot be read here. */
export interface MachineIdentity {
  /** Of the installed operating system (machine-id(5)). */
  readonly machine: string | null;
  /** Of the hardware, or of the virtual machine. */
  readonly hardware: string | null;
}

/** Application-specific salt: the machine-id itself is confidential (machine-id(5)). */
const APPLICATION = Buffer.from('7c1d0e6b7a0d4f6ea1c05b8c2f8e4d31', 'hex');
const MACHINE_ID = /^[0-9a-f]{32}$/;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** Placeholders of firmware without a UUID of its own (from the lists of dmidecode and fwupd). */
const PLACEHOLDERS = new Set([
  '03000200-0400-0500-0006-000700080009',
  '12345678-1234-5678-90ab-cddeefaabbcc',
]);
/** A serial number in the device tree of boards without DMI. */
const BOARD_SERIAL = /^[0-9a-z]{8,64}$/;

/** Reads the identity of this machine. Host names are no identity. Never throws. */
export function machineIdentity(sources: IdentitySources): MachineIdentity {
  return { machine: machineIdOf(sources), hardware: hardwareOf(sources) };
}

/** The boot id of the running system: it changes with each boot and is the same for all processes until then; null: not readable here. */
export function bootId(proc = '/proc'): string | null {
  const id = textIn(join(proc, 'sys/kernel/random/boot_id'));
  return id !== null && UUID.test(id) ? id : null;
}

/** The identity sources of the machine that this process runs on. */
export function thisMachine(env: NodeJS.ProcessEnv): IdentitySources {
  return { etc: '/etc', sys: '/sys', credentials: env['CREDENTIALS_DIRECTORY'] ?? null };
}

/**
 * The identifier that sd_id128_get_machine_app_specific(3) makes: HMAC-SHA256 of the application's id, keyed by the machine-id; the first 16 bytes
 * are marked as a UUID of version 4.
 */
function machineIdOf({ etc }: IdentitySources): string | null {
  const text = textIn(join(etc, 'machine-id'));
  if (text === null || !MACHINE_ID.test(text) || /^0+$/.test(text)) return null;
  const digest = createHmac('sha256', Buffer.from(text, 'hex')).update(APPLICATION).digest().subarray(0, 16);
  digest.writeUInt8((digest.readUInt8(6) & 0x0f) | 0x40, 6);
  digest.writeUInt8((digest.readUInt8(8) & 0x3f) | 0x80, 8);
  return digest.toString('hex');
}

function hardwareOf({ credentials, sys }: IdentitySources): string | null {
  const places = [
    ...(credentials === null ? [] : [join(credentials, 'product-uuid')]),
    join(sys, 'class/dmi/id/product_uuid'),
  ];
  const uuid = places.map(textIn).find((text) => text !== null && isOwnUuid(text));
  const board = textIn(join(sys, 'firmware/devicetree/base/serial-number'));
  const own = uuid ?? (board !== null && isOwnSerial(board) ? board : null);
  return own === null ? null : createHmac('sha256', APPLICATION).update(own).digest('hex').slice(0, 32);
}

function isOwnUuid(text: string): boolean {
  return UUID.test(text) && !PLACEHOLDERS.has(text) && !/^(0+|f+)$/.test(text.replaceAll('-', ''));
}

function isOwnSerial(text: string): boolean {
  return BOARD_SERIAL.test(text) && !/^0+$/.test(text);
}

/** The text of a small file without its terminating NUL, in lower case; null when it cannot be read. */
function textIn(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').replaceAll('\0', '').trim().toLowerCase();
  } catch {
    return null;
  }
}
