import { formatMoney } from '../base/money.ts';
import type { OwnTransaction, TransactionReport } from '../terminal/ports.ts';
import { approvedMinor } from './amounts.ts';
import type { Attempt } from './attempt.ts';
import { hadApproval, isSame, isUndone, type Judgement, type RowName } from './recovery-table.ts';

/**
 * What a terminal says of an attempt in doubt when it is asked for it by our own reference; of a void it is asked for the sale that
 * the void undoes, for the void has no reference of its own. Pure: settle time and number of readings are the caller's.
 * @param references what may stand in the answer as ours: the attempt's own ticket and id, or those of a void's sale
 */
export function judgeOwn(attempt: Attempt, own: OwnTransaction, references: readonly string[]): Judgement {
  switch (own.kind) {
    case 'unreadable':
      return person('unreadable', 'Look at the terminal: it could not tell this payment.', null);
    case 'absent':
      return judgeAbsent(attempt, own.others);
    case 'found': {
      const { report } = own;
      if (report.reference === undefined || !references.includes(report.reference))
        return person(
          'somebody_else',
          'The terminal answered with another payment. Compare the receipts.',
          report,
        );
      return attempt.type === 'void' ? judgeVoid(attempt, report) : judgeFound(attempt, report);
    }
  }
}

/** "Not found" is not "not charged": only a list that still holds what was there before us tells that nothing came after it. */
function judgeAbsent(attempt: Attempt, others: readonly TransactionReport[]): Judgement {
  const last = attempt.mark?.last;
  const hasWitness = last?.kind === 'found' && others.some((report) => isSame(last, report));
  if (attempt.type !== 'void' && hasWitness)
    return {
      kind: 'unchanged',
      of: hadApproval(attempt) ? 'reversed' : 'not_charged',
      row: 'not_in_list',
      report: null,
    };
  const words =
    attempt.type === 'void'
      ? 'The terminal does not list the sale that was to be undone. Compare its receipts.'
      : 'The terminal does not list this payment, and nothing proves that its list is whole. Compare its receipts.';
  return person('no_witness', words, null);
}

function judgeFound(attempt: Attempt, report: TransactionReport): Judgement {
  if (isUndone(attempt, report)) return { kind: 'proved', of: 'reversed', row: 'own_reference', report };
  if (report.kind !== 'unknown' && report.kind !== attempt.type)
    return person(
      'somebody_else',
      'The terminal tells another kind of transaction. Compare the receipts.',
      report,
    );
  switch (report.verdict) {
    case 'approved':
      return judgeAmount(attempt, report);
    case 'refused':
      return {
        kind: 'proved',
        of: hadApproval(attempt) ? 'reversed' : 'declined',
        row: 'own_reference',
        report,
      };
    case 'aborted':
      return {
        kind: 'proved',
        of: hadApproval(attempt) ? 'reversed' : 'aborted',
        row: 'own_reference',
        report,
      };
    case 'unclear':
      return person(
        'somebody_else',
        'The terminal stored this payment with a result it does not explain. Compare the receipt.',
        report,
      );
  }
}

/** A void happened where its sale is shown as undone; as long as the sale stands, it did not. */
function judgeVoid(attempt: Attempt, report: TransactionReport): Judgement {
  const isTakenBack = report.kind === 'void' || report.originalTrace !== undefined;
  if (isTakenBack) return judgeAmount(attempt, report);
  if (report.verdict === 'approved')
    return {
      kind: 'unchanged',
      of: hadApproval(attempt) ? 'reversed' : 'not_charged',
      row: 'own_reference',
      report: null,
    };
  return person(
    'somebody_else',
    'The terminal shows the sale otherwise than it was. Compare the receipts.',
    report,
  );
}

function judgeAmount(attempt: Attempt, report: TransactionReport): Judgement {
  const { amount } = attempt;
  const isAmount =
    report.amountMinor === approvedMinor(attempt) &&
    (report.currency === undefined || report.currency === amount.currency);
  if (isAmount) return { kind: 'proved', of: 'charged', row: 'own_reference', report };
  const stored =
    report.amountMinor === undefined
      ? 'without an amount'
      : `of ${formatMoney({ ...amount, minor: report.amountMinor })}`;
  const words = `The terminal stored this payment ${stored}; ${formatMoney(amount)} was asked for. Compare the receipt: it is not paid as asked.`;
  return person('amount_differs', words, report);
}

function person(row: RowName, words: string, report: TransactionReport | null): Judgement {
  return { kind: 'person', row, words, report };
}
