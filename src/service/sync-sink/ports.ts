import type { SinkResult, SinkWrite } from '../../integration/ports.ts';

export type PutWrite = Extract<SinkWrite, { readonly op: 'put' }>;
export type RemoveWrite = Extract<SinkWrite, { readonly op: 'remove' }>;

/** Requests for writes to a service that stores nothing yet: stored records may save some, and cost reads of its lists. */
export interface PlannedRequests {
  readonly method: string;
  readonly path: string;
  readonly count: number;
}

/** The sink of one kind of records. */
export interface ResourceSink {
  /** At most a hundred; a result for each, in their order. @throws SINK_* */
  write(batch: readonly SinkWrite[], signal: AbortSignal): Promise<readonly SinkResult[]>;
  requestsOf(writes: readonly SinkWrite[]): readonly PlannedRequests[];
}

export function isPut(write: SinkWrite): write is PutWrite {
  return write.op === 'put';
}

export function isRemove(write: SinkWrite): write is RemoveWrite {
  return write.op === 'remove';
}
