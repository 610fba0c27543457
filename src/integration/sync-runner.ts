import type { ProviderCredentials } from './connector.ts';
import type { Held, ParkReason, RunRecord } from './ports.ts';
import type { SlotName } from './slot.ts';

/** Counts by window: the last hour, day and week. */
export interface WindowCounts {
  readonly '1h': number;
  readonly '24h': number;
  readonly '7d': number;
}

/** Counters of syncs, made up when they are asked for. */
export interface SyncStats {
  readonly runs: WindowCounts;
  readonly success: WindowCounts;
  readonly failure: WindowCounts;
  /** Records that were parked or rejected. */
  readonly conflict: WindowCounts;
  /** Of complete runs; null: there were none. */
  readonly averageDurationMs: number | null;
  readonly nextRunAt: number | null;
  readonly lastRunAt: number | null;
  /** Seconds since the end of the last complete window; null: there was none yet. */
  readonly freshnessS: number | null;
  /** How late rows of the source have come (p99.9), in seconds; null: none was late yet. */
  readonly latenessS: number | null;
}

/** How asking for one record again went. Instants in epoch ms. */
export interface RecordRefresh {
  readonly externalId: string;
  readonly status: 'queued' | 'running' | 'succeeded' | 'failed';
  readonly requestedAt: number;
  readonly finishedAt: number | null;
  readonly error: string | null;
}

/** A resource of a slot as it stands, for people. */
export interface StreamView {
  readonly resource: string;
  readonly state: 'idle' | 'queued' | 'running';
  /** Rows that readers see. */
  readonly rows: number;
  /** Until when it is complete, by our clock; null: it never was. */
  readonly freshAt: number | null;
  /** Its freshness is older than it may be: somebody must look. */
  readonly isStale: boolean;
  readonly nextRunAt: number | null;
  /** The run that is under way, or the last one; null: there was none. */
  readonly run: RunRecord | null;
  /** How many rows the run under way will probably read; null: nobody can tell. */
  readonly expected: number | null;
  /** What waits for a person: `approve` lets it go. */
  readonly held: Held | null;
  readonly parked: number;
  /** Runs that failed in a row, and why the last one did. */
  readonly errors: number;
  readonly lastError: string | null;
}

/** A record that waits alone while the rest goes on. */
export interface ParkedView {
  readonly resource: string;
  readonly key: string;
  readonly recordId: string | null;
  readonly why: ParkReason;
  readonly reason: string;
  /** The external id of the product whose mapping it waits for; null: none. */
  readonly needs: string | null;
  readonly excerpt: string;
  readonly tries: number;
  readonly parkedAt: number;
  readonly nextTryAt: number | null;
}

/** One write that a run would make. */
export interface PlannedWrite {
  readonly op: 'create' | 'update' | 'remove' | 'park' | 'ignore';
  readonly id: string;
  /** The request to the sink, for example `PUT /customers/external/batch`; null: the local mirror. */
  readonly request: string | null;
  /** What would be written, or why not. */
  readonly body: unknown;
}

/** What a run of one resource would do now; nothing was written. */
export interface DryRun {
  readonly resource: string;
  readonly read: number;
  /** Requests that asking the source took. */
  readonly sourceRequests: number;
  /** Requests that a run would make of the sink. */
  readonly sinkRequests: number;
  readonly unchanged: number;
  /** The first {@link MOST_PLANNED} of them. */
  readonly writes: readonly PlannedWrite[];
  readonly writesInAll: number;
}

export const MOST_PLANNED = 1_000;

/** Which resource; null: all of them. */
export interface RunRequest {
  readonly full: boolean;
  readonly resource: string | null;
}

/** Who runs the syncs of the slots that a connector serves. Every method but `stop` throws SLOT_NOT_CONFIGURED for another slot. */
export interface SyncRunner {
  /** As soon as may be. @throws RESOURCE_UNKNOWN */
  queue(slot: SlotName, asked: RunRequest): void;
  /** What runs is stopped where it is; it goes on there next time. A slot without a connector: nothing. */
  stop(slot: SlotName): void;
  /** Null: nothing is due. */
  nextRunAt(slot: SlotName): number | null;
  /** The end of its last complete run of any resource; null: none yet. */
  lastCompleteAt(slot: SlotName): number | null;
  /** Asks the provider; keeps nothing. `error` is the provider's, empty where valid. */
  test(
    slot: SlotName,
    credentials: ProviderCredentials,
  ): Promise<{ readonly valid: boolean; readonly error: string }>;
  /** The next request is made with what is kept now. */
  credentialsChanged(slot: SlotName): void;
  /** Mappings of these external ids have come or changed: what waited for them is taken up. */
  mappingsChanged(slot: SlotName, externalIds: readonly string[]): void;
  /** Asks for one invoice again. @throws OPERATION_NOT_SUPPORTED where the source cannot be asked for one record */
  refreshInvoice(slot: SlotName, externalId: string): void;
  /** Null: it was not asked for since the start. */
  invoiceRefresh(slot: SlotName, externalId: string): RecordRefresh | null;
  stats(slot: SlotName): SyncStats;
  statsByResource(slot: SlotName): Readonly<Record<string, SyncStats>>;
  streams(slot: SlotName): readonly StreamView[];
  /** In the order of (resource, key), behind `after` (`resource/key` of the last one). */
  parked(slot: SlotName, after: string | null, limit: number): readonly ParkedView[];
  /** A person has looked at what is held, and it may go. @returns false: nothing is held. @throws RESOURCE_UNKNOWN */
  approve(slot: SlotName, resource: string): boolean;
  /** Reads what a run would read. @throws RESOURCE_UNKNOWN, and what the source throws (SOURCE_*) */
  dryRun(slot: SlotName, asked: RunRequest, signal: AbortSignal): Promise<readonly DryRun[]>;
}

/** A slot as the config sets it up. */
export interface ConfiguredSlot {
  readonly connector: string;
  /** False: its connector needs no credential (files, terminals, the service itself). */
  readonly needsCredentials: boolean;
  readonly intervalS: number;
  readonly maxErrors: number;
}
