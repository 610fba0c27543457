import { z } from '../../../src/driver-kit/terminal.ts';
import { CHARSETS, type Charset } from './charset.ts';

const hexByte = z.string().regex(/^[0-9a-fA-F]{2}$/, 'must be two hex digits, like "BE"');
const controlField = z.string().regex(/^[0-9a-fA-F]{4}$/, 'must be four hex digits, like "06D0"');

/** Differences of single vendors; the README has a paragraph on each. */
const quirks = z.strictObject({
  registration_tlv: z
    .enum(['none', 'empty', 'permitted', 'full'])
    .default('permitted')
    .describe(
      'TLV in the registration: none, an empty container, the commands that we take, or also width, size and charset.',
    ),
  print_commands: z
    .enum(['both', 'blocks', 'lines'])
    .default('both')
    .describe('Print commands that the terminal is offered: text blocks (06 D3), lines (06 D1), or both.'),
  also_permitted: z
    .array(controlField)
    .max(16)
    .default([])
    .describe('Further control fields to list as taken, like "06D0"; they are answered, nothing is done.'),
  payment_type: hexByte
    .optional()
    .describe('Payment type (bitmap 19) of sales and refunds, hex; most want none.'),
  capture: z
    .enum(['book_total', 'partial_reversal'])
    .exactOptional()
    .describe('Has no effect any more: tilld reserves no money.'),
  recover: z
    .enum(['by_number', 'none'])
    .default('by_number')
    .describe('none: Repeat Receipt of this terminal reports nothing; a person is asked instead.'),
  initialise: z
    .boolean()
    .default(true)
    .describe('Initialise the terminal (06 93) when it asks for it; false: it does not know the command.'),
  diagnose: z
    .boolean()
    .default(true)
    .describe('Run a diagnosis (06 70) when the terminal asks for it and its paper comes to us.'),
  quiet_after_cancel_ms: z
    .int()
    .min(0)
    .max(120_000)
    .default(20_000)
    .describe('How long after a cancel the terminal may leave Status-Enquiries unanswered.'),
});

/** The schema of a ZVT device's `options`. */
export const options = z.strictObject({
  password: z
    .string()
    .regex(/^\d{6}$/, 'must be six digits')
    .default('000000')
    .describe("The terminal's password, six digits; many test terminals take 000000 or 123456."),
  config_byte: hexByte
    .default('BE')
    .describe('Config byte of the registration, hex; bit 08 (progress texts) is always added.'),
  charset: z
    .enum(CHARSETS)
    .default('cp437')
    .describe('How the terminal writes texts, unless it says so itself.'),
  receipts: z
    .union([z.boolean(), z.literal('built')])
    .default(true)
    .describe(
      'true: take over receipts as text; false: the terminal prints them; built: make them from results.',
    ),
  receipt_language: z.enum(['de', 'en']).default('de').describe('The words on receipts that we build.'),
  printer_width: z.int().min(16).max(99).default(40).describe('Characters of a line on receipts.'),
  max_apdu: z
    .int()
    .min(255)
    .max(65_535)
    .optional()
    .describe('Longest packet to send us, in bytes; sent with registration_tlv "full".'),
  void: z
    .enum(['any', 'last', 'none'])
    .default('any')
    .describe('Which payments of the open batch this terminal can reverse; some only their very last one.'),
  preauthorisation: z.boolean().exactOptional().describe('Has no effect any more: tilld reserves no money.'),
  time_zone: z
    .string()
    .refine(isTimeZone, 'must be a time zone, like "Europe/Berlin"')
    .optional()
    .describe('Time zone of the shop; with it a terminal whose clock is wrong is set by us (06 91).'),
  t1_ms: z.int().min(50).max(400).default(200).describe('Serial: longest gap between two bytes of a frame.'),
  t2_ms: z.int().min(500).max(30_000).default(5000).describe('Serial: longest wait for ACK or NAK.'),
  t3_ms: z.int().min(1000).max(60_000).default(5000).describe('Longest wait for the answer to a command.'),
  t4_ms: z
    .int()
    .min(10_000)
    .max(900_000)
    .default(180_000)
    .describe('Longest silence of the terminal inside a payment.'),
  quirks: quirks.prefault({}).describe('What single vendors do differently.'),
});

