import type { AuthorisedBy, ProviderCredentials } from './connector.ts';
import type { ProviderName } from './integration.ts';
import type { PackageLabel } from './page/package-label.ts';
import type { HeldForApproval, ParkReason, RunRecord } from './ports.ts';
import type { WebhookScheme } from './webhook-scheme.ts';

/** Counts by window: the last hour, day and week. */
export interface WindowCounts {
  readonly '1h': number;
  readonly '24h': number;
  readonly '7d': number;
}

/** Counters of syncs, computed on request. */
export interface SyncStats {
  readonly runs: WindowCounts;
  readonly success: WindowCounts;
  readonly failure: WindowCounts;
  /** Records that were quarantined. */
  readonly conflict: WindowCounts;
  /** Of complete runs; null: there were none. */
  readonly averageDurationMs: number | null;
  readonly nextRunAt: number | null;
  readonly lastRunAt: number | null;
  /** Seconds since the upper bound of the last complete window; null: no window is complete yet. */
  readonly freshnessS: number | null;
  /** The lateness of the source's rows (p99.9), in seconds; null: not measured yet. */
  readonly latenessS: number | null;
}

/** The state of a refresh of one record. Instants in epoch ms. */
export interface RecordRefresh {
  readonly externalId: string;
  readonly status: 'queued' | 'running' | 'succeeded' | 'failed';
  readonly requestedAt: number;
  readonly finishedAt: number | null;
  readonly error: string | null;
}

/** A resource of an integration, for people. */
export interface StreamView {
  readonly resource: string;
  readonly state: 'idle' | 'queued' | 'running';
  /** Rows that readers see. */
  readonly rows: number;
  /** Up to when it is complete, by tilld's clock; null: it never was. */
  readonly freshAt: number | null;
  /** It is older than allowed: ops must check it. */
  readonly isStale: boolean;
  /** The source does not let it be read: it waits for a person, other streams go on. */
  readonly isPaused: boolean;
  readonly nextRunAt: number | null;
  /** The next five times, ascending, epoch ms; empty: it is off or waits for a person. */
  readonly nextRuns: readonly number[];
  /** The run under way, or the last one; null: there was none. */
  readonly run: RunRecord | null;
  /** How many rows the run under way will probably read; null: not known. */
  readonly expected: number | null;
  /** Held deletes or a held swap: `approve` lets it proceed. */
  readonly held: HeldForApproval | null;
  readonly parked: number;
  /** Failed runs in a row, and the error of the last one. */
  readonly errors: number;
  readonly lastError: string | null;
  /** The first failure since the last complete run, of the last eight days; null: there is none. */
  readonly firstFailure: { readonly at: number; readonly code: string; readonly message: string } | null;
}

/** A run of one resource. */
export interface RunView extends RunRecord {
  readonly resource: string;
}

/** A quarantined record. */
export interface QuarantinedView {
  readonly resource: string;
  readonly key: string;
  /** The id of its cause: records with one id wait for the same thing. */
  readonly cause: string;
  readonly recordId: string | null;
  readonly why: ParkReason;
  readonly reason: string;
  /** The external id of the product whose mapping it waits for; null: none. */
  readonly needs: string | null;
  /** What the provider calls that package, as far as the record says; null: it needs none. */
  readonly label: PackageLabel | null;
  readonly excerpt: string;
  readonly tries: number;
  readonly parkedAt: number;
  readonly nextTryAt: number | null;
}

/** Quarantined records that wait for the same thing. */
export interface QuarantineCause {
  /** `mapping:PACKAGE`, or `bad:` or `rejected:` and a digest of the reason without its numbers. */
  readonly id: string;
  readonly why: ParkReason;
  readonly needs: string | null;
  /** Of one of them. */
  readonly reason: string;
  readonly resources: readonly string[];
  readonly records: number;
  /** `resource/key` of the first of them, at most {@link MOST_CAUSE_EXAMPLES}. */
  readonly examples: readonly string[];
  /** When the first of them was quarantined. */
  readonly since: number;
  /** The soonest next try; null: only a mapping, a page or a person ends the wait. */
  readonly nextTryAt: number | null;
}

export const MOST_CAUSE_EXAMPLES = 3;

/** One write that a run would make. */
export interface PlannedWrite {
  readonly op: 'create' | 'update' | 'remove' | 'park' | 'ignore';
  readonly id: string;
  /** The request to the sink, for example `PUT /customers/external/batch`; null: the local mirror. */
  readonly request: string | null;
  /** The body of the write, or the reason against it. */
  readonly body: unknown;
}

/** What a run of one resource would do now; nothing was written. */
export interface DryRun {
  readonly resource: string;
  readonly read: number;
  /** Requests sent to the source. */
  readonly sourceRequests: number;
  /** Requests that a run would send to the sink. */
  readonly sinkRequests: number;
  readonly unchanged: number;
  /** The first {@link MOST_PLANNED} of them. */
  readonly writes: readonly PlannedWrite[];
  readonly writesInAll: number;
  /** Of all writes. */
  readonly counts: Readonly<Record<PlannedWrite['op'], number>>;
  /** Why records are quarantined or ignored, those of the most records first; at most {@link MOST_REASONS}. */
  readonly reasons: readonly {
    readonly op: 'park' | 'ignore';
    readonly reason: string;
    readonly records: number;
  }[];
  /** What the person who maps this source should look at, a sentence each. */
  readonly warnings: readonly string[];
}

