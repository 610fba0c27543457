import type { TransactionReport } from '../../terminal/ports.ts';
import type { Attempt, Baseline } from '../attempt/attempt.ts';
import { PHASE_MS } from '../dispatch/phase-limits.ts';

/** How long a terminal may continue a payment after the connection was lost (T4 and a minute), in seconds. */
const GOES_ON_S = 180 + 60;
/** The part of a dialogue's time that counts at most, as long as one can be; the time a daemon was off is not the payment's. */
const LONGEST_RUN_S = (PHASE_MS.dispatched + PHASE_MS.accepted) / 1000;
/** How far a clock may have been set back meanwhile, in seconds. */
const SET_BACK_S = 60;
/** The same where summer time ended, in seconds. */
const SUMMER_TIME_S = 3600 + SET_BACK_S;

/**
 * Whether the transaction's time lies between our dispatch and the end of the time in which the terminal may still have worked.
 * All on the terminal's own clock (`MMDDhhmmss`, no year, no zone), as it was when the baseline was read. Without that clock, the time must
 * only not be before the baseline transaction's.
 */
export function isInWindow(attempt: Attempt, baseline: Baseline, report: TransactionReport): boolean {
  const ranMs = (attempt.elapsed.inDoubt ?? 0) - (attempt.elapsed.dispatched ?? 0);
  const ranS = Math.min(Math.max(0, ranMs) / 1000, LONGEST_RUN_S);
  const at = secondsOf(report.terminalClock);
  if (at === null) return true;
  const dispatched = secondsOf(baseline.terminalClock);
  if (dispatched !== null) {
    const mostS = ranS + GOES_ON_S;
    return elapsedEitherYear(dispatched, at).some((passed) => passed >= -SET_BACK_S && passed <= mostS);
  }
  const before = baseline.last.kind === 'found' ? secondsOf(baseline.last.report.terminalClock) : null;
  return before === null || elapsed(before, at) >= 0;
}

/** By the terminal's own clock, and only where it reported it both times: clearly before, also where the clock was set back by an hour between them. */
export function isClearlyBefore(
  report: Pick<TransactionReport, 'terminalClock'>,
  other: Pick<TransactionReport, 'terminalClock'>,
): boolean {
  const [at, later] = [secondsOf(report.terminalClock), secondsOf(other.terminalClock)];
  return (
    at !== null && later !== null && elapsedEitherYear(later, at).every((passed) => passed < -SUMMER_TIME_S)
  );
}

/** By the terminal's own clock, and only where it reported it both times. */
export function isOnSameDay(report: TransactionReport, other: TransactionReport): boolean {
  const [one, another] = [secondsOf(report.terminalClock), secondsOf(other.terminalClock)];
  return one !== null && another !== null && Math.floor(one / DAY_S) === Math.floor(another / DAY_S);
}

/** Whether its time is one of a second; some terminals report minutes. */
export function showsSeconds({ terminalClock }: TransactionReport): boolean {
  return secondsOf(terminalClock) !== null;
}

/** By the terminal's own clock, and only where it reported it both times: not after our instant `until` (elapsed time; null: never). */
export function happenedBefore(attempt: Attempt, until: number | null, report: TransactionReport): boolean {
  const [at, dispatched] = [secondsOf(report.terminalClock), secondsOf(attempt.baseline?.terminalClock)];
  if (at === null || dispatched === null) return false;
  const ranS = Math.max(0, (until ?? 0) - (attempt.elapsed.dispatched ?? 0)) / 1000;
  return elapsedEitherYear(dispatched, at).some((passed) => passed >= 0 && passed <= ranS);
}

const DAY_S = 86_400;
const YEAR_S = 366 * DAY_S;
const LEAP_DAY_END_S = 60 * DAY_S;
const DAYS_BEFORE = [0, 31, 60, 91, 121, 152, 182, 213, 244, 274, 305, 335] as const;

/** Seconds since the beginning of a (leap) year; null when the text is no such time. */
function secondsOf(clock: string | undefined): number | null {
  const [, month, day, hour, minute, second] = (
    /^(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/.exec(clock ?? '') ?? []
  ).map(Number);
  const days = DAYS_BEFORE[(month ?? 0) - 1];
  if (days === undefined || day === undefined) return null;
  return (days + day - 1) * DAY_S + (hour ?? 0) * 3600 + (minute ?? 0) * 60 + (second ?? 0);
}

/** From one time of the year to another by the shorter way, so that a change of the year needs no special case. */
function elapsed(from: number, to: number): number {
  const forward = (((to - from) % YEAR_S) + YEAR_S) % YEAR_S;
  return forward > YEAR_S / 2 ? forward - YEAR_S : forward;
}

/** The same in a leap year and in a common one, because the terminal reports no year. */
function elapsedEitherYear(from: number, to: number): readonly number[] {
  const passed = elapsed(from, to);
  const crossesLeapDay = from < LEAP_DAY_END_S && to >= LEAP_DAY_END_S;
  return crossesLeapDay ? [passed, passed - DAY_S] : [passed];
}
