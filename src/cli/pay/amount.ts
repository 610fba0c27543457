import { AppError } from '../../base/errors.ts';
import { type Currency, parseAmount } from '../../base/money.ts';

/**
 * Rejects an impossible amount before the daemon is asked; while the currency is unknown, three digits after the point are the
 * maximum of any.
 * @throws AMOUNT_INVALID
 */
export function checkAmount(text: string, currency: Currency | undefined): void {
  try {
    parseAmount(text, currency ?? 'KWD');
  } catch (error) {
    if (currency !== undefined) throw error;
    const message = `--amount ${JSON.stringify(text.slice(0, 32))} is not an amount that can be paid: write it like 12.34`;
    throw new AppError('AMOUNT_INVALID', message, { cause: error });
  }
}
