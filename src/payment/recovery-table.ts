import type { LastTransaction, TransactionReport } from '../terminal/ports.ts';
import type { Attempt, Mark } from './attempt.ts';
import type { EvidenceOf } from './machine.ts';

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
  | { readonly kind: 'unchanged'; readonly of: 'not_charged' | 'reversed'; readonly row: RowName }
  /** A person must compare. */
  | {
      readonly kind: 'person';
      readonly row: RowName;
      readonly words: string;
      readonly report: TransactionReport | null;
    };

/** The rows of the decision table, in the order they are tried; `explain` prints the one that decided. */
export const RECOVERY_TABLE = {
  unreadable: 'the terminal cannot read its last transaction',
  approved_kept: 'it had said approved, and the same number is stored, not reversed',
  approved_reversed: 'it had said approved, and the same number is stored as reversed',
  same_as_mark: 'equal to the mark in every field: nothing stored since',
  next_number: 'exactly the next number, same kind, amount equal, not older than the mark',
  nothing_stored: 'nothing stored, before and after',
  somebody_else: 'another transaction: somebody else used the terminal, adopted by nobody',
} as const;
export type RowName = keyof typeof RECOVERY_TABLE;

/** Receipt numbers count from 1 to this and begin again. */
const NUMBER_WRAP = 9999;

/**
 * Compares the terminal's last transaction with the attempt and its mark, for terminals that count their transactions.
 * Pure: the settle time and the number of readings are the caller's.
 */
export function judge(attempt: Attempt, last: LastTransaction): Judgement {
  const { mark } = attempt;
  const hadApproval = attempt.state.name === 'in_doubt' && attempt.state.hadApproval;
  if (!mark || last.kind === 'unreadable' || mark.last.kind === 'unreadable') {
    return person('unreadable', 'Look at the terminal: it could not tell its last transaction.', null);
  }
  if (last.kind === 'empty') {
    if (mark.last.kind === 'empty')
      return { kind: 'unchanged', of: notCharged(hadApproval), row: 'nothing_stored' };
    return person(
      'somebody_else',
      'The terminal has forgotten its transactions, or its day was closed.',
      null,
    );
  }
  if (hadApproval && attempt.report && sameNumber(attempt.report, last.report))
    return judgeApproved(last.report);
  if (isSame(mark.last, last)) return { kind: 'unchanged', of: notCharged(hadApproval), row: 'same_as_mark' };
  if (isNext(mark, last.report) && matches(attempt, mark, last.report)) return judgeNext(last.report);
  return person(
    'somebody_else',
    'The last transaction on the terminal is not this payment. Compare the receipts.',
    last.report,
  );
}

function judgeApproved(report: TransactionReport): Judgement {
  const reversed = isReversed(report);
  return {
    kind: 'proved',
    of: reversed ? 'reversed' : 'charged',
    row: reversed ? 'approved_reversed' : 'approved_kept',
    report,
  };
}

function judgeNext(report: TransactionReport): Judgement {
  if (isReversed(report)) return { kind: 'proved', of: 'reversed', row: 'next_number', report };
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

/** Reversed by the terminal itself: its record names the trace that it undid, or is a void. */
function isReversed(report: TransactionReport): boolean {
  return report.kind === 'void' || report.originalTrace !== undefined;
}

function sameNumber(a: TransactionReport, b: TransactionReport): boolean {
  return a.number !== undefined && a.number === b.number && a.amountMinor === b.amountMinor;
}

function isSame(mark: LastTransaction, last: LastTransaction): boolean {
  if (mark.kind !== 'found' || last.kind !== 'found') return false;
  const a = mark.report;
  const b = last.report;
  return MARK_FIELDS.every((field) => a[field] === b[field]);
}

const MARK_FIELDS = [
  'number',
  'trace',
  'originalTrace',
  'kind',
  'verdict',
  'amountMinor',
  'terminalClock',
  'terminalId',
] as const satisfies readonly (keyof TransactionReport)[];

function isNext(mark: Mark, report: TransactionReport): boolean {
  const number = Number(report.number ?? Number.NaN);
  if (!Number.isSafeInteger(number) || number < 1) return false;
  if (mark.last.kind === 'empty') return number === 1;
  if (mark.last.kind !== 'found') return false;
  const before = Number(mark.last.report.number ?? Number.NaN);
  return number === (before % NUMBER_WRAP) + 1;
}

function matches(attempt: Attempt, mark: Mark, report: TransactionReport): boolean {
  if (report.kind !== 'unknown' && report.kind !== attempt.type && !isReversed(report)) return false;
  const equal = report.amountMinor === attempt.amount.minor;
  const refusedWithout = report.verdict !== 'approved' && report.amountMinor === undefined;
  if (!equal && !refusedWithout) return false;
  if (
    report.terminalId !== undefined &&
    mark.terminal.terminalId !== undefined &&
    report.terminalId !== mark.terminal.terminalId
  ) {
    return false;
  }
  return !isOlder(report, mark);
}

/** Compares the terminal's own clock (`MMDDhhmmss`, no year) with the mark's; at the turn of the year nothing is said. */
function isOlder(report: TransactionReport, mark: Mark): boolean {
  if (mark.last.kind !== 'found') return false;
  const before = mark.last.report.terminalClock;
  const now = report.terminalClock;
  if (before === undefined || now === undefined || before.length !== now.length) return false;
  return now < before && !(before.startsWith('12') && now.startsWith('01'));
}

function notCharged(hadApproval: boolean): 'not_charged' | 'reversed' {
  return hadApproval ? 'reversed' : 'not_charged';
}

function person(row: RowName, words: string, report: TransactionReport | null): Judgement {
  return { kind: 'person', row, words, report };
}
