import type { Clock } from '../../base/clock.ts';
import { AppError, hasCode } from '../../base/errors.ts';
import { invariant } from '../../base/invariant.ts';
import type { ProcessMoment } from '../../base/process-moment.ts';
import type { Connector, ResourceManifest, SourcePage, SourceRecord } from '../connector.ts';
import { PageReader } from '../page/page-reader.ts';
import type { Digest } from '../page/page-work.ts';
import { PageWorker } from '../page/page-worker.ts';
import { SinkWriter } from '../page/sink-writer.ts';
import type {
  HorizonStore,
  Lease,
  Mapper,
  PageCommit,
  Parked,
  PaymentWatch,
  Sink,
  SyncStore,
} from '../ports.ts';
import { begun, hasHorizon } from '../window/run-plan.ts';
import {
  MOST_REASON,
  type Progress,
  type RunKind,
  type StreamKey,
  type StreamState,
} from '../window/stream.ts';
import { isRestless, restarted } from '../window/window-scan.ts';
import { GenerationSwap, type Hold, type SwapResult } from './generation-swap.ts';

/** A stream and everything that its runs need. */
export interface StreamSetup {
  readonly stream: StreamKey;
  readonly connector: Connector;
  readonly manifest: ResourceManifest;
  readonly map: Mapper;
  readonly sink: Sink;
  /** The lookback of the first sync in days; null: it reads from the beginning. */
  readonly lookbackDays: number | null;
  /** How often everything is read to find deletes, where the source does not show them. */
  readonly sweepEveryMs: number;
}

export interface RunDeps {
  readonly store: SyncStore;
  readonly clock: Clock;
  readonly digest: Digest;
  readonly payments: PaymentWatch;
  /** False while disk space is short. */
  readonly mayWrite: () => boolean;
  /** The id of this process run; absent: it has none. */
  readonly processRun?: string;
  /** Absent: a lost mirror is read again from the lookback of that day. */
  readonly horizons?: HorizonStore;
}

/** The result of a run that did not fail. */
export interface RunResult {
  readonly kind: RunKind;
  /** The window is complete up to then, by tilld's clock. */
  readonly freshAt: number;
  /** When the run began; null: not known. */
  readonly begunIn: ProcessMoment | null;
  /** Set: a person must approve before rows are deleted. */
  readonly held: Hold | null;
  readonly usedApproval: boolean;
  /** Why the source seems to have more than it listed; null: it does not. */
  readonly cutOff: string | null;
}

/** A run without a heartbeat for this long is stuck, and the next run takes its stream. */
export const LEASE_MS = 15 * 60_000;
const PARKED_AT_ONCE = 100;
/** Requests for single records that one run makes. */
const MOST_ASKS = 100;
const TIDIED_AT_ONCE = 2_000;

/**
 * One run of one stream: reads its window page by page into the store.
 *
 * INVARIANTS:
 * - the rows of a page, its counts and the next place are one commit, and nothing of a page is stored before it;
 * - the upper bound of a window is frozen before its first request and stored with the place, so that a run that continues after a kill reads the
 *   same window;
 * - the cursor moves in the commit that closes a window of changes, or in that of the finish of a full resync, and in no other;
 * - a remote sink has written before the commit: a kill in between repeats one page, which is idempotent.
 */
export class SyncRun {
  readonly #setup: StreamSetup;
  readonly #deps: RunDeps;
  readonly #lease: Lease;
  readonly #pages: PageReader;
  readonly #worker: PageWorker;
  readonly #settlement: GenerationSwap;
  #state: StreamState;
  #cutOff: string | null = null;
  readonly #generation: number;

  constructor(setup: StreamSetup, deps: RunDeps, lease: Lease) {
    const { store, clock, digest } = deps;
    const sink = new SinkWriter(setup.sink);
    this.#setup = setup;
    this.#deps = deps;
    this.#lease = lease;
    this.#pages = new PageReader(deps, () => store.renew(lease, clock.now() + LEASE_MS));
    this.#worker = new PageWorker({ ...setup, lease, store, digest, sink, pages: this.#pages });
    this.#settlement = new GenerationSwap({ store, lease, sink, pages: this.#pages });
    const { state, generation } = store.streamOf(setup.stream);
    this.#state = state;
    this.#generation = generation;
  }

