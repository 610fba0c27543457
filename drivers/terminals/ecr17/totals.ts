import type { Currency, Totals } from '../../../src/driver-kit/terminal.ts';
import type { Answer } from './answers.ts';

/** The terminal's sum since its last close, from an answer to T or C; null where it reports none. It has no count. */
export function sumOf({ fields }: Answer, currency: Currency): Totals | null {
  const { result, pos_total: total = '' } = fields;
  const amountMinor = Number(total);
  if (result !== '00' || !/^\d{16}$/.test(total) || !Number.isSafeInteger(amountMinor)) return null;
  return { amountMinor, currency };
}
