import { formatMoney } from '../../base/money.ts';
import type { LastTransaction, Totals, TransactionReport } from '../../terminal/ports.ts';
import { approvedMinor } from '../attempt/amounts.ts';
import type { Attempt, Baseline } from '../attempt/attempt.ts';
import type { EvidenceOf } from '../attempt/state-machine.ts';
import { isAmount, isAmountOf, isNext, isOfKind, isSame, isThatOne, isUndone } from './same-transaction.ts';
import { isInWindow } from './terminal-clock.ts';

/** Further facts about an attempt and its terminal. */
export interface Circumstances {
  readonly maybeFollowed?: boolean;
  readonly needsSums?: boolean;
}

const NO_SECOND_WITNESS =
  'The terminal shows the same last payment as before, but does not report the sum of its day, which would prove that nothing was charged. Compare its receipts.';

const FITS_WITHOUT_SUMS =
  'The terminal shows a payment of this amount, but does not report the sum of its day, which would prove that it is a sale and no refund. Compare its receipts.';

const SALE_OR_REFUND =
  'The terminal shows a transaction of this amount, and the sum of its day is zero: it may be this sale, or a refund that was made at the terminal itself. Compare its receipts.';

const VOID_WITHOUT_SUMS =
  'The terminal shows this void, and the sum of its day is zero: either the void stands, or the terminal took it back and its day was closed since. Compare the receipt of its last close and its journal.';

const MAY_HAVE_CLOSED =
  'The terminal has nothing stored, as before this payment: either nothing was charged, or it has charged and closed its day by itself. Compare the receipt of its last close and its journal.';

const WAS_APPROVED =
  'The terminal had said that this payment is approved, and has nothing stored now: either it took the payment back, or it has closed its day by itself. Compare the receipt of its last close and its journal.';

/** What one reading of the terminal's last transaction means for an attempt in doubt. */
export type Judgement =
  /** May be said at once. */
  | {
      readonly kind: 'proved';
      readonly of: EvidenceOf;
      readonly row: RowName;
      readonly report: TransactionReport;
    }
  /** Nothing was stored since: "not charged" once the settle time is over, and not before. */
  | {
      readonly kind: 'unchanged';
      readonly of: 'not_charged' | 'reversed';
      readonly row: RowName;
      readonly report: null;
    }
  /** A person must compare. */
  | {
      readonly kind: 'person';
      readonly row: RowName;
      readonly words: string;
      readonly report: TransactionReport | null;
    };

/** The rows of the decision table; `explain` prints the one that decided. */
export const RECOVERY_TABLE = {
  late_end: 'the terminal reported its end later, under our own reference',
  own_reference: 'our own reference is in it',
  never_seen:
    'it keeps every command under its reference for a stated time, does not know this one, and its last transaction is the one before',
  not_in_list:
    'the terminal lists all that it has stored, what came before this one is still in it, and this one is not',
  no_witness: 'the terminal does not list it, and nothing proves that its list is whole',
  no_second_witness:
    'its last transaction says that nothing was stored since, or that it was this one, which is not sure (a refund, or a void that was taken back, looks the same); its sums, which must say the same, are not known',
  void_by_sums:
    'exactly the next number, a void without an amount, and the sum of the day has fallen by exactly ours',
  unreadable: 'the terminal, or the baseline, does not distinguish one transaction from another',
  nothing_stored:
    'nothing stored, before and after, and the sums of its batch, which is the same, have not moved',
  no_batch_witness:
    'nothing stored, before and after, and nothing proves that its batch is the same: a close by itself empties it, too',
  same_as_mark: 'equal to the baseline in every field: nothing stored since',
  approved_kept: 'it had said approved, and this very transaction is stored, not reversed',
  approved_reversed: 'it had said approved, and this very transaction is stored as reversed or refused',
  next_number:
    'exactly the next number, same kind, amount and currency equal, terminal clock inside the window',
  maybe_forgotten:
    'exactly the next number, or nothing stored before and after, but sent before our memory was lost: a payment that is forgotten may have come first, or the day was closed',
  amount_differs: 'this very transaction, or exactly the next one, is stored with another amount or currency',
  totals_disagree:
    "the last transaction says one thing, and the sum of the terminal's day has moved by something else",
  somebody_else:
    'another transaction: the terminal was used without tilld, and the transaction belongs to no payment of ours',
} as const;
export type RowName = keyof typeof RECOVERY_TABLE;

