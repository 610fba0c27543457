import type { RunReport } from './engine.ts';
import type { RunRecord } from './ports.ts';
import type { Timetable } from './timetable.ts';

/** A waiting run starts again after this long, where no longer wait is asked for. */
const WAIT_MS = 60_000;

/** The minimum wait before the next run, ms; 0: its timetable says. */
export function waitAfter(report: RunReport, timetable: Timetable): number {
  if (report.outcome === 'busy') return WAIT_MS;
  return waitOf(report.outcome, report.failure?.retryAfterMs ?? 0, timetable);
}

/** The same for the last run of an earlier process run. */
export function waitLeft(
  run: RunRecord | undefined,
  askAgainAt: number | null,
  timetable: Timetable,
): number {
  if (!run || run.endedAt === null) return 0;
  return waitOf(run.outcome, Math.max(0, (askAgainAt ?? 0) - run.endedAt), timetable);
}

/**
 * A failed run waits longer where the source asks for it, never less; one of a cron expression is repeated after the interval, not a day later.
 */
function waitOf(outcome: RunRecord['outcome'], askedMs: number, { intervalMs, cron }: Timetable): number {
  if (outcome === 'waiting') return Math.max(askedMs, WAIT_MS);
  if (outcome !== 'failed') return 0;
  return cron === null && askedMs <= intervalMs ? 0 : Math.max(askedMs, intervalMs);
}