/** Differences of a vendor in the form that the driver uses. */
interface Quirks {
  readonly registrationTlv: 'none' | 'empty' | 'permitted' | 'full';
  readonly printCommands: 'both' | 'blocks' | 'lines';
  /** Control fields, four upper-case hex digits. */
  readonly alsoPermitted: ReadonlySet<string>;
  readonly paymentType: number | undefined;
  readonly recover: 'by_number' | 'none';
  readonly initialise: boolean;
  readonly diagnose: boolean;
  readonly quietAfterCancelMs: number;
}

/** The options in the form that the driver uses. */
export interface Settings {
  readonly password: string;
  readonly configByte: number;
  readonly charset: Charset;
  /** Where the receipts of a payment come from. */
  readonly receipts: 'taken' | 'terminal' | 'built';
  readonly receiptLanguage: 'de' | 'en';
  readonly printerWidth: number;
  readonly maxApdu: number | undefined;
  readonly void: 'any' | 'last' | 'none';
  readonly timeZone: string | undefined;
  readonly t1Ms: number;
  readonly t2Ms: number;
  readonly t3Ms: number;
  readonly t4Ms: number;
  readonly quirks: Quirks;
}

/** Bit of the config byte: the till requests intermediate status. */
const WANTS_PROGRESS = 0x08;
/** The till prints payment receipts. */
const PRINTS_PAYMENTS = 0x02;
/** The till prints administrative receipts. */
const PRINTS_ADMIN = 0x04;
/** The till receives receipts as print commands. */
const AS_COMMANDS = 0x80;

/** Reads options that the manifest's schema has parsed (or none). */
export function settingsOf(value: unknown): Settings {
  const parsed = options.parse(value ?? {});
  const receipts = parsed.receipts === true ? 'taken' : parsed.receipts === false ? 'terminal' : 'built';
  return {
    password: parsed.password,
    configByte: configByteOf(Number.parseInt(parsed.config_byte, 16), receipts),
    charset: parsed.charset,
    receipts,
    receiptLanguage: parsed.receipt_language,
    printerWidth: parsed.printer_width,
    maxApdu: parsed.max_apdu,
    void: parsed.void,
    timeZone: parsed.time_zone,
    t1Ms: parsed.t1_ms,
    t2Ms: parsed.t2_ms,
    t3Ms: parsed.t3_ms,
    t4Ms: parsed.t4_ms,
    quirks: quirksOf(parsed.quirks),
  };
}

/** Whether administrative receipts of the terminal come to us and not on its paper. */
export function takesPaper({ configByte }: Settings): boolean {
  return (configByte & AS_COMMANDS) !== 0 && (configByte & PRINTS_ADMIN) !== 0;
}

/** Whether the till prints payment receipts, so that a repeated receipt uses no paper. */
export function printsPayments({ configByte }: Settings): boolean {
  return (configByte & PRINTS_PAYMENTS) !== 0;
}

/** Whether a repeated receipt comes out of the terminal or to us; where the till builds its receipts the terminal sends results only. */
export function repeatsReceipts({ configByte }: Settings): boolean {
  return (configByte & PRINTS_PAYMENTS) === 0 || (configByte & AS_COMMANDS) !== 0;
}

/** Built receipts: the till prints, and the terminal sends no print commands (36 instead of B6). */
function configByteOf(asked: number, receipts: Settings['receipts']): number {
  const wanted = asked | WANTS_PROGRESS;
  if (receipts === 'taken') return wanted;
  const withoutCommands = wanted & ~AS_COMMANDS;
  return receipts === 'built'
    ? withoutCommands | PRINTS_PAYMENTS
    : withoutCommands & ~(PRINTS_PAYMENTS | PRINTS_ADMIN);
}

function quirksOf(parsed: z.output<typeof quirks>): Quirks {
  const { payment_type: paymentType } = parsed;
  return {
    registrationTlv: parsed.registration_tlv,
    printCommands: parsed.print_commands,
    alsoPermitted: new Set(parsed.also_permitted.map((field) => field.toUpperCase())),
    paymentType: paymentType === undefined ? undefined : Number.parseInt(paymentType, 16),
    recover: parsed.recover,
    initialise: parsed.initialise,
    diagnose: parsed.diagnose,
    quietAfterCancelMs: parsed.quiet_after_cancel_ms,
  };
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
