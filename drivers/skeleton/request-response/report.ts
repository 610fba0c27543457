import {
  type Currency,
  minorOf,
  type TransactionReport,
  TruncatedCardNumber,
} from '../../../src/driver-kit/terminal.ts';
import { resultWords, verdictOf } from '../sample/result-codes.ts';
import type { Result } from './messages.ts';

/** A terminal's sale as a report of the core. Undefined: its amount cannot be read. A sale that was reversed is its own original. */
export function reportOf(result: Result, currency: Currency): TransactionReport | undefined {
  const { code, number, auth_code: authCode, reversed } = result;
  const amountMinor = minorOf(result.amount, currency);
  if (amountMinor === undefined) return undefined;
  const card = TruncatedCardNumber.of(result.card);
  const verdict = verdictOf(code);
  return {
    verdict,
    kind: reversed ? 'void' : 'sale',
    responseCode: code,
    amountMinor,
    number,
    trace: number,
    ...(result.reference === '' ? {} : { reference: result.reference }),
    ...(reversed ? { originalTrace: number } : {}),
    ...(authCode === '' ? {} : { authCode }),
    ...(card ? { maskedPan: card } : {}),
    ...(verdict === 'approved' ? {} : { text: resultWords(code) }),
  };
}
