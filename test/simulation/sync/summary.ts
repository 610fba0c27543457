import { PROVIDER_SUMS, type ProviderSum, SYNC_CRIMES, type SyncCrime, type SyncResult } from './judge.ts';

export interface PlayedHistory extends SyncResult {
  /** Of the process that played it, since it was warm; null: it was not yet. */
  readonly rssGrowthBytes: number | null;
}

/** The last line of `npm run simulate:sync`. */
export function syncSummary(results: readonly PlayedHistory[], wallMs: number) {
  const sum = (field: 'rows' | 'runs' | 'kills' | 'pages' | 'swaps' | 'buried' | 'held') =>
    results.reduce((total, result) => total + result[field], 0);
  const crimes = (crime: SyncCrime) =>
    results.reduce(
      (total, { accusations }) => total + accusations.filter((one) => one.crime === crime).length,
      0,
    );
  const weeks = results.flatMap(({ provider }) => (provider === null ? [] : [provider]));
  const ofProviders = (field: ProviderSum) => weeks.reduce((total, sums) => total + sums[field], 0);
  return {
    seeds: results.length,
    ...(Object.fromEntries(SYNC_CRIMES.map((crime) => [crime, crimes(crime)])) as Record<SyncCrime, number>),
    rows: sum('rows'),
    runs: sum('runs'),
    pages: sum('pages'),
    kills: sum('kills'),
    swaps: sum('swaps'),
    deleted: sum('buried'),
    held: sum('held'),
    largest_state_bytes: results.reduce((most, { stateBytes }) => Math.max(most, stateBytes), 0),
    rss_growth_bytes: results.reduce((most, { rssGrowthBytes }) => Math.max(most, rssGrowthBytes ?? 0), 0),
    providers: {
      weeks: weeks.length,
      ...(Object.fromEntries(PROVIDER_SUMS.map((field) => [field, ofProviders(field)])) as Record<
        ProviderSum,
        number
      >),
    },
    failures: results.filter(({ accusations }) => accusations.length > 0).map(({ seed }) => seed),
    wall_ms: Math.round(wallMs),
  };
}
