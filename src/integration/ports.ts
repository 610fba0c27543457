import type { ProcessMoment } from '../base/process-moment.ts';
import type { JsonObject, SourceRecord } from './connector.ts';
import type { KnownRow } from './page/record-change.ts';
import type { RunKind, StreamKey, StreamState } from './window/stream.ts';

/** The counters of a run; a page adds to them in its own commit. */
export interface Counts {
  readonly pages: number;
  readonly read: number;
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly stale: number;
  readonly deleted: number;
  readonly parked: number;
  readonly ignored: number;
}

export const NO_COUNTS: Counts = {
  pages: 0,
  read: 0,
  created: 0,
  updated: 0,
  unchanged: 0,
  stale: 0,
  deleted: 0,
  parked: 0,
  ignored: 0,
};

/** `waiting`: no failure, it continues by itself. `held`: a person must decide. `stopped`: by ops or by shutdown, or a refresh of one record. */
export type RunOutcome = 'running' | 'complete' | 'waiting' | 'failed' | 'held' | 'stopped' | 'killed';

export interface RunRecord extends Counts {
  readonly no: number;
  readonly kind: RunKind;
  readonly startedAt: number;
  readonly endedAt: number | null;
  readonly outcome: RunOutcome;
  readonly code: string | null;
  readonly message: string | null;
}

/**
 * Why a record is quarantined. `bad`: it cannot be read, or its content cannot be mapped. `mapping`: one of its products has no mapping.
 * `rejected`: the sink refused it.
 */
export type ParkReason = 'bad' | 'mapping' | 'rejected';

/** A quarantined record; the rest of its page is processed. */
export interface Parked {
  /** Its id, or a digest of its text where the id cannot be read. */
  readonly key: string;
  readonly recordId: string | null;
  readonly why: ParkReason;
  readonly reason: string;
  /** What it waits for: the external id of a product; null: only the record itself, or time. */
  readonly needs: string | null;
  readonly excerpt: string;
  /** The record, where it can be read. */
  readonly record: SourceRecord | null;
  /** The lower bound of its window; null: from the beginning. */
  readonly windowFrom: number | null;
  readonly scan: number;
  /** The run of its last try; null: an earlier release tried it. */
  readonly run: number | null;
  /** Runs that tried it again. */
  readonly tries: number;
  readonly parkedAt: number;
  /** When tilld requests it again; null: only a page or a mapping ends its wait. */
  readonly nextTryAt: number | null;
}

/** What is shown of a quarantined record where its content is not needed. */
export type QuarantineEntry = Pick<
  Parked,
  'key' | 'recordId' | 'why' | 'reason' | 'needs' | 'tries' | 'parkedAt' | 'nextTryAt'
>;

export interface RowWrite {
  readonly id: string;
  readonly hash: string;
  readonly updatedAt: number | null;
  readonly status: KnownRow['status'];
  /** JSON; null: the stored body stays, and imports store no bodies. */
  readonly body: string | null;
}

/** A row that was seen and does not change, except perhaps its `updatedAt`; null keeps that. */
export interface RowMark {
  readonly id: string;
  readonly updatedAt: number | null;
  /** Its row has the page's sweep already: only the scan is new. */
  readonly isSwept: boolean;
}

/** One page, written whole or not at all. */
export interface PageCommit {
  readonly generation: number;
  readonly scan: number;
  readonly sweep: number;
  readonly rows: readonly RowWrite[];
  readonly marks: readonly RowMark[];
  readonly park: readonly Parked[];
  readonly unpark: readonly string[];
  /** Ids of a full resync's records that exist and could not be written: their shown rows are copied, as seen by this scan. */
  readonly present: readonly string[];
  readonly state: StreamState;
  readonly counts: Counts;
  /** Set on the last page of a completely read window: a bad record of it that three such readings did not show is gone from the source. */
  readonly closes: { readonly from: number | null; readonly scan: number; readonly at: number } | null;
  readonly leaseUntil: number;
}

