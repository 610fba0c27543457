import {
  type Currency,
  minorOf,
  present,
  type TransactionReport,
  TruncatedCardNumber,
} from '../../../src/driver-kit/terminal.ts';
import { codes } from '../sample/result-codes.ts';
import type { Result } from './messages.ts';

/** A terminal's sale as a report of the core. Undefined: its amount cannot be read. A sale that was reversed is its own original. */
export function reportOf(result: Result, currency: Currency): TransactionReport | undefined {
  const { code, number, reversed } = result;
  const amountMinor = minorOf(result.amount, currency);
  if (amountMinor === undefined) return undefined;
  const verdict = codes.verdictOf(code);
  return {
    verdict,
    kind: reversed ? 'void' : 'sale',
    responseCode: code,
    amountMinor,
    number,
    trace: number,
    ...present({
      reference: result.reference || undefined,
      originalTrace: reversed ? number : undefined,
      authCode: result.auth_code || undefined,
      maskedPan: TruncatedCardNumber.of(result.card),
      text: verdict === 'approved' ? undefined : codes.wordsOf(code),
    }),
  };
}
