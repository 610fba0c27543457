import { type Capabilities, customerMs, goesOnFor, z } from '../../../src/driver-kit/terminal.ts';

/** The largest amount: the eight digits of E+. V3 could carry twelve, which no shop needs. */
export const MOST_MINOR = 99_999_999;

/**
 * The full capabilities of this family; dialect, link and options of a device narrow them.
 * `goesOnMs`: no message of either format stops a payment, and a terminal answers idle to another question while its customer still pays.
 */
export const capabilities: Capabilities = {
  refund: true,
  void: 'none',
  voidNeedsCard: false,
  tip: false,
  abort: false,
  recover: 'by_reference',
  commitPoint: 'received',
  settleMs: 20_000,
  goesOnMs: 180_000,
  endOfDay: true,
  totalsWithoutPaper: false,
  identity: 'serial',
};

/** How long the bank may take after the customer's last action, ms; the published answer times (120 s) include the customer's. */
const TAIL_MS = 60_000;

/** The schema of a device's `options`. */
export const options = z.strictObject({
  dialect: z
    .enum(['eplus', 'v3'])
    .default('v3')
    .describe(
      'What the terminal is set to: eplus (Concert V2, cable only) or v3 (Caisse-AP, network or cable).',
    ),
  checkout: z
    .string()
    .regex(/^(?!00)\d{2}$/, 'must be two digits, "01" to "99"')
    .default('01')
    .describe('Number of the checkout, as the terminal knows it.'),
  identifier: z
    .string()
    .regex(/^\d{12}$/, 'must be twelve digits')
    .default('012345678901')
    .describe('V3: identifier of the till (tag CJ), twelve digits.'),
  version: z
    .enum(['0300', '0301', '0310', '0320'])
    .default('0300')
    .describe('V3: version of the protocol that we write into our requests (tag CZ).'),
  seven_data_bits: z
    .boolean()
    .default(false)
    .describe('Serial: bit 7 of what arrives is parity (port opened with 8 bits on a terminal set to 7E1).'),
  line_end: z
    .boolean()
    .default(false)
    .describe('V3 over the network: write CR LF behind each request; some terminals refuse without.'),
  receipt: z
    .enum(['terminal', 'customer'])
    .default('terminal')
    .describe("V3 over the network: who prints the customer's receipt, the terminal, or we from its text."),
  status_query: z
    .enum(['none', 'T', '3'])
    .default('none')
    .describe('V3: action that reports what became of a payment (tag CD), where the terminal has one.'),
  void: z
    .enum(['none', 'last'])
    .exactOptional()
    .describe('Has no effect any more: a cancellation names no payment, so tilld sends none.'),
  end_of_day: z.boolean().default(false).describe('V3: the terminal takes an end of day from us (CD B).'),
  results: z
    .record(
      z.string().regex(/^[1-8]$/, 'must be one of the result digits 1 to 8'),
      z.enum(['refused', 'aborted']),
    )
    .default({})
    .describe('E+: result digits that this terminal was seen to give when nothing was charged.'),
  customer_ms: customerMs(),
});

/** The options as the driver uses them. */
export interface Settings {
  readonly dialect: 'eplus' | 'v3';
  readonly checkout: string;
  readonly identifier: string;
  readonly version: string;
  readonly sevenDataBits: boolean;
  readonly lineEnd: boolean;
  readonly receipt: 'terminal' | 'customer';
  readonly statusQuery: 'none' | 'T' | '3';
  readonly endOfDay: boolean;
  readonly results: Readonly<Partial<Record<string, 'refused' | 'aborted'>>>;
  readonly customerMs: number;
}

/** Reads options that the manifest's schema has parsed (or none). */
export function settingsOf(value: unknown): Settings {
  const parsed = options.parse(value ?? {});
  return {
    dialect: parsed.dialect,
    checkout: parsed.checkout,
    identifier: parsed.identifier,
    version: parsed.version,
    sevenDataBits: parsed.seven_data_bits,
    lineEnd: parsed.line_end,
    receipt: parsed.receipt,
    statusQuery: parsed.status_query,
    endOfDay: parsed.end_of_day,
    results: parsed.results,
    customerMs: parsed.customer_ms,
  };
}

/**
 * The capabilities of a device with these options.
 * On a cable a result counts once the terminal has ended the dialogue (EOT) after our acknowledgement; over the network there is
 * no acknowledgement, and it counts when it is received.
 */
export function capabilitiesOf(settings: Settings, wire: 'serial' | 'tcp'): Capabilities {
  const isV3 = settings.dialect === 'v3';
  const answersOwn = isV3 && settings.statusQuery !== 'none';
  return {
    ...capabilities,
    goesOnMs: goesOnFor(capabilities, settings.customerMs, TAIL_MS),
    recover: answersOwn ? 'by_reference' : 'none',
    commitPoint: wire === 'serial' ? 'acknowledged' : 'received',
    endOfDay: isV3 && settings.endOfDay,
    identity: 'port',
  };
}