export const MOST_PLANNED = 1_000;
export const MOST_REASONS = 20;

/** Up to when the data of an integration are complete. */
export interface Completeness {
  /** Of its freshest resource; null: none is complete yet. */
  readonly newestAt: number | null;
  /** Of all its resources; null: one was never complete. */
  readonly allAt: number | null;
}

/** Whether a resource can be read. */
export interface ResourceTest {
  readonly resource: string;
  readonly isReadable: boolean;
  /** Records of its first page. */
  readonly received: number;
  /** Records of it that cannot be understood. */
  readonly bad: number;
  readonly hasMore: boolean;
  /** The error code and the words of the provider; null: it can be read. */
  readonly failure: { readonly code: string; readonly message: string } | null;
}

/** Which resource; null: all of them. */
export interface RunRequest {
  readonly full: boolean;
  readonly resource: string | null;
}

/** Runs the syncs of the integrations with a connector. Every method but `wake`, `stop` and `invoiceRefresh` throws SLOT_NOT_CONFIGURED for another. */
export interface SyncRunner {
  /** Runs as soon as possible. @throws RESOURCE_UNKNOWN */
  queue(provider: ProviderName, asked: RunRequest): void;
  /** The provider says that there is something new in these resources, null: in any: their next runs are due soon, where they may begin by themselves. */
  wake(provider: ProviderName, resources: readonly string[] | null): void;
  /** Stops runs where they are; they continue there next time. An integration without a connector: nothing. */
  stop(provider: ProviderName): void;
  /** Null: no run is due. */
  nextRunAt(provider: ProviderName): number | null;
  completeness(provider: ProviderName): Completeness;
  /** Asks the provider; stores nothing. `error` is the provider's, empty where valid. */
  test(
    provider: ProviderName,
    credentials: ProviderCredentials,
  ): Promise<{ readonly valid: boolean; readonly error: string }>;
  /** Reads the first page of every resource, and stores nothing. Null: with the stored credential. */
  testResources(
    provider: ProviderName,
    credentials: ProviderCredentials | null,
  ): Promise<readonly ResourceTest[]>;
  /** The next request uses the stored credential. */
  credentialsChanged(provider: ProviderName): void;
  /** Mappings of these external ids are new or changed: the records that wait for them are retried at once. */
  mappingsChanged(provider: ProviderName, externalIds: readonly string[]): void;
  /** Requests one invoice again. @throws OPERATION_NOT_SUPPORTED where the source cannot return one record */
  refreshInvoice(provider: ProviderName, externalId: string): void;
  /** Null: no request for it since the start. */
  invoiceRefresh(provider: ProviderName, externalId: string): RecordRefresh | null;
  stats(provider: ProviderName): SyncStats;
  statsByResource(provider: ProviderName): Readonly<Record<string, SyncStats>>;
  streams(provider: ProviderName): readonly StreamView[];
  /** In the order of (resource, key), behind `after` (`resource/key` of the last one). */
  parked(provider: ProviderName, after: string | null, limit: number): readonly QuarantinedView[];
  /** The same, of one cause: an id of {@link causes}, or `bad`, `mapping` or `rejected`. @throws SYNC_STOPPED where tilld ends */
  parkedOfCause(
    provider: ProviderName,
    cause: string,
    after: string | null,
    limit: number,
  ): Promise<readonly QuarantinedView[]>;
  /** What all quarantined records wait for, those of the most records first. @throws SYNC_STOPPED where tilld ends */
  causes(provider: ProviderName): Promise<readonly QuarantineCause[]>;
  /** Retries the records of a cause at once, null: all. @returns how many. @throws SYNC_STOPPED where tilld ends */
  retryParked(provider: ProviderName, cause: string | null): Promise<number>;
  /** Of all resources, newest first, behind the run `before`; null: from the newest. */
  runs(provider: ProviderName, before: number | null, limit: number): readonly RunView[];
  /** A person approves what is held. @returns false: nothing is held. @throws RESOURCE_UNKNOWN */
  approve(provider: ProviderName, resource: string): boolean;
  /** Reads the window of the next run. @throws RESOURCE_UNKNOWN, and what the source throws (SOURCE_*) */
  dryRun(provider: ProviderName, asked: RunRequest, signal: AbortSignal): Promise<readonly DryRun[]>;
}

/** An integration with its config. */
export interface ConfiguredIntegration {
  readonly connector: string;
  /** False: its connector needs no credential (files, terminals, the service itself). */
  readonly needsCredentials: boolean;
  /** The parts of a credential without which its source refuses; empty where it needs none. */
  readonly needs: readonly (keyof ProviderCredentials)[];
  /** Absent: by a key. */
  readonly authorisedBy?: AuthorisedBy;
  /** How its source signs webhooks; null or absent: it sends none. */
  readonly webhook?: WebhookScheme | null;
  /** The title of its recipe; null or absent: it has none. */
  readonly title?: string | null;
  readonly intervalS: number;
  readonly maxErrors: number;
  /** The file of its recipe, where it has changed since the start, which reads it; null, or absent: what it says is what runs. */
  readonly changedRecipe?: () => string | null;
}
