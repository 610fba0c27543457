import { z } from 'zod';
import { canonicalId } from '../base/ids.ts';
import { currencies } from '../base/money.ts';
import { displayName, host, millis, port, usbId } from './schema-primitives.ts';

/** An ISO 4217 code whose exponent tilld knows. */
export function currencyCode() {
  return z.enum(currencies, 'must be an ISO 4217 currency code, like "EUR"');
}

/** Whether an unwanted charge of this kind is voided or kept; where it is kept a person is asked. */
function policy() {
  return z.enum(['void', 'keep']).default('void');
}

const LinkTls = z
  .strictObject({
    fingerprint: z
      .string()
      .regex(
        /^(?:[0-9a-fA-F]{2}:){31}[0-9a-fA-F]{2}$/,
        'must be a SHA-256 fingerprint, like "AB:CD:…" (32 bytes)',
      )
      .transform((text) => text.toUpperCase())
      .optional()
      .describe("SHA-256 fingerprint of the terminal's certificate, which may be self-signed."),
    ca: z
      .string()
      .startsWith('/', 'must be an absolute path')
      .max(4096)
      .optional()
      .describe(
        "PEM file with the certificate authority of the terminal's maker; its certificate must name `host`. With `fingerprint` both must hold.",
      ),
  })
  .describe(
    'TLS to the terminal, for those that have it: no other machine of the network can answer in its place. With neither key the certificate must be valid for `host` by a public authority.',
  );

const TcpLink = z
  .strictObject({
    type: z.literal('tcp').describe('A terminal in the shop network.'),
    host: host().describe('Address of the terminal.'),
    port: port().min(1).optional().describe("TCP port; default: the driver's."),
    connect_timeout_ms: millis(100, 60_000).default(5000).describe('How long a connection may take.'),
    tls: LinkTls.optional(),
  })
  .describe('A terminal that listens on TCP.');

const usbDevice = {
  vendor: usbId().describe('Id of the maker, four hex digits, as `lsusb` shows it.'),
  product: usbId().describe('Id of the product, four hex digits.'),
  serial: z
    .string()
    .regex(/^[\x20-\x7e]{1,126}$/, 'must be 1 to 126 printable ASCII characters')
    .optional()
    .describe('Its USB serial number; needed where several devices with these ids are plugged in.'),
  port: z
    .string()
    .regex(
      /^\d{1,3}-\d{1,2}(?:\.\d{1,2}){0,5}$/,
      'must be a USB port, like "1-1.4", as /sys/bus/usb/devices names it',
    )
    .optional()
    .describe(
      'The USB port that it is plugged into, like `1-1.4` (`ls /sys/bus/usb/devices`): distinguishes several devices whose ids and serial numbers are the same.',
    ),
};

const Usb = z.strictObject(usbDevice).describe('The USB device that the port belongs to, instead of `path`.');

const SerialLink = z
  .strictObject({
    type: z.literal('serial').describe('A terminal on a serial or USB serial port.'),
    path: z
      .string()
      .regex(/^(?:auto|\/[\x21-\x7e]{1,255})$/, 'must be the absolute path of a port, or "auto"')
      .optional()
      .describe(
        'Path of the port, best one under /dev/serial/by-id; `auto`: any port with USB ids that the driver knows.',
      ),
    usb: Usb.optional(),
    heartbeat_ms: millis(250, 600_000)
      .optional()
      .describe(
        'How often this terminal is asked while idle whether it is there; costs a few bytes on its cable. Default: 750, or what its driver says.',
      ),
    baud_rate: z.int().min(300).max(921_600).optional().describe("Bits per second; default: the driver's."),
    stop_bits: z.literal([1, 2]).optional().describe("Stop bits; default: the driver's."),
    data_bits: z.literal([7, 8]).default(8).describe('Data bits.'),
    parity: z.enum(['none', 'even', 'odd']).default('none').describe('Parity.'),
  })
  .refine(({ path, usb }) => (path === undefined) !== (usb === undefined), {
    path: ['path'],
    error: 'give either "path" or "usb": where the terminal is plugged in',
  })
  .describe('A terminal on a serial line.');

const HidLink = z
  .strictObject({
    type: z.literal('hid').describe('A terminal that is a USB HID device, for drivers that speak so.'),
    ...usbDevice,
    usage_page: usbId()
      .optional()
      .describe(
        'Usage page of its interface, four hex digits; needed where one device has several HID interfaces.',
      ),
    heartbeat_ms: millis(250, 600_000)
      .optional()
      .describe(
        'How often this terminal is asked while idle whether it is there. Default: 750, or what its driver says.',
      ),
  })
  .describe('A terminal on USB that has no serial port.');

const VirtualLink = z
  .strictObject({
    type: z.literal('virtual').describe('A virtual terminal of this file.'),
    terminal: z.string().min(1).max(64).describe('Its name in `sandbox.terminals`.'),
  })
  .describe('A virtual terminal, for the demo and for tests.');

/** One device: a card terminal. */
export const DeviceSection = z
  .strictObject({
    id: z
      .uuid()
      .overwrite(canonicalId)
      .describe('The id of the place, a UUID that never changes; the service knows it as `device_id`.'),
    name: displayName().describe('What staff call it.'),
    driver: z
      .string()
      .regex(/^[a-z][a-z0-9_-]{0,31}$/, 'must be the id of a driver, like "zvt"')
      .describe('Protocol family of the terminal.'),
    currency: currencyCode().describe('ISO 4217 code; a payment in another currency is refused.'),
    min_amount_minor: z.int().min(1).default(1).describe('Smallest amount, in minor units.'),
    max_amount_minor: z
      .int()
      .min(1)
      .optional()
      .describe(
        'Largest amount, in minor units; a larger one is refused with `amount_out_of_range` on every way in. Default: what the protocol can carry.',
      ),
    ask_above_minor: z
      .int()
      .min(1)
      .optional()
      .describe(
        'The till asks once more, with the amount in words, before it takes more than this, in minor units. Default: 1,000 of the currency, like 100000 (1,000.00 EUR).',
      ),
    link: z
      .discriminatedUnion('type', [TcpLink, SerialLink, HidLink, VirtualLink])
      .describe('How the terminal is reached.'),
    late_approval: policy().describe(
      'What becomes of a sale that the terminal approved although it was to be cancelled before: `void` undoes it ' +
        'where the terminal can do so without the card, `keep` lets it stand and asks staff.',
    ),
    partial_approval: policy().describe(
      'What becomes of a sale of which only a part was approved: `void` undoes it where the terminal can do so ' +
        'without the card, `keep` lets it stand and asks staff.',
    ),
    tip: z
      .enum(['none', 'ask'])
      .default('none')
      .describe(
        '`ask`: the terminal asks the customer of every sale for a tip, which comes on top; a driver that cannot ask is refused.',
      ),
    options: z
      .record(z.string(), z.json())
      .default({})
      .describe(
        "The driver's own settings; see its README. A text `credential:NAME` is read from the folder `credentials`.",
      ),
  })
  .describe('A place where cards are taken, and the terminal that serves it.');
