import type { JsonObject } from './connector.ts';
import type { Mapper, Sink, SinkWrite } from './ports.ts';
import type { SlotSource } from './slot-source.ts';
import type { ConfiguredSlot } from './sync-runner.ts';

/** Where the records of one resource go. */
export interface Route {
  readonly map: Mapper;
  readonly sink: Sink;
  /** The requests that these writes would be; absent: the local mirror, which makes none. */
  readonly requestsOf?: (writes: readonly SinkWrite[]) => readonly PlannedRequest[];
}

/** For example `PUT /customers/external/batch`, and how many of them. */
export interface PlannedRequest {
  readonly method: string;
  readonly path: string;
  readonly count: number;
}

/** A slot that a connector serves, ready to run; `name` of the slot, or of a source that is none (`service`). */
export interface RunningSlot {
  readonly name: string;
  readonly config: ConfiguredSlot;
  readonly sweepEveryMs: number;
  readonly source: SlotSource;
  readonly routeOf: (resource: string) => Route;
  /** Whether its schedule runs now. */
  readonly mayRun: () => boolean;
  /** Days that the first sync looks back; null: from the beginning. */
  readonly lookbackDays: () => number | null;
  /** Since when it is on, epoch ms; what was never complete is stale from then on. */
  readonly activeSince: () => number;
}

/** Into the local mirror: a record as it came, under our names. */
export function mirrorRoute(sink: Sink): Route {
  return { sink, map: ({ fields }: { readonly fields: JsonObject }) => ({ kind: 'write', body: fields }) };
}