/**
 * Compares the terminal's last transaction with the attempt and its baseline, for terminals that count their transactions.
 * Pure: the settle time and the number of readings are the caller's.
 * @param maybeFollowed the attempt is older than this database: a forgotten process run may have sent others after it
 * @param needsSums a last transaction without a counting of its own proves nothing by itself (`recover: last_only`)
 */
export function judge(
  attempt: Attempt,
  last: LastTransaction,
  totals: Totals | null = null,
  { maybeFollowed = false, needsSums = false }: Circumstances = {},
): Judgement {
  const judgement = judgeVoidBySums(attempt, last, totals) ?? judgeLast(attempt, last, totals);
  if (needsSums && judgement.kind === 'unchanged' && movedBy(attempt, totals) === null)
    return person('no_second_witness', NO_SECOND_WITNESS, null);
  if (needsSums && isNewCharge(attempt, judgement) && movedBy(attempt, totals) === null)
    return person('no_second_witness', FITS_WITHOUT_SUMS, judgement.report);
  if (maybeFollowed && isNewCharge(attempt, judgement)) return maybeForgotten(judgement.report);
  if (maybeFollowed && judgement.row === 'nothing_stored') return maybeClosed();
  const moved = movedBy(attempt, totals);
  if (isUnprovedRefund(attempt, judgement, moved)) return somebodyElse(judgement.report);
  if (isUnprovedSale(attempt, judgement, moved))
    return person('totals_disagree', SALE_OR_REFUND, judgement.report);
  if (isUnprovedVoid(attempt, judgement, moved))
    return person('no_second_witness', VOID_WITHOUT_SUMS, judgement.report);
  if (judgement.kind === 'person' || moved === null || fits(attempt, moved.by, judgement)) return judgement;
  // Where the sums are the only counting, a weak one excuses nothing: a refund by hand may look like our sale.
  if (!needsSums && moved.isWeak && moved.by <= mostMove(attempt, judgement)) return judgement;
  return totalsDisagree(attempt, moved.by, judgement);
}

/** A void whose record has no amount (ECR17): it happened where the sum of the day has fallen by exactly that. */
function judgeVoidBySums(attempt: Attempt, last: LastTransaction, totals: Totals | null): Judgement | null {
  const { baseline, type, amount } = attempt;
  if (type !== 'void' || !baseline || last.kind !== 'found') return null;
  const { report } = last;
  if (report.kind !== 'void' || report.verdict !== 'approved' || report.amountMinor !== undefined)
    return null;
  if (!isNext(baseline, report) || !isInWindow(attempt, baseline, report) || !isOfKind(attempt, report))
    return null;
  const moved = movedBy(attempt, totals);
  if (moved?.by !== -amount.minor) return null;
  return { kind: 'proved', of: 'charged', row: 'void_by_sums', report };
}

function judgeLast(attempt: Attempt, last: LastTransaction, totals: Totals | null): Judgement {
  const { baseline } = attempt;
  if (!baseline || !isDecidable(baseline.last) || !isDecidable(last)) {
    return person('unreadable', 'Look at the terminal: it could not report its last transaction.', null);
  }
  if (last.kind !== 'found') return judgeEmpty(attempt, baseline, totals);
  const { report } = last;
  if (isSame(baseline.last, report))
    return { kind: 'unchanged', of: notCharged(attempt), row: 'same_as_mark', report: null };
  if (isAnothers(attempt, report)) return somebodyElse(report);
  const approved = hadApproval(attempt) ? attempt.report : null;
  if (approved?.number !== undefined) {
    return isThatOne(approved, report) ? judgeApproved(attempt, report) : somebodyElse(report);
  }
  if (isNext(baseline, report) && isInWindow(attempt, baseline, report)) return judgeNext(attempt, report);
  return somebodyElse(report);
}

/** It has another payment's reference: it is not ours, however well it fits. The record of a void may have its sale's. */
function isAnothers({ id, type, ticket }: Attempt, { reference }: TransactionReport): boolean {
  return type !== 'void' && ticket !== null && reference !== undefined && ![id, ticket].includes(reference);
}

/** A transaction without a number, a trace or a time cannot be distinguished from the next one of the same amount. */
export function isDecidable(last: LastTransaction): boolean {
  if (last.kind !== 'found') return last.kind === 'empty';
  const { number, trace, terminalClock } = last.report;
  return number !== undefined || trace !== undefined || terminalClock !== undefined;
}

