import { present, type TransactionReport, TruncatedCardNumber } from '../../../src/driver-kit/terminal.ts';
import type { ResultFields } from './messages.ts';
import { codes } from './result-codes.ts';

/** A terminal's transaction as a report of the core. A transaction that the terminal reversed is its own original. */
export function reportOf(fields: ResultFields, kind: 'sale' | 'unknown'): TransactionReport {
  const verdict = codes.verdictOf(fields.code);
  return {
    verdict,
    kind: fields.takenBack ? 'void' : kind,
    responseCode: fields.code,
    amountMinor: fields.amountMinor,
    ...present({
      number: fields.number || undefined,
      trace: fields.number || undefined,
      originalTrace: fields.takenBack ? fields.number : undefined,
      authCode: fields.authCode || undefined,
      maskedPan: TruncatedCardNumber.of(fields.card),
      text: verdict === 'approved' ? undefined : codes.wordsOf(fields.code),
    }),
  };
}
