import type { JsonObject } from './connector.ts';
import { LOCAL_MIRROR, type Mapper, type Sink, type SinkWrite } from './ports.ts';
import type { IntegrationSource } from './runner/integration-source.ts';
import type { Timetable } from './schedule/timetable.ts';
import type { ConfiguredIntegration } from './sync-runner-port.ts';

/** Where the records of one resource go. */
export interface Route {
  readonly map: Mapper;
  readonly sink: Sink;
  /** The requests for these writes; absent: the local mirror, which makes none. */
  readonly requestsOf?: (writes: readonly SinkWrite[]) => readonly PlannedRequest[];
}

/** For example `PUT /customers/external/batch`, and how many of them. */
export interface PlannedRequest {
  readonly method: string;
  readonly path: string;
  readonly count: number;
}

/** An integration with a connector, ready to run; `name` is the integration's, or that of a source that is none (`service`). */
export interface RunningIntegration {
  readonly name: string;
  readonly config: ConfiguredIntegration;
  readonly sweepEveryMs: number;
  readonly timetableOf: (resource: string) => Timetable;
  readonly source: IntegrationSource;
  readonly routeOf: (resource: string) => Route;
  /** Whether a requested run may start now. */
  readonly mayRun: () => boolean;
  /** Whether its schedule runs now. */
  readonly isScheduled: () => boolean;
  /** The lookback of the first sync in days; null: from the beginning. */
  readonly lookbackDays: () => number | null;
  /** Since when it is on, epoch ms; the age of a stream that was never complete counts from then. */
  readonly activeSince: () => number;
}

/** The route into the local mirror: a record unchanged, with tilld's field names. */
export function mirrorRoute(): Route {
  return {
    sink: LOCAL_MIRROR,
    map: ({ fields }: { readonly fields: JsonObject }) => ({ kind: 'write', body: fields }),
  };
}
