import type { RunRecord, SyncStore } from '../ports.ts';
import type { RunningIntegration } from '../running-integration.ts';
import { isStale } from '../schedule/timetable.ts';
import type { SyncControl } from '../sync-control.ts';
import type { RunView } from '../sync-runner-port.ts';
import type { StreamKey } from '../window/stream.ts';

/** A stream's indicators: up to when it is complete, and what ops must check. */
export interface StreamIndicator extends StreamKey {
  readonly freshAt: number | null;
  readonly isStale: boolean;
  /** More rows are to be deleted than a run may delete by itself. */
  readonly isHeld: boolean;
  /** The source does not let it be read; a person must change that. */
  readonly isPaused: boolean;
  /** Its records are parked, all of them: readers see nothing that is as young as the stream. */
  readonly isAllParked: boolean;
  /** The error of its last run, where the stream is stale or paused. */
  readonly lastError: string | null;
}

export interface IndicatorDeps {
  readonly store: SyncStore;
  readonly control: SyncControl;
  readonly clock: { now(): number };
}

export function indicatorOf(
  { store, control, clock }: IndicatorDeps,
  { activeSince, timetableOf }: RunningIntegration,
  stream: StreamKey,
  isPaused: boolean,
): StreamIndicator {
  const { freshAt, held } = store.streamOf(stream);
  const since = activeSince();
  const stale = since > 0 && isStale(timetableOf(stream.resource), freshAt, since, clock.now());
  const lastError = stale || isPaused ? (control.runsSince(stream, 0, 1)[0]?.message ?? null) : null;
  const isAllParked = since > 0 && control.isAllParked(stream);
  return { ...stream, freshAt, isStale: stale, isHeld: held !== null, isPaused, isAllParked, lastError };
}

/** Runs of some streams, newest first, behind the run `before`. */
export function runsOf(
  control: SyncControl,
  streams: readonly StreamKey[],
  before: number | null,
  limit: number,
): readonly RunView[] {
  return streams
    .flatMap((stream) =>
      control.runsBefore(stream, before, limit).map((run) => ({ ...run, resource: stream.resource })),
    )
    .toSorted((one, other) => other.no - one.no)
    .slice(0, limit);
}

/** Ms; null: it has not ended. */
export function durationOf({ startedAt, endedAt }: RunRecord): number | null {
  return endedAt === null ? null : Math.max(0, endedAt - startedAt);
}
