import { AppError } from '../../base/errors.ts';
import { formatMoney, type Money } from '../../base/money.ts';
import type { Attempt } from '../attempt/attempt.ts';
import { isFinal } from '../attempt/state-machine.ts';

/** Parts of a bill are looked for in payments that ended so long ago at most; ms. */
export const SPLIT_MS = 31 * 24 * 3600_000;

/** A bill that several payments pay under one reference; each names it in its metadata. */
interface SplitBill {
  readonly id: string;
  readonly wholeMinor: number;
}

/** What a sale says of the bill that it pays a part of. */
export interface PartOfBill {
  readonly amount: Money;
  readonly reference: string | null;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** The bill that a sale pays a part of; null: it is no part of one. */
export function splitOf({ reference, metadata }: Omit<PartOfBill, 'amount'>): SplitBill | null {
  const { split: id, split_of_minor: whole } = metadata;
  const wholeMinor = typeof whole === 'string' ? Number(whole) : Number.NaN;
  const isPart = typeof id === 'string' && id !== '' && reference !== null;
  return isPart && Number.isSafeInteger(wholeMinor) && wholeMinor > 0 ? { id, wholeMinor } : null;
}

/**
 * Refuses a part that is more than what is left of its bill, or in another currency than that. A part whose outcome is not known counts as
 * taken. The bill is what its first part says.
 * @param sameReference sales that may have charged, of the same reference, oldest first; `keptOf` what one of them paid, without a tip, and was not given back
 * @throws SPLIT_EXCEEDED, `context.details.amount_due_minor` is what is left
 */
export function guardSplit(
  sale: PartOfBill,
  sameReference: readonly Attempt[],
  keptOf: (other: Attempt) => number,
): void {
  const bill = splitOf(sale);
  if (bill === null) return;
  const { minor, currency } = sale.amount;
  const parts = sameReference.filter((one) => one.type === 'sale' && splitOf(one)?.id === bill.id);
  const [first] = parts;
  if (first && first.amount.currency !== currency) {
    const words = `This bill is paid in ${first.amount.currency}. Nothing was charged. Take its rest at a terminal in ${first.amount.currency}.`;
    throw exceeded(words, 0);
  }
  const { wholeMinor } = (first && splitOf(first)) ?? bill;
  const taken = parts.reduce(
    (sum, part) => sum + (isFinal(part.state) ? keptOf(part) : part.amount.minor),
    0,
  );
  const leftMinor = Math.max(0, wholeMinor - taken);
  if (minor <= leftMinor) return;
  const [left, whole] = [leftMinor, wholeMinor].map((one) => formatMoney({ minor: one, currency }));
  const words =
    leftMinor === 0
      ? `Nothing is left of this bill of ${whole}: its parts are paid, or not known yet. Nothing was charged now. Look at its payments.`
      : `Only ${left} of the ${whole} of this bill is left. Nothing was charged. Take ${left} or less.`;
  throw exceeded(words, leftMinor);
}

function exceeded(words: string, leftMinor: number): AppError {
  const context = { param: 'amount_minor', details: { amount_due_minor: leftMinor } };
  return new AppError('SPLIT_EXCEEDED', words, { context });
}
