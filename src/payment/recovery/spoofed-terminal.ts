import { adoptCommand } from '../../base/next-step.ts';
import type { Capabilities, TransactionReport } from '../../terminal/ports.ts';
import type { Attempt, Baseline, Reason } from '../attempt/attempt.ts';
import { following, greatestLike, isThatOne } from './same-transaction.ts';
import { isClearlyBefore, isOnSameDay, showsSeconds } from './terminal-clock.ts';

/** What is known of a network terminal besides its answer. */
export interface Acquaintance {
  readonly capabilities: Pick<Capabilities, 'recover'>;
  /** Its earlier approvals whose record has the same time. */
  readonly sameTime: readonly Attempt[];
  /** The payment before this one there, when its baseline was read; null: none, or it is not known. */
  readonly before: Attempt | null;
}

/** Numbers this near to the greatest may start again. */
const WRAPS_WITHIN = 99;

/**
 * Why an approval of a network terminal is not believed, in words; null: nothing speaks against it.
 * Another machine of the network can answer at a terminal's address. It repeats what it has recorded, or invents. What is noticed here: a
 * transaction that was reported before, a number that goes back although no day was closed, a number that does not follow together with a
 * time before this payment, another terminal id. An authorisation code alone is no sign: banks draw six digits, and their test hosts
 * always answer with the same ones.
 * Numbers are counted only where the terminal has one counter (`recover: by_number`): a terminal that is asked by our reference has numbers of its
 * own kind, and a STAN (ECR17) may be counted by each acquirer.
 */
export function disbelief(attempt: Attempt, report: TransactionReport, known: Acquaintance): string | null {
  const { baseline, type } = attempt;
  // The record of a void may have the numbers of its sale.
  if (report.verdict !== 'approved' || baseline === null || type === 'void') return null;
  const other = otherTerminalId(attempt, report);
  if (other !== null) return other;
  const before = repeatedIn(known.sameTime, attempt, report);
  if (before) return repeatedWords(report, before);
  if (known.capabilities.recover !== 'by_number' || baseline.last.kind !== 'found') return null;
  const shown = baseline.last.report;
  const [was, is] = [Number(shown.number ?? Number.NaN), Number(report.number ?? Number.NaN)];
  if (Number.isNaN(was) || Number.isNaN(is) || is === following(shown.number)) return null;
  if (is > was) return isBefore(report, baseline, shown) ? oldWords(report) : null;
  const mayStartAgain = is === 1 || was >= greatestLike(shown.number) - WRAPS_WITHIN;
  return mayStartAgain || !isOfThisBatch(report, baseline, known.before) ? null : backWords(was, is);
}

/** By the terminal's own clock, which may have been set since its last transaction. */
function isBefore(report: TransactionReport, { terminalClock }: Baseline, shown: TransactionReport): boolean {
  return isClearlyBefore(report, terminalClock === undefined ? shown : { terminalClock });
}

/**
 * The baseline shows the payment before this one, which was taken on the same day and in the open batch. A terminal that closes its day by itself
 * may show its last transaction also after that, and may count a refused payment before the next one.
 */
function isOfThisBatch(report: TransactionReport, baseline: Baseline, before: Attempt | null): boolean {
  const { last, batch, totals } = baseline;
  if (last.kind !== 'found' || totals?.count === 0 || totals?.amountMinor === 0) return false;
  return (
    before?.report != null &&
    isThatOne(before.report, last.report) &&
    before.baseline?.batch === batch &&
    isOnSameDay(before.report, report)
  );
}

/**
 * Why a reading of a network terminal is not believed: it shows as its last transaction one that is older than our newest there.
 * @param newest our newest attempt on it, which it may show
 */
export function staleReading(
  report: TransactionReport,
  sameTime: readonly Attempt[],
  newest: Attempt,
): string | null {
  // What a void reversed may be gone, and then the one before it is the last.
  if (newest.type === 'void') return null;
  const before = repeatedIn(sameTime, newest, report);
  if (before && before.createdAt < newest.createdAt) return repeatedWords(report, before);
  return newest.report !== null && isClearlyBefore(report, newest.report)
    ? `it is older than the payment ${newest.id}, which the terminal took after it`
    : null;
}

/** Why a payment whose approval is not believed is in doubt. */
export function notBelieved(why: string): Reason {
  return {
    code: 'terminal_not_believed',
    message: `The terminal said that this payment is approved, but ${why}. Something else may answer in its place.`,
  };
}

/** The task of a terminal that was set aside. @param why in whole sentences */
export function setAsideWords(deviceId: string, why: string): string {
  return `${why} It gets no payment now. See that it is your terminal and that nothing else answers at its address, then: ${adoptCommand(deviceId)}`;
}

/** Why a terminal is set aside because of its last transaction. */
export function staleWords(why: string): string {
  return `The last transaction that the terminal shows is not believed: ${why}. Something else may answer in its place.`;
}

/** A terminal that is known by its id names itself otherwise in its result; one with a serial number may work under several ids. */
function otherTerminalId({ baseline }: Attempt, { terminalId }: TransactionReport): string | null {
  const terminal = baseline?.terminal;
  if (terminal?.grade !== 'tid' || terminal.terminalId === undefined || terminalId === undefined) return null;
  if (terminal.terminalId === terminalId) return null;
  return `its result is of the terminal ${terminalId}, and this payment went to ${terminal.terminalId}`;
}

function repeatedIn(
  sameTime: readonly Attempt[],
  { id }: Attempt,
  report: TransactionReport,
): Attempt | undefined {
  const earlier = sameTime.filter((one) => one.id !== id && one.type !== 'void');
  const repeated = earlier.filter((one) => one.report !== null && isRepeated(one.report, report));
  const standsStill = showsSeconds(report) && repeated.length < earlier.length;
  return standsStill ? undefined : repeated[0];
}

/**
 * The same number at the same time, or where one of the two has no number the same authorisation code in the same second, and nothing that
 * contradicts it. A clock may stand still or tell minutes, and offline approvals and test hosts have one code for all.
 */
function isRepeated(before: TransactionReport, report: TransactionReport): boolean {
  const { number, authCode, terminalClock } = report;
  if (before.terminalClock !== terminalClock || /^0*$/.test(terminalClock ?? '')) return false;
  const fields = ['trace', 'authCode', 'maskedPan'] as const;
  if (fields.some((field) => differ(before[field], report[field]))) return false;
  if (before.number !== undefined && number !== undefined) return before.number === number;
  return before.authCode !== undefined && before.authCode === authCode && showsSeconds(report);
}

function differ(a: unknown, b: unknown): boolean {
  return a !== undefined && b !== undefined && String(a) !== String(b);
}

function repeatedWords({ number, authCode }: TransactionReport, before: Attempt): string {
  const what = number === undefined ? `authorisation code ${authCode}` : `receipt number ${number}`;
  return `it gave ${what} at the same time for the payment ${before.id} before`;
}

function oldWords({ number }: TransactionReport): string {
  return `its receipt number ${number} does not follow, and its time is before this payment`;
}

function backWords(was: number, is: number): string {
  return `its receipt number went back from ${was} to ${is}, and its day was not closed`;
}
