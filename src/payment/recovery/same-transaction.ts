import type { LastTransaction, TransactionReport } from '../../terminal/ports.ts';
import { addedMinor } from '../attempt/amounts.ts';
import type { Attempt, Baseline } from '../attempt/attempt.ts';

/** Numbers that are written shorter than this do not start again where their digits end. */
const LEAST_DIGITS = 4;

/** Its record names the trace that it reversed, or is a void. */
function isVoid(report: TransactionReport): boolean {
  return report.kind === 'void' || report.originalTrace !== undefined;
}

/**
 * Reversed by the terminal itself. A void's own record names the sale, and one that was reversed names itself; where a terminal keeps no
 * record of a void, its sale stands again.
 */
export function isUndone({ type }: Attempt, report: TransactionReport): boolean {
  if (type !== 'void') return isVoid(report);
  if (report.kind === 'sale' && report.originalTrace === undefined) return true;
  return report.originalTrace !== undefined && report.originalTrace === report.trace;
}

/**
 * Whether a transaction can be this attempt by its kind. A void must reverse the same sale as ours. For a sale or a refund the terminal may
 * show its own reversal, which names itself; a reversal that names another transaction is not ours.
 */
export function isOfKind(attempt: Attempt, report: TransactionReport): boolean {
  if (attempt.type === 'void')
    return (
      isVoid(report) && (isUndone(attempt, report) || !differ(report.originalTrace, attempt.original?.trace))
    );
  if (isVoid(report)) return report.originalTrace === undefined || report.originalTrace === report.trace;
  return report.kind === 'unknown' || report.kind === attempt.type;
}

/** Same number, and no field that both have contradicts it; a reversal may have a trace and a time of its own. */
export function isThatOne(approved: TransactionReport, stored: TransactionReport): boolean {
  if (approved.number !== stored.number) return false;
  if (isVoid(stored)) {
    return !differ(approved.trace, stored.originalTrace) || !differ(approved.trace, stored.trace);
  }
  return !differ(approved.trace, stored.trace) && !differ(approved.terminalClock, stored.terminalClock);
}

/** This amount, as far as the terminal reports it. */
export function isAmount(attempt: Attempt, minor: number, report: TransactionReport): boolean {
  return !differ(minor, report.amountMinor) && !differ(attempt.amount.currency, report.currency);
}

/**
 * The amount of a new transaction that only its number shows to be ours: the requested one, with a tip that was asked for and that the record
 * states. Anything else that was added may belong to another payment.
 */
export function isAmountOf(attempt: Attempt, report: TransactionReport): boolean {
  const added = addedMinor(attempt, report);
  const mayAdd = added === 0 || (attempt.baseline?.tipAsked === true && added === report.tipMinor);
  return mayAdd && isAmount(attempt, attempt.amount.minor + added, report);
}

function differ(a: string | number | undefined, b: string | number | undefined): boolean {
  return a !== undefined && b !== undefined && a !== b;
}

/** Field by field what the baseline shows. */
export function isSame(baseline: LastTransaction, report: TransactionReport): boolean {
  return (
    baseline.kind === 'found' && BASELINE_FIELDS.every((field) => baseline.report[field] === report[field])
  );
}

const BASELINE_FIELDS = [
  'number',
  'trace',
  'originalTrace',
  'kind',
  'verdict',
  'amountMinor',
  'terminalClock',
  'terminalId',
] as const satisfies readonly (keyof TransactionReport)[];

/** Whether its number is the one after the baseline's. */
export function isNext(baseline: Baseline, report: TransactionReport): boolean {
  const number = Number(report.number ?? Number.NaN);
  if (!Number.isSafeInteger(number) || number < 1) return false;
  if (differ(report.terminalId, baseline.terminal.terminalId)) return false;
  if (baseline.last.kind === 'unreadable') return false;
  if (number === 1 && (baseline.last.kind === 'empty' || baseline.afterClose)) return true;
  const earlier = baseline.last.kind === 'found' ? baseline.last.report.number : baseline.lastNumber;
  return number === following(earlier);
}

/** The number after this one. A terminal writes all its numbers with as many digits, and starts again at 1 after the greatest. */
export function following(earlier: string | undefined): number {
  return (Number(earlier ?? Number.NaN) % greatestLike(earlier)) + 1;
}

/** The greatest number that this terminal can write. */
export function greatestLike(earlier: string | undefined): number {
  return 10 ** Math.max(LEAST_DIGITS, earlier?.length ?? 0) - 1;
}
