import type { LastTransaction, TransactionReport } from '../../terminal/ports.ts';
import type { Attempt } from '../attempt/attempt.ts';
import type { EvidenceOf } from '../attempt/state-machine.ts';
import { isNamed, judgeNamed } from './by-reference.ts';
import { isDecidable, judge, type RowName } from './decision-table.ts';
import { following, greatestLike, isSame, isThatOne, isUndone } from './same-transaction.ts';
import { happenedBefore } from './terminal-clock.ts';

/**
 * What a terminal's last transaction says of the time since our last dialogue with it.
 * Why: only unbroken continuity from our last transaction to the present proves that an older one is still in the open batch.
 */
export type Continuity =
  /** Only tilld used the terminal. */
  | { readonly kind: 'unbroken' }
  | { readonly kind: 'cannot_tell' }
  /** It does not show our last transaction yet, and its settle time is not over. */
  | { readonly kind: 'too_early' }
  /** It contradicts our database about our last attempt there. */
  | {
      readonly kind: 'contradicted';
      readonly of: EvidenceOf;
      readonly row: RowName;
      readonly report: TransactionReport | null;
    }
  /** It has erased its transactions, or its numbers start again: its batch was closed without a command from tilld. */
  | { readonly kind: 'closed' }
  /** It shows as its last transaction one that it reported before our newest: what answers is not the terminal. */
  | { readonly kind: 'not_believed'; readonly why: string }
  /** A transaction was made there by hand. */
  | { readonly kind: 'used_by_hand'; readonly report: TransactionReport };

/** Numbers this near to the greatest may start again. */
const WRAPS_WITHIN = 99;

/** Our newest attempt that was sent to this terminal, and what is known of the time since. */
export interface SinceLastDialogue {
  readonly previous: Attempt;
  /** Whether money moved, by the newest evidence. */
  readonly charged: 'yes' | 'no' | 'unknown';
  /** Its newest correction, or itself: the present record and its evidence. */
  readonly lastWord: Attempt;
  /** The terminal's batch was closed after it, or continuity was broken since. */
  readonly newBatch: boolean;
  /** It is older than this database: a forgotten process run may have sent others after it. */
  readonly maybeFollowed: boolean;
  /** The settle time is over since: before that nothing means "not charged". */
  readonly settled: boolean;
  /** The terminal returns our references: a transaction without ours is not ours, however well it fits. */
  readonly isNamed: boolean;
  /** Its last transaction proves nothing without the sums of its day (`recover: last_only`), which a continuity check does not read. */
  readonly needsSums: boolean;
}

/** Compares a fresh reading with our newest attempt on this terminal; `null`: none was sent yet. Pure. */
export function continuityOf(since: SinceLastDialogue | null, last: LastTransaction): Continuity {
  if (since?.previous.baseline == null || since.newBatch) return { kind: 'unbroken' };
  const known = since.lastWord.report;
  if (last.kind === 'unreadable' || since.previous.baseline.last.kind === 'unreadable')
    return { kind: 'cannot_tell' };
  if (last.kind === 'empty') return ofEmpty(since);
  // A refusal may have neither number nor time: then the next one looks the same.
  if (!isDecidable(last)) return { kind: 'cannot_tell' };
  const { report } = last;
  const named = ofNamed(since, report);
  if (named) return named;
  const isOurs = known && report.number !== undefined && isThatOne(known, report);
  if (isOurs)
    return sameAmount(known, report) ? ofSame(since, known, report) : { kind: 'used_by_hand', report };
  if (isSame(since.previous.baseline.last, report)) return ofSameTransaction(since);
  return ofOther(since, last, report);
}

function ofEmpty({ previous, charged }: SinceLastDialogue): Continuity {
  const wasEmpty = previous.baseline?.last.kind === 'empty';
  return wasEmpty && charged !== 'yes' ? { kind: 'unbroken' } : { kind: 'closed' };
}

/**
 * It has our own reference: it is ours, whatever its number is, and no other came after it. `null` where it is not, where what it shows of ours is for a
 * person, or where it is under another number than before: then its numbers decide as for every other.
 */
function ofNamed(since: SinceLastDialogue, report: TransactionReport): Continuity | null {
  const { previous, charged, lastWord } = since;
  const { id: attemptId, ticket } = previous;
  if (!since.isNamed || ticket === null || !isNamed(report, { attemptId, ticket })) return null;
  const judgement = judgeNamed(previous, report);
  const known = lastWord.report?.number;
  const isOtherNumber = known !== undefined && report.number !== undefined && known !== report.number;
  if (judgement.kind !== 'proved' || isOtherNumber) return null;
  const { of, row } = judgement;
  if (of === 'charged' && charged !== 'yes') return { kind: 'contradicted', of, row, report };
  if (of !== 'charged' && charged === 'yes') return { kind: 'contradicted', of: 'reversed', row, report };
  return { kind: 'unbroken' };
}

/** The transaction that the terminal had reported to us. */
function ofSame(
  { previous, charged }: SinceLastDialogue,
  known: TransactionReport,
  report: TransactionReport,
): Continuity {
  if (charged === 'unknown' || report.verdict === 'unclear') return { kind: 'unbroken' };
  const stands = report.verdict === 'approved' && !isUndone(previous, report);
  if (stands === (charged === 'yes')) return { kind: 'unbroken' };
  if (stands) return { kind: 'contradicted', of: 'charged', row: 'approved_kept', report };
  if (!hasMoreInCommon(known, report)) return { kind: 'cannot_tell' };
  return { kind: 'contradicted', of: 'reversed', row: 'approved_reversed', report };
}

