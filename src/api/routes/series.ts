import type { Clock } from '../../base/clock.ts';
import type { RoutePlugin } from '../api.ts';
import { dataOf } from '../contract/primitives.ts';
import { ReadSeries, Series } from '../contract/series.ts';
import type { SeriesSource } from '../ports.ts';
import { instant } from '../render/instant.ts';

const HOUR_MS = 3_600_000;
/** The length of each window and of its buckets, in hours. */
const WINDOWS = { '24h': { hours: 24, bucket: 1 }, '7d': { hours: 168, bucket: 6 } } as const;

/** Figures over time, for the charts of the pages. Not for tills. */
export function seriesRoutes(source: SeriesSource, clock: Pick<Clock, 'now'>): RoutePlugin {
  return async (api) => {
    api.route({
      method: 'GET',
      url: '/v2/metrics/series',
      schema: { querystring: ReadSeries },
      config: {
        operationId: 'getSeries',
        tag: 'Pages',
        access: 'socket_only',
        role: 'ops',
        summary: 'Payments, how long they took, and sync runs over the last day or week.',
        replies: [
          {
            status: 200,
            description: 'At most 29 stretches; of the newest 20,000 payments.',
            schema: dataOf(Series),
          },
        ],
        refusals: ['STORAGE_FAILED'],
        hidden: true,
      },
      handler: ({ query: { window } }) => {
        const { hours, bucket } = WINDOWS[window];
        return { data: seriesOf(source, clock.now(), hours * HOUR_MS, bucket * HOUR_MS) };
      },
    });
  };
}

/** Buckets start at whole hours, so that a figure stays in its bucket between two requests. */
function seriesOf(source: SeriesSource, now: number, windowMs: number, bucketMs: number): Series {
  const from = Math.floor((now - windowMs) / bucketMs + 1) * bucketMs;
  return {
    from: instant(from),
    to: instant(now),
    bucket_s: bucketMs / 1_000,
    payments: source.payments(from, bucketMs).map((point) => ({
      at: instant(point.at),
      succeeded: point.succeeded,
      declined: point.declined,
      cancelled: point.cancelled,
      other: point.other,
      median_ms: point.medianMs,
      slow_ms: point.slowMs,
    })),
    syncs: source.syncs(from, bucketMs).map(({ at, longestMs, ...counts }) => ({
      at: instant(at),
      ...counts,
      longest_ms: longestMs,
    })),
  };
}
