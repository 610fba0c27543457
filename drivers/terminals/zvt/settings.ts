import { z } from '../../../src/driver-kit/terminal.ts';
import { CHARSETS, type Charset } from './charset.ts';

/** The schema of a ZVT device's `options`. */
export const options = z.strictObject({
  password: z
    .string()
    .regex(/^\d{6}$/, 'must be six digits')
    .default('000000')
    .describe("The terminal's password, six digits; many test terminals take 000000 or 123456."),
  config_byte: z
    .string()
    .regex(/^[0-9a-fA-F]{2}$/, 'must be two hex digits, like "BE"')
    .default('BE')
    .describe('Config byte of the registration, hex; bit 08 (progress texts) is always added.'),
  charset: z
    .enum(CHARSETS)
    .default('cp437')
    .describe('How the terminal writes texts, unless it says so itself.'),
  receipts: z
    .boolean()
    .default(true)
    .describe('Take over receipts as text; false: the terminal prints them.'),
  void: z
    .enum(['any', 'last', 'none'])
    .default('any')
    .describe('Which payments of the open batch this terminal can reverse; some only their very last one.'),
  t1_ms: z.int().min(50).max(400).default(200).describe('Serial: longest gap between two bytes of a frame.'),
  t2_ms: z.int().min(500).max(30_000).default(5000).describe('Serial: longest wait for ACK or NAK.'),
  t3_ms: z.int().min(1000).max(60_000).default(5000).describe('Longest wait for the answer to a command.'),
  t4_ms: z
    .int()
    .min(10_000)
    .max(900_000)
    .default(180_000)
    .describe('Longest silence of the terminal inside a payment.'),
});

/** The options as the driver uses them. */
export interface Settings {
  readonly password: string;
  readonly configByte: number;
  readonly charset: Charset;
  readonly void: 'any' | 'last' | 'none';
  readonly t1Ms: number;
  readonly t2Ms: number;
  readonly t3Ms: number;
  readonly t4Ms: number;
}

/** Bit of the config byte: the till wants intermediate status. */
const WANTS_PROGRESS = 0x08;
/** Bits of the config byte: the till prints payment receipts, administration receipts, and gets them as print commands. */
const PRINTS = 0x80 | 0x04 | 0x02;

/** Reads options that the manifest's schema has parsed (or none). */
export function settingsOf(value: unknown): Settings {
  const parsed = options.parse(value ?? {});
  const asked = Number.parseInt(parsed.config_byte, 16) | WANTS_PROGRESS;
  return {
    password: parsed.password,
    configByte: parsed.receipts ? asked : asked & ~PRINTS,
    charset: parsed.charset,
    void: parsed.void,
    t1Ms: parsed.t1_ms,
    t2Ms: parsed.t2_ms,
    t3Ms: parsed.t3_ms,
    t4Ms: parsed.t4_ms,
  };
}
