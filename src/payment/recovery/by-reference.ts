import { formatMoney } from '../../base/money.ts';
import type {
  AskedReference,
  OwnReference,
  OwnTransaction,
  TransactionReport,
} from '../../terminal/ports.ts';
import { recordedMinor } from '../attempt/amounts.ts';
import type { Attempt } from '../attempt/attempt.ts';
import type { PaymentStore } from '../ports.ts';
import { hadApproval, type Judgement, type RowName } from './decision-table.ts';
import { isSame, isUndone } from './same-transaction.ts';

/** The names under which the terminal got the command, and of a void those of its sale. */
export function askedReferenceOf(attempt: Attempt, store: Pick<PaymentStore, 'findAttempt'>): AskedReference {
  const sale = attempt.type === 'void' ? sentSaleOf(attempt.parentId, store) : null;
  return { ...namesOf(attempt), ...(sale?.ticket ? { sale: namesOf(sale) } : {}) };
}

/** A correction was never sent to the terminal: what it corrects was. */
function sentSaleOf(id: string | null, store: Pick<PaymentStore, 'findAttempt'>): Attempt | null {
  const sale = id === null ? null : store.findAttempt(id);
  return sale === null || sale.corrects === null ? sale : sentSaleOf(sale.corrects, store);
}

function namesOf({ id, ticket }: Attempt): OwnReference {
  return { attemptId: id, ticket: ticket ?? '' };
}

/** The terminal's record has our reference: it is ours, whatever its number is. */
export function isNamed({ reference }: TransactionReport, { attemptId, ticket }: OwnReference): boolean {
  return reference !== undefined && reference !== '' && (reference === attemptId || reference === ticket);
}

/**
 * What the terminal's answer to our own reference means for an attempt in doubt. An answer counts for that very command: for a void it is the
 * void's own record or, where the terminal keeps none, the record that shows its sale as reversed. Pure: settle time and number of readings
 * are the caller's.
 */
export function judgeOwn(
  attempt: Attempt,
  own: OwnTransaction,
  reference: AskedReference,
  now: number,
): Judgement {
  switch (own.kind) {
    case 'unreadable':
      return person('unreadable', 'Look at the terminal: it could not report this payment.', null);
    case 'absent':
      return judgeAbsent(attempt, own.others);
    case 'never_seen':
      return judgeNeverSeen(attempt, own, now);
    case 'found': {
      const { report } = own;
      if (isNamed(report, reference)) return judgeNamed(attempt, report);
      if (!reference.sale || !isNamed(report, reference.sale))
        return person(
          'somebody_else',
          'The terminal answered with another payment. Compare the receipts.',
          report,
        );
      return judgeSaleOfVoid(attempt, report);
    }
  }
}

/**
 * "Not found" alone is not "not charged": what the terminal stored last must still be what it was before the command, and the command must be of the
 * time that the terminal keeps. A terminal that had answered with an approval has got the command: then its memory is not what it was.
 */
function judgeNeverSeen(
  attempt: Attempt,
  { keptMs, last }: Extract<OwnTransaction, { kind: 'never_seen' }>,
  now: number,
): Judgement {
  const age = now - attempt.createdAt;
  const before = attempt.baseline?.last;
  const isUnchanged =
    before?.kind === 'found' && last.kind === 'found'
      ? isSame(before, last.report)
      : before?.kind === 'empty' && last.kind === 'empty';
  if (!hadApproval(attempt) && isUnchanged && age >= 0 && age <= keptMs)
    return { kind: 'unchanged', of: 'not_charged', row: 'never_seen', report: null };
  const words = hadApproval(attempt)
    ? 'The terminal says that it never got this payment, and had said approved. Compare its receipts.'
    : 'The terminal does not know this payment, and nothing proves that it never had it. Compare its receipts.';
  return person('no_witness', words, null);
}

/** "Not found" is not "not charged": only a list that still holds the transaction before ours proves that none came after it. */
function judgeAbsent(attempt: Attempt, others: readonly TransactionReport[]): Judgement {
  const last = attempt.baseline?.last;
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

/** What a record that {@link isNamed} ours means for it. */
export function judgeNamed(attempt: Attempt, report: TransactionReport): Judgement {
  if (report.verdict === 'unclear')
    return person(
      'somebody_else',
      'The terminal stored this payment with a result it does not explain. Compare the receipt.',
      report,
    );
  if (isUndone(attempt, report)) return { kind: 'proved', of: 'reversed', row: 'own_reference', report };
  if (report.kind !== 'unknown' && report.kind !== attempt.type)
    return person(
      'somebody_else',
      'The terminal reports another kind of transaction. Compare the receipts.',
      report,
    );
  if (report.verdict === 'approved') return judgeAmount(attempt, report);
  const ended = report.verdict === 'refused' ? 'declined' : 'aborted';
  return {
    kind: 'proved',
    of: hadApproval(attempt) ? 'reversed' : ended,
    row: 'own_reference',
    report,
  };
}

/** A void happened where its sale is shown as reversed; as long as the sale stands, it did not. */
function judgeSaleOfVoid(attempt: Attempt, report: TransactionReport): Judgement {
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
    report.amountMinor === recordedMinor(attempt, report) &&
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
