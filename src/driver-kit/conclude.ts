import { assertNever } from '../base/invariant.ts';
import type { Outcome, Receipts, TransactionReport } from '../terminal/ports.ts';

/**
 * The end of a protocol's dialogue. `completed`: its good end; `refused`, `aborted`: a bad end with a code of the driver's list; `unclear`: a bad end
 * with a code outside the list, or an end that contradicts the result.
 */
export interface DialogueEnd {
  readonly kind: 'completed' | 'refused' | 'aborted' | 'unclear';
  /** The protocol's code, if the end had one. */
  readonly responseCode?: string;
  /** A text for people. */
  readonly message: string;
}

/**
 * The outcome of a finished money dialogue, from its last result and its end.
 *
 * | last result | completed | refused  | aborted  | unclear  |
 * |-------------|-----------|----------|----------|----------|
 * | approved    | approved  | unknown  | unknown  | unknown  |
 * | refused     | declined  | declined | declined | declined, with a code unknown |
 * | aborted     | aborted   | aborted  | aborted  | aborted, with a code unknown  |
 * | unclear     | unknown   | unknown  | unknown  | unknown  |
 * | none        | unknown   | declined | aborted  | unknown  |
 *
 * After a refused or aborted result the customer may have tried again: an end with a code outside the list belongs to that try.
 */
export function conclude(
  last: TransactionReport | undefined,
  end: DialogueEnd,
  receipts: Receipts,
  kind: TransactionReport['kind'] = 'sale',
): Outcome {
  if (!last) return concludeWithoutResult(end, receipts, kind);
  switch (last.verdict) {
    case 'approved':
      if (end.kind === 'completed') return { kind: 'approved', report: last, receipts };
      return unknownOutcome('TERMINAL_CONTRADICTION', `the terminal approved, then: ${end.message}`, last);
    case 'refused':
    case 'aborted':
      if (end.kind === 'unclear' && end.responseCode !== undefined)
        return unknownOutcome(
          'TERMINAL_RESULT_UNCLEAR',
          `a first try was ${last.verdict}, then: ${end.message}`,
          last,
        );
      return { kind: last.verdict === 'refused' ? 'declined' : 'aborted', report: last, receipts };
    case 'unclear':
      return unknownOutcome('TERMINAL_RESULT_UNCLEAR', "the terminal's result says neither yes nor no", last);
    default:
      return assertNever(last.verdict);
  }
}

function concludeWithoutResult(
  end: DialogueEnd,
  receipts: Receipts,
  kind: TransactionReport['kind'],
): Outcome {
  const code = end.responseCode === undefined ? {} : { responseCode: end.responseCode };
  switch (end.kind) {
    case 'refused':
      return { kind: 'declined', report: { verdict: 'refused', kind, ...code, text: end.message }, receipts };
    case 'aborted':
      return { kind: 'aborted', report: { verdict: 'aborted', kind, ...code, text: end.message }, receipts };
    case 'completed':
      return unknownOutcome('TERMINAL_RESULT_MISSING', 'the terminal ended the payment without a result');
    case 'unclear':
      return unknownOutcome('TERMINAL_RESULT_UNCLEAR', end.message);
    default:
      return assertNever(end.kind);
  }
}

/** An outcome that recovery must find: `lastReport` is the last result that came. */
export function unknownOutcome(code: string, message: string, lastReport?: TransactionReport): Outcome {
  return { kind: 'unknown', code, message, ...(lastReport ? { lastReport } : {}) };
}
