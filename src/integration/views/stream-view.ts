import type { RunRecord, SyncStore } from '../ports.ts';
import { isStale, type Timetable } from '../schedule/timetable.ts';
import type { SyncControl } from '../sync-control.ts';
import type { Completeness, StreamView, SyncStats, WindowCounts } from '../sync-runner-port.ts';
import { p999 } from '../window/source-lag.ts';
import type { StreamKey } from '../window/stream.ts';
import { freshnessMs, type Stats, statsOf } from './stats.ts';

export interface StreamDeps {
  readonly store: SyncStore;
  readonly control: SyncControl;
}

/** What only the schedule and the integration know of a stream. */
export interface StreamFacts {
  readonly state: StreamView['state'];
  readonly isPaused: boolean;
  readonly nextRunAt: number | null;
  readonly nextRuns: readonly number[];
  readonly timetable: Timetable;
  readonly activeSince: number;
  readonly isOn: boolean;
  readonly errors: number;
  readonly lastError: string | null;
  readonly now: number;
}

const WEEK_MS = 168 * 3_600_000;
/** More runs than one a minute in a week. */
const MOST_RUNS = 12_000;
/** More failures in a row than any configuration allows before it pauses. */
const MOST_FAILED = 200;

export function viewOfStream(
  { store, control }: StreamDeps,
  stream: StreamKey,
  facts: StreamFacts,
): StreamView {
  const { freshAt, generation, held } = store.streamOf(stream);
  const { rows } = store.rowCounts(stream, generation);
  const [run = null] = control.runsSince(stream, 0, 1);
  const { state, isPaused, nextRunAt, nextRuns, timetable, activeSince, isOn, errors, lastError, now } =
    facts;
  const waitsForPerson = isPaused && state === 'idle';
  return {
    resource: stream.resource,
    state,
    rows,
    freshAt,
    isStale: isOn && isStale(timetable, freshAt, activeSince, now),
    isPaused,
    nextRunAt: waitsForPerson ? null : nextRunAt,
    nextRuns: waitsForPerson ? [] : nextRuns,
    run,
    // What was read before the first complete run is a part of the list.
    expected:
      run && run.outcome === 'running' && run.kind !== 'changes' && rows > 0 && freshAt !== null
        ? Math.max(rows, run.read)
        : null,
    held,
    parked: control.parkedCount(stream),
    errors,
    lastError,
    firstFailure: errors > 0 ? firstFailureOf(control.runsSince(stream, 0, MOST_FAILED)) : null,
  };
}

/** Of runs, the newest first. */
function firstFailureOf(runs: readonly RunRecord[]): StreamView['firstFailure'] {
  const end = runs.findIndex(({ outcome }) => outcome === 'complete' || outcome === 'held');
  const since = end < 0 ? runs : runs.slice(0, end);
  const first = since.findLast(({ outcome }) => outcome === 'failed');
  if (!first) return null;
  const { startedAt, endedAt, code, message } = first;
  return { at: endedAt ?? startedAt, code: code ?? '', message: message ?? '' };
}

/** Up to when some streams are complete. */
export function completenessOf(store: SyncStore, streams: readonly StreamKey[]): Completeness {
  const ends = streams.map((stream) => store.streamOf(stream).freshAt);
  const known = ends.flatMap((at) => at ?? []);
  const isWhole = known.length === ends.length && known.length > 0;
  return { newestAt: highest(known), allAt: isWhole ? Math.min(...known) : null };
}

/** Counters of some streams together; freshness of the oldest, lateness of the latest. */
export function statsOfStreams(
  { store, control }: StreamDeps,
  streams: readonly StreamKey[],
  nextRunAt: number | null,
  now: number,
): SyncStats {
  const runs = streams.flatMap((stream) => control.runsSince(stream, now - WEEK_MS, MOST_RUNS));
  const records = streams.map((stream) => store.streamOf(stream));
  const day = statsOf(runs, '7d', now);
  return {
    runs: counted(runs, now, (stats) => stats.runs),
    success: counted(runs, now, (stats) => stats.success),
    failure: counted(runs, now, (stats) => stats.failure),
    conflict: counted(runs, now, (stats) => stats.conflict),
    averageDurationMs: day.averageMs,
    nextRunAt,
    lastRunAt: highest(runs.map(({ startedAt }) => startedAt)),
    freshnessS: freshnessOf(
      records.map(({ freshAt }) => freshAt),
      now,
    ),
    latenessS: seconds(highest(records.flatMap(({ state }) => p999(state.lateness) ?? []))),
  };
}

function counted(runs: readonly RunRecord[], now: number, of: (stats: Stats) => number): WindowCounts {
  return {
    '1h': of(statsOf(runs, '1h', now)),
    '24h': of(statsOf(runs, '24h', now)),
    '7d': of(statsOf(runs, '7d', now)),
  };
}

/** One stream that was never complete makes the result unknown. */
function freshnessOf(freshAt: readonly (number | null)[], now: number): number | null {
  const known = freshAt.flatMap((at) => at ?? []);
  if (known.length === 0 || known.length < freshAt.length) return null;
  return seconds(freshnessMs(Math.min(...known), now));
}

function highest(numbers: readonly number[]): number | null {
  return numbers.length === 0 ? null : numbers.reduce((most, one) => Math.max(most, one));
}

function seconds(ms: number | null): number | null {
  return ms === null ? null : Math.floor(ms / 1_000);
}
