import { z } from 'zod';
import { AppError } from '../../base/errors.ts';

const record = z.strictObject({
  receiptNumber: z.string().regex(/^\d{4}$/),
  trace: z.string().regex(/^\d{6}$/),
  kind: z.enum(['sale', 'refund', 'void']),
  amountMinor: z.int().nonnegative(),
  currency: z.string().length(3),
  result: z.enum(['approved', 'declined', 'aborted']),
  reversed: z.boolean(),
  at: z.int(),
  /** Our own running number; never wraps. */
  sequence: z.int().positive(),
  batch: z.int().positive(),
  cardId: z.string().nullable(),
  authCode: z.string().nullable(),
  /** Whether the terminal can report it later. */
  stored: z.boolean(),
  /** Approved, and not yet acknowledged by the till. */
  unsettled: z.boolean(),
  /** `sequence` and trace of what a void undoes. */
  undoes: z.int().positive().nullable(),
  originalTrace: z.string().nullable(),
  /** Typed at the terminal itself. */
  byHand: z.boolean().default(false),
  /** The till's own reference, where the protocol carries one; otherwise empty. */
  reference: z.string().max(160).default(''),
  /** Parts of the amount that the customer added. */
  tipMinor: z.int().nonnegative().default(0),
  cashbackMinor: z.int().nonnegative().default(0),
});

const ledgerFile = z.strictObject({
  version: z.literal(1),
  receipt: z.int().nonnegative(),
  trace: z.int().nonnegative(),
  sequence: z.int().nonnegative(),
  batch: z.int().positive(),
  /** The first batch whose transactions the terminal still reports. */
  tellsFrom: z.int().positive().default(1),
  records: z.array(record).readonly(),
  /** How often the terminal was replaced. */
  exchanges: z.int().nonnegative().default(0),
  /** What the terminals before charged, oldest first; `exchanges`: which one it was. No terminal reports it. */
  earlier: z
    .array(z.strictObject({ exchanges: z.int().nonnegative(), records: z.array(record).readonly() }))
    .readonly()
    .default([]),
});

/** One transaction with all that the terminal stores of it. */
export type TransactionRecord = Readonly<z.infer<typeof record>>;

/** The non-volatile memory of a virtual terminal. */
export type LedgerFile = Readonly<z.infer<typeof ledgerFile>>;

export const emptyLedger: LedgerFile = {
  version: 1,
  receipt: 0,
  trace: 0,
  sequence: 0,
  batch: 1,
  tellsFrom: 1,
  records: [],
  exchanges: 0,
  earlier: [],
};

/** @throws SANDBOX_LEDGER_UNREADABLE when the text is not a ledger. */
export function readLedgerFile(text: string): LedgerFile {
  try {
    return ledgerFile.parse(JSON.parse(text));
  } catch (cause) {
    throw new AppError(
      'SANDBOX_LEDGER_UNREADABLE',
      "the virtual terminal's memory is damaged; delete it to start with an empty ledger",
      { cause },
    );
  }
}
