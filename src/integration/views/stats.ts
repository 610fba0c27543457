import type { RunRecord } from '../ports.ts';

const HOUR_MS = 3_600_000;

/** The windows that are counted, ms. */
const STATS_WINDOWS = { '1h': HOUR_MS, '24h': 24 * HOUR_MS, '7d': 168 * HOUR_MS } as const;
type StatsWindow = keyof typeof STATS_WINDOWS;

/** Runs that ended within a window. */
export interface Stats {
  readonly runs: number;
  readonly success: number;
  readonly failure: number;
  /** Records that were quarantined. */
  readonly conflict: number;
  readonly records: number;
  /** Of complete runs, ms; null: there were none. */
  readonly averageMs: number | null;
}

/** A failed run is never a success, and a held run is neither. */
export function statsOf(runs: readonly RunRecord[], window: StatsWindow, now: number): Stats {
  const since = now - STATS_WINDOWS[window];
  const ended = runs.filter(({ endedAt }) => endedAt !== null && endedAt >= since);
  const complete = ended.filter(({ outcome }) => outcome === 'complete');
  const sum = (number: (run: RunRecord) => number, of: readonly RunRecord[]) =>
    of.reduce((total, run) => total + number(run), 0);
  const lasted = sum(({ startedAt, endedAt }) => Math.max(0, (endedAt ?? startedAt) - startedAt), complete);
  return {
    runs: ended.length,
    success: complete.length,
    failure: ended.filter(({ outcome }) => outcome === 'failed').length,
    conflict: sum(({ parked }) => parked, ended),
    records: sum(({ created, updated, deleted }) => created + updated + deleted, ended),
    averageMs: complete.length === 0 ? null : Math.round(lasted / complete.length),
  };
}

/** The age of what readers see, ms; null: it was never complete. Alerts use this, not the status of a run. */
export function freshnessMs(freshAt: number | null, now: number): number | null {
  return freshAt === null ? null : Math.max(0, now - freshAt);
}