/** How many rows readers see, and how many of them are to be deleted. */
export interface RowCounts {
  readonly rows: number;
  readonly leaving: number;
  readonly doubtful: number;
}

/** Live rows that were not seen, by the store's numbers; `last`: where to continue, null: there are no more rows. */
export interface Unseen {
  readonly rows: readonly number[];
  readonly last: number | null;
}

export interface HeldForApproval {
  readonly kind: 'deletes' | 'resync';
  readonly missing: number;
  readonly rows: number;
  /** The ids of the first of them, at most {@link MOST_EXAMPLES}. */
  readonly examples: readonly string[];
  readonly at: number;
}

export const MOST_EXAMPLES = 10;

/** A stream in the store, without its rows. */
export interface StreamRecord {
  /** The generation that readers see. */
  readonly generation: number;
  readonly state: StreamState;
  readonly wantsFull: boolean;
  /** With how many missing rows a person has approved a full resync's swap. */
  readonly approved: number;
  readonly held: HeldForApproval | null;
  /** Up to when the stream is complete, by tilld's clock; null: it never was. */
  readonly freshAt: number | null;
}

/** What a finished run writes to its stream, in the same commit as its end. */
export interface RunEnd {
  readonly outcome: RunOutcome;
  readonly code: string | null;
  readonly message: string | null;
  readonly at: number;
  /** The kind of the run, where it is known. */
  readonly kind?: RunKind;
  /** Present: the window is complete up to then. */
  readonly freshAt?: number;
  /** With `freshAt`: when the run began. */
  readonly begunIn?: ProcessMoment | null;
  /** Absent: what is held stays held. */
  readonly held?: HeldForApproval | null;
  readonly usedApproval?: boolean;
}

/** A run that holds its stream; every write names it, and a run that lost its lease writes nothing. */
export interface Lease {
  readonly stream: StreamKey;
  readonly owner: string;
  readonly run: number;
}

/**
 * Streams, rows, quarantined records and runs; synchronous, each call one transaction.
 * All of it can be read again from the sources: a power cut may lose the last commits, never half of one.
 * @throws LEASE_LOST from every call with a lease that another run has taken over; nothing is written then.
 */
export interface SyncStore {
  /** Ends the runs of a dead process and frees every lease: no other process has this file open. */
  reclaim(now: number): void;
  streamOf(stream: StreamKey): StreamRecord;
  /** Takes the stream for a run until `until`; null: another run has it, and its deadline has not passed. */
  takeLease(stream: StreamKey, owner: string, kind: RunKind, now: number, until: number): Lease | null;
  /** @throws LEASE_LOST */
  renew(lease: Lease, until: number): void;
  rowsOf(stream: StreamKey, generation: number, ids: readonly string[]): ReadonlyMap<string, KnownRow>;
  parkedOf(stream: StreamKey, keys: readonly string[]): ReadonlyMap<string, Parked>;
  /** By the time of their next try, then by key; behind `after`, null: from the first. */
  dueParked(stream: StreamKey, now: number, limit: number, after: Parked | null): readonly Parked[];
  /**
   * Notes rows before a remote sink gets them, in the generation that is written and in the one that is shown. Why: a row that the source deletes
   * before its page is committed must be removed from the sink, too.
   */
  intend(lease: Lease, generation: number, ids: readonly string[], sweep: number): void;
  commitPage(lease: Lease, page: PageCommit): void;
  /** The state alone, where a run continues without a page. */
  commitState(lease: Lease, state: StreamState): void;
  end(lease: Lease, end: RunEnd): void;