/** A terminal that closed its day by itself is as empty as one that stored nothing: only sums that are still there distinguish them. */
function judgeEmpty(attempt: Attempt, baseline: Baseline, totals: Totals | null): Judgement {
  if (baseline.last.kind !== 'empty')
    return person(
      'somebody_else',
      'The terminal has forgotten its transactions, or its day was closed.',
      null,
    );
  if (isSameBatch(baseline.totals, totals))
    return { kind: 'unchanged', of: notCharged(attempt), row: 'nothing_stored', report: null };
  return person('no_batch_witness', hadApproval(attempt) ? WAS_APPROVED : MAY_HAVE_CLOSED, null);
}

/** Sums that a close would have emptied, and that have not moved. */
function isSameBatch(before: Totals | undefined, now: Totals | null): boolean {
  if (before === undefined || now === null) return false;
  const hadSome = (before.count ?? 0) > 0 || (before.amountMinor ?? 0) !== 0;
  return hadSome && before.count === now.count && before.amountMinor === now.amountMinor;
}

function judgeApproved(attempt: Attempt, report: TransactionReport): Judgement {
  if (isUndone(attempt, report) || report.verdict === 'refused' || report.verdict === 'aborted') {
    return { kind: 'proved', of: 'reversed', row: 'approved_reversed', report };
  }
  if (report.verdict === 'unclear') return somebodyElse(report);
  if (!isAmount(attempt, approvedMinor(attempt), report)) return amountDiffers(report);
  return { kind: 'proved', of: 'charged', row: 'approved_kept', report };
}

function judgeNext(attempt: Attempt, report: TransactionReport): Judgement {
  if (!isOfKind(attempt, report)) return somebodyElse(report);
  // Whatever its amount was: it was reversed, and nothing came after it.
  if (isUndone(attempt, report)) return { kind: 'proved', of: 'reversed', row: 'next_number', report };
  const refusedWithout = report.verdict !== 'approved' && report.amountMinor === undefined;
  if (!refusedWithout && report.amountMinor === undefined) return somebodyElse(report);
  if (!refusedWithout && !isAmountOf(attempt, report)) return otherAmount(attempt, report);
  switch (report.verdict) {
    case 'approved':
      return { kind: 'proved', of: 'charged', row: 'next_number', report };
    case 'refused':
      return { kind: 'proved', of: 'declined', row: 'next_number', report };
    case 'aborted':
      return { kind: 'proved', of: 'aborted', row: 'next_number', report };
    case 'unclear':
      return person(
        'somebody_else',
        'The terminal stored this payment with a result it does not explain.',
        report,
      );
  }
}

/** A terminal that reports refunds like sales has reported nothing of a refund, unless its sum has moved the right way. */
function isUnprovedRefund(
  attempt: Attempt,
  judgement: Judgement,
  moved: Move | null,
): judgement is Judgement & { readonly report: TransactionReport } {
  if (attempt.type !== 'refund' || !isNewCharge(attempt, judgement)) return false;
  return judgement.report.kind === 'unknown' && (moved === null || moved.isWeak);
}

/**
 * A terminal that reports refunds like sales may show a refund by hand: a sum of zero that has not risen stands for a negative one as well, and then says
 * nothing of a sale.
 */
function isUnprovedSale(
  attempt: Attempt,
  judgement: Judgement,
  moved: Move | null,
): judgement is Judgement & { readonly report: TransactionReport } {
  if (attempt.type !== 'sale' || !isNewCharge(attempt, judgement)) return false;
  return judgement.report.kind === 'unknown' && moved?.isWeak === true && moved.by <= 0;
}

/**
 * Terminals may show a void that they took back like one that stands: then only the sum tells them apart, and a sum of zero may be that of a day that was
 * closed meanwhile.
 */
function isUnprovedVoid(
  { type }: Attempt,
  judgement: Judgement,
  moved: Move | null,
): judgement is Judgement & { readonly report: TransactionReport } {
  const isFound =
    judgement.kind === 'proved' && judgement.row === 'next_number' && judgement.of === 'charged';
  return type === 'void' && isFound && moved?.isWeak === true;
}

/** Proved by the number that follows the baseline's, and not by a number that the terminal had reported. A void names the sale that it reversed. */
function isNewCharge(
  { type }: Attempt,
  judgement: Judgement,
): judgement is Judgement & { readonly kind: 'proved' } {
  const isNew = judgement.kind === 'proved' && judgement.row === 'next_number' && judgement.of === 'charged';
  return isNew && type !== 'void';
}

