import { type TransactionReport, TruncatedCardNumber } from '../../../src/driver-kit/terminal.ts';
import type { Told } from './messages.ts';
import { resultWords, verdictOf } from './result-codes.ts';

/** A terminal's transaction as a report of the core. A transaction that the terminal reversed is its own original. */
export function reportOf(told: Told, kind: 'sale' | 'unknown'): TransactionReport {
  const card = TruncatedCardNumber.of(told.card);
  const verdict = verdictOf(told.code);
  return {
    verdict,
    kind: told.takenBack ? 'void' : kind,
    responseCode: told.code,
    amountMinor: told.amountMinor,
    ...(told.number === '' ? {} : { number: told.number, trace: told.number }),
    ...(told.takenBack ? { originalTrace: told.number } : {}),
    ...(told.authCode === '' ? {} : { authCode: told.authCode }),
    ...(card ? { maskedPan: card } : {}),
    ...(verdict === 'approved' ? {} : { text: resultWords(told.code) }),
  };
}
