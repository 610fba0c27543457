import type { Clock } from '../../base/clock.ts';
import type { RunRecord, SyncStore } from '../ports.ts';
import type { RunReport } from '../run/engine.ts';
import type { SyncControl } from '../sync-control.ts';
import type { StreamKey } from '../window/stream.ts';
import type { Timetable } from './timetable.ts';

/** A waiting run starts again after this long, where no longer wait is asked for. */
const WAIT_MS = 60_000;
/** A failed run is repeated after this long, however seldom its stream runs. */
const LONGEST_RETRY_MS = 3_600_000;

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

/** A failed run is repeated after the interval, an hour at most, or later where the source asks for it. 0: at the next time of the timetable. */
function waitOf(outcome: RunRecord['outcome'], askedMs: number, { intervalMs, cron }: Timetable): number {
  if (outcome === 'waiting') return Math.max(askedMs, WAIT_MS);
  if (outcome !== 'failed') return 0;
  const retryMs = Math.min(intervalMs, LONGEST_RETRY_MS);
  const isNextTime = cron === null && intervalMs <= LONGEST_RETRY_MS && askedMs <= intervalMs;
  return isNextTime ? 0 : Math.max(askedMs, retryMs);
}

/**
 * Whether a wakeup may begin a run of a stream sooner: not after a failed or waiting one, which the source would have to answer again and again,
 * and not while the source wants no request, of whichever of its streams it said so.
 */
export function mayWake(
  {
    store,
    control,
    clock,
  }: { readonly store: SyncStore; readonly control: SyncControl; readonly clock: Clock },
  stream: StreamKey,
  ofItsSource: readonly StreamKey[],
): boolean {
  const now = clock.now();
  if (ofItsSource.some((one) => (store.streamOf(one).state.askAgainAt ?? 0) > now)) return false;
  const [last] = control.runsSince(stream, 0, 1);
  return last?.outcome !== 'failed' && last?.outcome !== 'waiting';
}
