import { type TransactionReport, TruncatedCardNumber } from '../../../src/driver-kit/terminal.ts';
import type { ResultFields } from './messages.ts';
import { resultWords, verdictOf } from './result-codes.ts';

/** A terminal's transaction as a report of the core. A transaction that the terminal reversed is its own original. */
export function reportOf(fields: ResultFields, kind: 'sale' | 'unknown'): TransactionReport {
  const card = TruncatedCardNumber.of(fields.card);
  const verdict = verdictOf(fields.code);
  return {
    verdict,
    kind: fields.takenBack ? 'void' : kind,
    responseCode: fields.code,
    amountMinor: fields.amountMinor,
    ...(fields.number === '' ? {} : { number: fields.number, trace: fields.number }),
    ...(fields.takenBack ? { originalTrace: fields.number } : {}),
    ...(fields.authCode === '' ? {} : { authCode: fields.authCode }),
    ...(card ? { maskedPan: card } : {}),
    ...(verdict === 'approved' ? {} : { text: resultWords(fields.code) }),
  };
}