  /** Of the next `limit` rows that readers see behind the row `after`: the live ones that were last seen before that sweep or scan. */
  unseen(
    stream: StreamKey,
    generation: number,
    seen: { readonly by: 'sweep' | 'scan'; readonly before: number },
    after: number,
    limit: number,
  ): Unseen;
  markUnseen(lease: Lease, generation: number, rows: readonly number[], fate: 'leaving' | 'doubtful'): void;
  /** The newest sweep decides again: a row that it did not see is live until it is marked again. */
  unmarkUnseen(lease: Lease, generation: number, seenBefore: number): void;
  rowCounts(stream: StreamKey, generation: number): RowCounts;
  /** Whether a record without a readable id is quarantined. */
  hasNameless(stream: StreamKey): boolean;
  /** Rows that are to be deleted; `allowed`: only those that a person has approved; `doubtful`: those that only a person may approve, too. */
  leaving(
    stream: StreamKey,
    generation: number,
    which: 'all' | 'allowed' | 'doubtful',
    limit: number,
  ): readonly string[];
  bury(lease: Lease, generation: number, ids: readonly string[], state: StreamState): void;
  /** Removes deleted rows that the last sweeps did not see, at most `limit`. */
  forgetBuried(stream: StreamKey, generation: number, seenBefore: number, limit: number): number;

  /**
   * The next rows that readers see of one generation, in the order of their ids, and which of them another generation lacks.
   * `last`: where to continue; null: these are the last ones.
   */
  compare(
    stream: StreamKey,
    shown: number,
    other: number,
    after: string,
    limit: number,
  ): { readonly rows: number; readonly missing: readonly string[]; readonly last: string | null };
  /** Copies rows of the old generation that the new one lacks, as not seen by the scan that built it. */
  carryOver(
    lease: Lease,
    from: number,
    to: number,
    ids: readonly string[],
    fate: 'live' | 'leaving' | 'allowed',
  ): void;
  /** Readers see the other generation from now on. */
  swap(lease: Lease, generation: number, state: StreamState): void;
  /** Deletes rows of other generations than this one, at most `limit`. @returns how many are deleted */
  sweepAway(stream: StreamKey, keep: number, limit: number): number;
}

/**
 * The lower bounds of first syncs, kept apart from the mirror: one that is lost is read again from where it began, and not from a later day.
 * ms; null: from the beginning; undefined: not known.
 */
export interface HorizonStore {
  of(stream: StreamKey): number | null | undefined;
  keep(stream: StreamKey, horizon: number | null): void;
}

/** What a record becomes for the sink. */
export type Mapped =
  | { readonly kind: 'write'; readonly body: JsonObject }
  | { readonly kind: 'park'; readonly reason: string; readonly needs: string | null }
  /** `reason` absent: its mapping says so. */
  | { readonly kind: 'ignore'; readonly reason?: string };

/** Maps a record; an error that it throws quarantines that record alone. */
export type Mapper = (record: SourceRecord) => Mapped;

export type SinkWrite =
  | {
      readonly op: 'put';
      readonly id: string;
      readonly updatedAt: number | null;
      readonly body: JsonObject;
    }
  | { readonly op: 'remove'; readonly id: string };

/** `stale`: the sink has a newer version, which is no error. */
export interface SinkResult {
  readonly id: string;
  readonly outcome: 'created' | 'updated' | 'removed' | 'stale' | 'rejected';
  readonly reason?: string;
}

/**
 * Where records go. `local`: the commit of the page is the write. `remote`: written before the commit, at most {@link MOST_BATCH} at a time, and
 * again after a kill in between: it must be idempotent by id and `updatedAt`. The ids of new rows are noted before the write.
 * A remote sink throws `SINK_*` or `SOURCE_*` codes; see `failure.ts`.
 */
export type Sink =
  | { readonly kind: 'local' }
  | {
      readonly kind: 'remote';
      write(batch: readonly SinkWrite[], signal: AbortSignal): Promise<readonly SinkResult[]>;
    };

export const MOST_BATCH = 100;
/** The local mirror: the commit writes its rows, with their bodies. */
export const LOCAL_MIRROR: Sink = { kind: 'local' };

/** Payments first: whether a payment runs now. */
export interface PaymentWatch {
  readonly isBusy: () => boolean;
}
