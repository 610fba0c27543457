import { z } from 'zod';
import { maskCardNumbers, TruncatedCardNumber } from '../base/card-number.ts';
import { currencies } from '../base/money.ts';
import type {
  Capabilities,
  CloseOutcome,
  LastTransaction,
  Outcome,
  OwnTransaction,
  Readiness,
  Reprint,
  TerminalIdentity,
  TerminalJournal,
  Totals,
  TransactionReport,
} from '../terminal/ports.ts';

// What a driver package says, as hostile input: every number is a safe integer in bounds, every text has a maximum and no full card number, and
// what is not named here is left out. The shapes are those of `terminal/ports.ts`; JSON has no undefined, so an optional field is there or absent.

const MAX_MINOR = 1_000_000_000_000;
const MAX_LINES = 2000;
const MAX_MS = 3_600_000;
const MAX_KEPT_MS = 366 * 24 * 3_600_000;

const text = (most: number) => z.string().max(most).transform(maskCardNumbers);
/** Ids, numbers and times of the terminal. They are not masked: a merchant id may look like a card number. */
const short = z.string().max(64);
const minor = z.int().min(0).max(MAX_MINOR);
const signedMinor = z.int().min(-MAX_MINOR).max(MAX_MINOR);
const code = z.string().regex(/^[A-Za-z0-9_.-]{1,64}$/);
const message = text(500);
const currency = z.enum(currencies);

const grade = z.enum(['serial', 'tid', 'port']);

export const CapabilitiesShape = z.object({
  refund: z.boolean(),
  void: z.enum(['any', 'last', 'none']),
  voidNeedsCard: z.boolean(),
  // Packages of earlier releases do not name it.
  tip: z.boolean().default(false),
  abort: z.boolean(),
  recover: z.enum(['by_reference', 'by_number', 'last_only', 'none']),
  commitPoint: z.enum(['acknowledged', 'received']),
  settleMs: z.int().min(0).max(MAX_MS),
  goesOnMs: z.int().min(0).max(MAX_MS),
  endOfDay: z.boolean(),
  totalsWithoutPaper: z.boolean(),
  reprint: z.boolean().exactOptional(),
  identity: grade,
}) satisfies z.ZodType<Capabilities>;

export const IdentityShape = z.object({
  grade,
  serial: short.exactOptional(),
  terminalId: short.exactOptional(),
  model: short.exactOptional(),
  firmware: short.exactOptional(),
  untold: z.literal(true).exactOptional(),
}) satisfies z.ZodType<TerminalIdentity>;

const cardNumber = z
  .string()
  .max(64)
  .transform((shown, context) => {
    const truncated = TruncatedCardNumber.of(shown);
    if (truncated) return truncated;
    context.addIssue('is no card number');
    return z.NEVER;
  });

export const ReportShape = z.object({
  verdict: z.enum(['approved', 'refused', 'aborted', 'unclear']),
  kind: z.enum(['sale', 'refund', 'void', 'preauthorisation', 'capture', 'release', 'unknown']),
  amountMinor: minor.exactOptional(),
  tipMinor: minor.exactOptional(),
  surchargeMinor: minor.exactOptional(),
  cashbackMinor: minor.exactOptional(),
  currency: currency.exactOptional(),
  responseCode: short.exactOptional(),
  reference: short.exactOptional(),
  number: short.exactOptional(),
  trace: short.exactOptional(),
  originalTrace: short.exactOptional(),
  authCode: short.exactOptional(),
  maskedPan: cardNumber.exactOptional(),
  cardScheme: short.exactOptional(),
  entryMode: z.enum(['chip', 'contactless', 'magstripe', 'manual']).exactOptional(),
  cardholderVerification: short.exactOptional(),
  applicationId: short.exactOptional(),
  terminalId: short.exactOptional(),
  merchantId: short.exactOptional(),
  rrn: short.exactOptional(),
  uti: short.exactOptional(),
  terminalClock: short.exactOptional(),
  online: z.enum(['yes', 'no']).exactOptional(),
  noPaper: z.literal(true).exactOptional(),
  text: text(2000).exactOptional(),
}) satisfies z.ZodType<TransactionReport>;

