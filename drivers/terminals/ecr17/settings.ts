import { type Capabilities, goesOnFor, z } from '../../../src/driver-kit/terminal.ts';
import type { LrcMode } from './framing.ts';

/** Eight digits of cents. */
export const MOST_MINOR = 99_999_999;

/** The full capabilities of the protocol; the README explains each. */
export const capabilities: Capabilities = {
  refund: false,
  void: 'last',
  voidNeedsCard: true,
  tip: false,
  abort: false,
  recover: 'last_only',
  commitPoint: 'received',
  settleMs: 20_000,
  goesOnMs: 180_000,
  endOfDay: true,
  totalsWithoutPaper: true,
  reprint: true,
  identity: 'tid',
};

/** How long the bank may take after the customer's last action, ms: the vendors' answer time (60 s), which the table of 180 s contains. */
const TAIL_MS = 60_000;

const eightDigits = z.string().regex(/^\d{8}$/, 'must be eight digits');

/** The schema of an ECR17 device's `options`. */
export const options = z.strictObject({
  terminal_id: eightDigits
    .default('00000000')
    .describe('Terminal id, eight digits; 00000000: whichever answers at the address.'),
  cash_register_id: eightDigits.default('00000001').describe('How this till calls itself, eight digits.'),
  lrc_mode: z
    .enum(['auto', 'std', 'noext', 'stx', 'stx_noext'])
    .default('auto')
    .describe('How the terminal computes its check; auto: found out from its first answer.'),
  payment_command: z
    .enum(['X', 'P'])
    .default('X')
    .describe(
      'P for a terminal that refuses X; its results contain no amount, so that a person decides a doubt.',
    ),
  reversal: z
    .boolean()
    .default(true)
    .describe('Whether this terminal takes back its last payment (the card must be presented again).'),
  receipts: z
    .boolean()
    .default(true)
    .describe('true: receipts come to us as text where the terminal can; false: the terminal prints them.'),
  ready_statuses: z
    .array(z.string().regex(/^[0-9]$/, 'must be one digit'))
    .min(1)
    .max(10)
    .default(['2'])
    .describe('Status digits with which this terminal sells; what the others mean depends on its maker.'),
  answer_ms: z
    .int()
    .min(1000)
    .max(60_000)
    .default(5000)
    .describe('Longest wait for the answer to a question.'),
  customer_ms: z
    .int()
    .min(30_000)
    .max(600_000)
    .default(180_000)
    .describe('Longest silence of the terminal inside a payment.'),
});

/** The options in the form that the driver uses. */
export interface Settings {
  readonly terminalId: string;
  readonly cashRegisterId: string;
  /** Null: detected. */
  readonly lrcMode: LrcMode | null;
  readonly paymentCommand: 'X' | 'P';
  readonly reversal: boolean;
  readonly receipts: boolean;
  readonly readyStatuses: ReadonlySet<string>;
  readonly answerMs: number;
  readonly customerMs: number;
}

/** Reads options that the manifest's schema has parsed (or none). */
export function settingsOf(value: unknown): Settings {
  const parsed = options.parse(value ?? {});
  return {
    terminalId: parsed.terminal_id,
    cashRegisterId: parsed.cash_register_id,
    lrcMode: parsed.lrc_mode === 'auto' ? null : parsed.lrc_mode,
    paymentCommand: parsed.payment_command,
    reversal: parsed.reversal,
    receipts: parsed.receipts,
    readyStatuses: new Set(parsed.ready_statuses),
    answerMs: parsed.answer_ms,
    customerMs: parsed.customer_ms,
  };
}

/** The capabilities of a device with these options. A result without an amount proves nothing afterwards. */
export function capabilitiesOf({ paymentCommand, reversal, customerMs }: Settings): Capabilities {
  const sendsAmount = paymentCommand === 'X';
  return {
    ...capabilities,
    goesOnMs: goesOnFor(capabilities, customerMs, TAIL_MS),
    recover: sendsAmount ? 'last_only' : 'none',
    void: reversal && sendsAmount ? 'last' : 'none',
  };
}
