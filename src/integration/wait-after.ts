import type { RunReport } from './engine.ts';
import type { Timetable } from './timetable.ts';

/** A waiting run starts again after this long, where no longer wait is asked for. */
const WAIT_MS = 60_000;

/**
 * The minimum wait before the next run, ms; 0: its timetable says. A failed run waits longer where the source asks for it, never less; one of a cron
 * expression is repeated after the interval, not a day later.
 */
export function waitAfter(report: RunReport, { intervalMs, cron }: Timetable): number {
  if (report.outcome === 'busy') return WAIT_MS;
  const askedMs = report.failure?.retryAfterMs ?? 0;
  if (report.outcome === 'waiting') return Math.max(askedMs, WAIT_MS);
  if (report.outcome !== 'failed') return 0;
  return cron === null && askedMs <= intervalMs ? 0 : Math.max(askedMs, intervalMs);
}
