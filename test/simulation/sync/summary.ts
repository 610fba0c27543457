import type { SyncCrime, SyncResult } from './judge.ts';

/** The last line of `npm run simulate:sync`. */
export function syncSummary(results: readonly SyncResult[], wallMs: number) {
  const sum = (field: 'rows' | 'runs' | 'kills' | 'pages' | 'swaps' | 'buried' | 'held') =>
    results.reduce((total, result) => total + result[field], 0);
  const crimes = (crime: SyncCrime) =>
    results.reduce(
      (total, { accusations }) => total + accusations.filter((one) => one.crime === crime).length,
      0,
    );
  return {
    seeds: results.length,
    missed: crimes('missed'),
    extra: crimes('extra'),
    wrongly_deleted: crimes('wrongly_deleted'),
    reader_lost: crimes('reader_lost'),
    state_too_large: crimes('state_too_large'),
    repeated_too_much: crimes('repeated_too_much'),
    stuck: crimes('stuck'),
    rows: sum('rows'),
    runs: sum('runs'),
    pages: sum('pages'),
    kills: sum('kills'),
    swaps: sum('swaps'),
    deleted: sum('buried'),
    held: sum('held'),
    largest_state_bytes: results.reduce((most, { stateBytes }) => Math.max(most, stateBytes), 0),
    failures: results.filter(({ accusations }) => accusations.length > 0).map(({ seed }) => seed),
    wall_ms: Math.round(wallMs),
  };
}