  /** @throws AppError for what `failure.ts` lists; what was committed stays. */
  async run(signal: AbortSignal): Promise<RunResult> {
    this.#begin(await this.#retryParked(signal));
    for (;;) {
      const progress = this.#progress();
      if (progress.leg === 'settle') {
        const settled = await this.#settle(progress, signal);
        this.#state = settled.state;
        if (settled.goesOn) continue;
        return this.#ended(progress, settled, signal);
      }
      await this.#page(progress, signal);
      if (this.#state.progress !== null) continue;
      return this.#ended(
        progress,
        await this.#settlement.deletes(this.#state, progress.generation, signal),
        signal,
      );
    }
  }

  #progress(): Progress {
    const { progress } = this.#state;
    invariant(progress, 'a run is under way');
    return progress;
  }

  #begin(bounds: readonly (number | null)[]): void {
    const { store, clock, horizons } = this.#deps;
    const { manifest, lookbackDays, sweepEveryMs, stream } = this.#setup;
    const { wantsFull } = store.streamOf(stream);
    const keptHorizon = hasHorizon(manifest) ? horizons?.of(stream) : undefined;
    const facts = {
      manifest,
      wantsFull,
      lookbackDays,
      keptHorizon,
      sweepEveryMs,
      generation: this.#generation,
      now: clock.now(),
      begunIn: this.#moment(),
    };
    const state = begun(this.#state, { ...facts, ...reachOf(bounds) });
    if (state !== this.#state) store.commitState(this.#lease, state);
    this.#state = state;
    this.#cutOff = state.progress?.cutOff ?? null;
    const { horizon } = state;
    if (hasHorizon(manifest) && horizon !== undefined && horizon !== keptHorizon)
      horizons?.keep(stream, horizon);
  }

  #moment(): ProcessMoment | null {
    const { clock, processRun } = this.#deps;
    return processRun === undefined ? null : { run: processRun, ms: Math.floor(clock.monotonic()) };
  }

  async #page(progress: Progress, signal: AbortSignal): Promise<void> {
    const { clock } = this.#deps;
    await this.#pages.yieldToPayments(signal);
    const page = await this.#fetch(progress, signal);
    if (page === null) return;
    this.#cutOff = page.cutOff ?? this.#cutOff;
    const cutOff = this.#cutOff?.slice(0, MOST_REASON);
    const read = cutOff === undefined ? progress : { ...progress, cutOff };
    const facts = { state: this.#state, progress: read, now: clock.now() };
    this.#commit(await this.#workOn(page, facts, signal));
    if (this.#state.progress && isRestless(this.#state.progress.scan))
      throw new AppError('SOURCE_MALFORMED', 'the list moved in each of many readings', { retry: 'safe' });
  }

  /** The next run reads a list that repeats its pages from the first page again. */
  async #workOn(page: SourcePage, facts: Parameters<PageWorker['commitOf']>[1], signal: AbortSignal) {
    try {
      return await this.#worker.commitOf(page, facts, signal);
    } catch (error) {
      if (hasCode(error, 'SOURCE_MALFORMED')) this.#restart(facts.progress);
      throw error;
    }
  }

  #commit(commit: Omit<PageCommit, 'leaseUntil'>): void {
    const { store, clock } = this.#deps;
    store.commitPage(this.#lease, { ...commit, leaseUntil: clock.now() + LEASE_MS });
    this.#state = commit.state;
  }

  /** Null: the source no longer knows the page token, and this pass begins again. */
  async #fetch(progress: Progress, signal: AbortSignal): Promise<SourcePage | null> {
    const { connector, manifest } = this.#setup;
    const { window, scan } = progress;
    try {
      return await this.#pages.patiently(signal, (inner) =>
        connector.list(manifest.name, window, scan.token, inner),
      );
    } catch (error) {
      if (scan.token === null || !hasCode(error, 'SOURCE_REFUSED')) throw error;
      this.#restart(progress);
      return null;
    }
  }

  #restart(progress: Progress): void {
    const scans = this.#state.scans + 1;
    this.#state = { ...this.#state, scans, progress: { ...progress, scan: restarted(progress.scan, scans) } };
    this.#deps.store.commitState(this.#lease, this.#state);
  }

  #settle(progress: Progress, signal: AbortSignal): Promise<SwapResult> {
    const seen = { findsDeletes: this.#setup.manifest.deletes === 'scan', isWhole: this.#cutOff === null };
    const facts = { ...seen, now: this.#deps.clock.now() };
    if (progress.kind === 'full') return this.#settlement.swap(this.#state, progress, facts, signal);
    return this.#settlement.sweep(this.#state, progress, seen, signal);
  }

  async #ended(progress: Progress, settled: SwapResult, signal: AbortSignal): Promise<RunResult> {
    this.#state = settled.state;
    await this.#tidy(signal);
    const { held, usedApproval } = settled;
    return {
      kind: progress.kind,
      freshAt: progress.startedAt,
      begunIn: progress.begunIn ?? null,
      held,
      usedApproval,
      cutOff: this.#cutOff,
    };
  }

  /** Deletes rows of generations that no reader sees, in slices. */
  async #tidy(signal: AbortSignal): Promise<void> {
    const { store } = this.#deps;
    const { stream } = this.#setup;
    const { generation } = store.streamOf(stream);
    while (store.sweepAway(stream, generation, TIDIED_AT_ONCE) > 0)
      await this.#pages.yieldToOtherWork(signal);
  }

  /** Retries all quarantined records that are due. @returns the lower bounds of the windows that alone show the others again */
  async #retryParked(signal: AbortSignal): Promise<readonly (number | null)[]> {
    const { store, clock } = this.#deps;
    const now = clock.now();
    const bounds: (number | null)[] = [];
    let after: Parked | null = null;
    let asks = 0;
    for (;;) {
      const due: readonly Parked[] = store.dueParked(this.#setup.stream, now, PARKED_AT_ONCE, after);
      after = due.at(-1) ?? null;
      if (after === null) return bounds;
      await this.#pages.yieldToOtherWork(signal);
      const asked = this.#askable(due).slice(0, MOST_ASKS - asks);
      asks += asked.length;
      const unshown = await this.#retryDue(due, asked, signal);
      bounds.push(...unshown.map(({ windowFrom }) => windowFrom));
    }
  }

  #askable(due: readonly Parked[]): readonly Parked[] {
    if (this.#setup.connector.get === undefined) return [];
    return due.filter(({ record, recordId }) => record === null && recordId !== null);
  }

  /** From the stored record, or by a request. @returns those that only their window shows again */
  async #retryDue(
    due: readonly Parked[],
    asked: readonly Parked[],
    signal: AbortSignal,
  ): Promise<readonly Parked[]> {
    const records: SourceRecord[] = due.flatMap(({ record }) => (record === null ? [] : [record]));
    const gone: string[] = [];
    for (const { key, recordId } of asked) {
      const record = await this.#ask(recordId ?? key, signal);
      if (record === null) gone.push(key);
      else if (record !== 'unreadable') records.push(record);
    }
    if (records.length > 0 || gone.length > 0) await this.#retry(records, gone, signal);
    const shown = new Set([...gone, ...records.map(({ id }) => id)]);
    return due.filter(({ key }) => !shown.has(key));
  }

  /** Requests one record; one that still cannot be read stays quarantined. */
  async #ask(id: string, signal: AbortSignal): Promise<SourceRecord | null | 'unreadable'> {
    const { connector, manifest } = this.#setup;
    try {
      await this.#pages.yieldToPayments(signal);
      return await this.#pages.patiently(
        signal,
        async (inner) => (await connector.get?.(manifest.name, id, inner)) ?? null,
      );
    } catch (error) {
      if (hasCode(error, 'SOURCE_MALFORMED') || hasCode(error, 'SOURCE_REFUSED')) return 'unreadable';
      throw error;
    }
  }

  async #retry(
    records: readonly SourceRecord[],
    gone: readonly string[],
    signal: AbortSignal,
  ): Promise<void> {
    const generation = this.#state.progress?.generation ?? this.#generation;
    const facts = { state: this.#state, generation, now: this.#deps.clock.now() };
    this.#commit(await this.#worker.retryOf(records, gone, facts, signal));
  }
}

/** How far back the next window must reach to read an unreadable record again. */
function reachOf(bounds: readonly (number | null)[]): { readonly reachBackTo?: number | null } {
  if (bounds.length === 0) return {};
  const lowest = bounds.reduce<number>(
    (least, bound) => Math.min(least, bound ?? Number.NEGATIVE_INFINITY),
    Number.POSITIVE_INFINITY,
  );
  return { reachBackTo: Number.isFinite(lowest) ? lowest : null };
}