/**
 * The change of the terminal's sum since the baseline, in minor units. `isWeak`: one of the two is zero, which may stand for a negative sum (a
 * sum has no sign on the wire) or for a day that was closed meanwhile; a sum of no transaction at all is zero.
 */
interface Move {
  readonly by: number;
  readonly isWeak: boolean;
}

/** Null where one of the sums is unknown. */
function movedBy({ baseline, amount }: Attempt, totals: Totals | null): Move | null {
  const before = baseline?.totals;
  if (before?.amountMinor === undefined || totals?.amountMinor === undefined) return null;
  const currencies = [before.currency, totals.currency].filter((one) => one !== undefined);
  if (currencies.some((currency) => currency !== amount.currency)) return null;
  const hasGrown = before.count !== undefined && (totals.count ?? 0) > before.count;
  const wasMaybeLess = before.amountMinor === 0 && before.count !== 0;
  const isWeak = wasMaybeLess || (totals.amountMinor === 0 && !hasGrown);
  return { by: totals.amountMinor - before.amountMinor, isWeak };
}

/** The most that the sum can have risen by if the judgement is right, whatever a zero stands for. */
function mostMove(attempt: Attempt, { of, report }: Exclude<Judgement, { kind: 'person' }>): number {
  if (of !== 'charged' || attempt.type !== 'sale') return 0;
  return report?.amountMinor ?? approvedMinor(attempt);
}

/**
 * Whether the sum may have moved by this if the judgement is right. Terminals differ in whether a refund counts against the sum; a void always
 * takes its sale out of it.
 */
function fits(
  attempt: Attempt,
  moved: number,
  { of, report }: Exclude<Judgement, { kind: 'person' }>,
): boolean {
  if (of !== 'charged') return moved === 0;
  const amount = report?.amountMinor ?? approvedMinor(attempt);
  if (attempt.type === 'sale') return moved === amount;
  return moved === -amount || (attempt.type === 'refund' && moved === 0);
}

function totalsDisagree(
  attempt: Attempt,
  moved: number,
  { report }: Exclude<Judgement, { kind: 'person' }>,
): Judgement {
  const money = formatMoney({ minor: Math.abs(moved), currency: attempt.amount.currency });
  const more = attempt.type === 'sale' && moved > approvedMinor(attempt);
  const words = more
    ? `Possible double charge: the sum of the terminal's day has grown by ${money}. Compare its receipts with this payment.`
    : `The sum of the terminal's day has changed by ${money}, which does not fit. Compare its receipts with this payment.`;
  return person('totals_disagree', words, report);
}

export function hadApproval(attempt: Attempt): boolean {
  return attempt.state.name === 'in_doubt' && attempt.state.hadApproval;
}

function notCharged(attempt: Attempt): 'not_charged' | 'reversed' {
  return hadApproval(attempt) ? 'reversed' : 'not_charged';
}

function somebodyElse(report: TransactionReport): Judgement {
  return person(
    'somebody_else',
    'The last transaction on the terminal is not this payment. Compare the receipts.',
    report,
  );
}

/** The next one, but of another amount: a tip, a partial approval, or a payment by hand. */
function otherAmount({ amount, baseline }: Attempt, report: TransactionReport): Judgement {
  const [stored, asked] = [report.amountMinor ?? 0, amount.minor].map((minor) =>
    formatMoney({ ...amount, minor }),
  );
  const isUnstated = baseline?.tipAsked && report.tipMinor === undefined;
  const tip = isUnstated ? ' The customer was asked for a tip, which its record does not state.' : '';
  const words = `The next transaction on the terminal is of ${stored}, this payment of ${asked}.${tip} Compare the receipts: if it is this payment, ${stored} was charged.`;
  return person('amount_differs', words, report);
}

function amountDiffers(report: TransactionReport): Judgement {
  return person(
    'amount_differs',
    'The terminal stored this payment with another amount. Compare the receipt: it is not paid as asked.',
    report,
  );
}

function maybeForgotten(report: TransactionReport): Judgement {
  return person(
    'maybe_forgotten',
    'tilld has lost its memory since this payment was sent, and another payment of the same amount may have come after it. Compare the receipt: time, card and customer.',
    report,
  );
}

function maybeClosed(): Judgement {
  return person(
    'maybe_forgotten',
    'tilld has lost its memory since this payment was sent, and the terminal has nothing stored: its day may have been closed meanwhile. Compare the receipts of the day.',
    null,
  );
}

function person(row: RowName, words: string, report: TransactionReport | null): Judgement {
  return { kind: 'person', row, words, report };
}