const receipts = z.object({ merchant: text(16_384).exactOptional(), customer: text(16_384).exactOptional() });
const unknown = z.object({ kind: z.literal('unknown'), code, message });
const unreadable = z.object({ kind: z.literal('unreadable'), detail: message });
const found = z.object({ kind: z.literal('found'), report: ReportShape });

export const OutcomeShape = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('approved'), report: ReportShape, receipts }),
  z.object({ kind: z.literal('declined'), report: ReportShape, receipts }),
  z.object({ kind: z.literal('aborted'), report: ReportShape, receipts }),
  z.object({ kind: z.literal('not_started'), code, message }),
  unknown.extend({ lastReport: ReportShape.exactOptional() }),
]) satisfies z.ZodType<Outcome>;

const TotalsShape = z.object({
  count: z.int().min(0).max(1_000_000).exactOptional(),
  amountMinor: signedMinor.exactOptional(),
  currency: currency.exactOptional(),
  firstNumber: short.exactOptional(),
  lastNumber: short.exactOptional(),
  byScheme: z
    .array(z.object({ scheme: short, count: z.int().min(0).max(1_000_000), amountMinor: signedMinor }))
    .max(64)
    .exactOptional(),
}) satisfies z.ZodType<Totals>;

const ReadinessShape = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ready'), terminalClock: short.exactOptional() }),
  z.object({ kind: z.literal('wait'), code, message }),
  z.object({ kind: z.literal('person'), code, message }),
]) satisfies z.ZodType<Readiness>;

const LastShape = z.discriminatedUnion('kind', [
  found,
  z.object({ kind: z.literal('empty') }),
  unreadable,
]) satisfies z.ZodType<LastTransaction>;

const OwnShape = z.discriminatedUnion('kind', [
  found,
  z.object({ kind: z.literal('absent'), others: z.array(ReportShape).max(MAX_LINES) }),
  z.object({
    kind: z.literal('never_seen'),
    // A package of before these fields proves nothing by it.
    keptMs: z.int().min(0).max(MAX_KEPT_MS).default(0),
    last: LastShape.default({ kind: 'unreadable', detail: 'the driver does not say' }),
  }),
  unreadable,
]) satisfies z.ZodType<OwnTransaction>;

const CloseShape = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('closed'), totals: TotalsShape.nullable(), receipts }),
  z.object({ kind: z.literal('refused'), code, message }),
  unknown,
]) satisfies z.ZodType<CloseOutcome>;

const JournalShape = z.object({
  complete: z.boolean(),
  lines: z.array(ReportShape).max(MAX_LINES),
  totals: TotalsShape.nullable(),
}) satisfies z.ZodType<TerminalJournal>;

const ReprintShape = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('printed') }),
  z.object({ kind: z.literal('received'), text: text(16_384) }),
  z.object({ kind: z.literal('refused'), message }),
]) satisfies z.ZodType<Reprint>;

/** Every reference in the open batch. */
export const ReferencesShape = z.array(z.string().max(64)).max(10_000);

/** What each method of a session may resolve to. */
export const RESULTS = {
  identify: IdentityShape,
  readiness: ReadinessShape,
  lastTransaction: LastShape,
  ownTransaction: OwnShape,
  lateEnd: OutcomeShape.nullable(),
  execute: OutcomeShape,
  endOfDay: CloseShape,
  totals: TotalsShape.nullable(),
  journal: JournalShape,
  reprint: ReprintShape,
  close: z.null(),
} as const;

/** A method of a session that is called through the channel. */
export type Method = keyof typeof RESULTS;

/** What a method resolves to, behind its schema. */
export type ResultOf<Name extends Method> = z.output<(typeof RESULTS)[Name]>;