/**
 * Numbers repeat after the close of a day or a restore of the terminal: a record proves a reversal only if it matches in more than its number
 * and trace.
 */
function hasMoreInCommon(known: TransactionReport, report: TransactionReport): boolean {
  const same = (a: unknown, b: unknown) => a !== undefined && String(a) === String(b ?? '');
  return (['terminalClock', 'amountMinor', 'authCode', 'maskedPan'] as const).some((field) =>
    same(known[field], report[field]),
  );
}

/** It still shows what it showed before our attempt. */
function ofSameTransaction({ charged, settled }: SinceLastDialogue): Continuity {
  if (charged !== 'yes') return { kind: 'unbroken' };
  if (!settled) return { kind: 'too_early' };
  return { kind: 'contradicted', of: 'not_charged', row: 'same_as_mark', report: null };
}

function ofOther(since: SinceLastDialogue, last: LastTransaction, report: TransactionReport): Continuity {
  const { previous, charged, lastWord } = since;
  const known = lastWord.report;
  const judgement = judge(previous, last, null, {
    maybeFollowed: since.maybeFollowed,
    // For an attempt that ended without a charge it is a reason to check again; for a doubt it would be the answer.
    needsSums: since.needsSums && previous.state.name === 'in_doubt',
  });
  const isFound = judgement.kind === 'proved' && judgement.of === 'charged' && mayBeUnnamed(since);
  if (isFound && charged === 'yes' && known?.number === undefined) return { kind: 'unbroken' };
  if (isFound && charged !== 'yes' && mayStillBeFound(since, report))
    return needsSumsToDecide(previous)
      ? { kind: 'unbroken' }
      : { kind: 'contradicted', of: 'charged', row: judgement.row, report };
  if (judgement.kind === 'proved' && !isFound && charged === 'no') return { kind: 'unbroken' };
  if (charged === 'yes' && (known === null || wouldFit(since, report))) return { kind: 'cannot_tell' };
  const earlier = known?.number ?? baselineNumber(previous);
  const before = Number(earlier ?? Number.NaN);
  const fresh = Number(report.number ?? Number.NaN);
  if (fresh < before && before < greatestLike(earlier) - WRAPS_WITHIN) return { kind: 'closed' };
  return { kind: 'used_by_hand', report };
}

/** The record of a void that the terminal reversed is that of one that stands: only its sums, which this reading lacks, distinguish them. */
function needsSumsToDecide({ type, state, baseline }: Attempt): boolean {
  return type === 'void' && state.name === 'in_doubt' && baseline?.totals?.amountMinor !== undefined;
}

/**
 * A transaction that only fits can be ours while a person still decides. For an attempt that the database has as "not charged", by its end or
 * by a correction, it must have happened before that, by the terminal's own clock: a later one was typed by hand.
 */
function mayStillBeFound({ previous, lastWord }: SinceLastDialogue, report: TransactionReport): boolean {
  if (previous.state.name === 'in_doubt') return true;
  if (lastWord.report?.number !== undefined) return false;
  const { evidence, elapsed } = lastWord;
  const byReading = evidence?.kind === 'terminal_journal' || evidence?.kind === 'person';
  return byReading && happenedBefore(previous, elapsed.completed, report);
}

/**
 * A person has said "charged" without a number. It then most likely means the very next transaction of a terminal that reports no amount
 * (ECR17 with P), or one of this amount where the transaction before ours has no number either.
 */
function wouldFit(
  { previous, lastWord, maybeFollowed }: SinceLastDialogue,
  report: TransactionReport,
): boolean {
  const known = lastWord.report;
  if (known?.number !== undefined || ![previous.type, 'unknown'].includes(report.kind)) return false;
  if (previous.baseline && !isDecidable(previous.baseline.last))
    return report.verdict === 'approved' && known !== null && sameAmount(known, report);
  if (report.amountMinor !== undefined) return false;
  const asOurs = { ...report, amountMinor: previous.amount.minor };
  const judgement = judge(previous, { kind: 'found', report: asOurs }, null, { maybeFollowed });
  return judgement.kind === 'proved' && judgement.of === 'charged';
}

/** Where a terminal returns our references, a record without ours is not ours; but a void's may have that of its sale, or none. */
function mayBeUnnamed({ previous, isNamed }: SinceLastDialogue): boolean {
  return !isNamed || previous.type === 'void';
}

function sameAmount(known: TransactionReport, report: TransactionReport): boolean {
  const same = (a: unknown, b: unknown) => a === undefined || b === undefined || a === b;
  return same(known.amountMinor, report.amountMinor) && same(known.currency, report.currency);
}

/**
 * Whether a stored transaction has exactly the number that follows the baseline's. If not, the terminal's numbers started again or the
 * terminal was used without tilld: numbers of older transactions may repeat.
 */
export function continues({ baseline, report }: Attempt): boolean {
  if (baseline?.last.kind !== 'found' || report?.number === undefined || report.verdict !== 'approved')
    return true;
  const earlier = baseline.last.report.number;
  if (baseline.afterClose && Number(report.number) === 1) return true;
  return Number.isNaN(Number(earlier ?? Number.NaN)) || Number(report.number) === following(earlier);
}

function baselineNumber({ baseline }: Attempt): string | undefined {
  return baseline?.last.kind === 'found' ? baseline.last.report.number : undefined;
}
