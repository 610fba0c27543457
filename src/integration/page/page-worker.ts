import type { BadRecord, ResourceManifest, SourcePage, SourceRecord, SyncWindow } from '../connector.ts';
import type { Lease, Mapper, PageCommit, Parked, SinkWrite, SyncStore } from '../ports.ts';
import { MOST_MARKS, markOf } from '../window/cursor.ts';
import { higher, type ListPosition, positionOf } from '../window/list-position.ts';
import { type PageNews, stepped, sweepOf } from '../window/run-plan.ts';
import { measured } from '../window/source-lag.ts';
import type { Progress, StreamKey, StreamState } from '../window/stream.ts';
import type { PageFacts } from '../window/window-scan.ts';
import { PACKAGES } from './package-label.ts';
import type { PageReader } from './page-reader.ts';
import {
  type Digest,
  type Digested,
  digested,
  judged,
  type KeptBody,
  keyOf,
  leavesNoTrace,
  parkedBad,
  sorted,
  versionOf,
  type Work,
} from './page-work.ts';
import { type Chunks, type Facts, RunCounters } from './run-counters.ts';
import type { SinkWriter } from './sink-writer.ts';

export interface WorkerDeps {
  readonly stream: StreamKey;
  readonly lease: Lease;
  readonly manifest: ResourceManifest;
  readonly map: Mapper;
  readonly store: SyncStore;
  readonly digest: Digest;
  readonly sink: SinkWriter;
  readonly pages: PageReader;
}

/** Turns a page into its commit; a remote sink has written before the commit exists. */
export class PageWorker {
  readonly #deps: WorkerDeps;

  constructor(deps: WorkerDeps) {
    this.#deps = deps;
  }

  /** @throws SOURCE_MALFORMED before anything is written; what the sink throws */
  async commitOf(
    page: SourcePage,
    {
      state,
      progress,
      now,
    }: { readonly state: StreamState; readonly progress: Progress; readonly now: number },
    signal: AbortSignal,
  ): Promise<Omit<PageCommit, 'leaseUntil'>> {
    const { manifest } = this.#deps;
    const { window, generation, scan } = progress;
    const { good, bad } = sorted(page);
    const isWhole =
      progress.kind === 'changes' &&
      progress.leg === 'scan' &&
      progress.widthMs === null &&
      scan.pages === 0 &&
      page.next === null;
    const all = digested(this.#withinHorizon(good, state), this.#deps.digest);
    const { parked, known, fresh } = this.#split(all, bad, isWhole ? state : null);
    const work = this.#judge(fresh, generation);
    const news = {
      ...this.#seen(work, bad, parked, progress),
      boundary: isWhole ? boundaryOf(all, progress, this.#deps.digest) : [],
      hasTimeless: manifest.cursorField !== null && good.some(({ updatedAt }) => updatedAt === null),
      ...spreadOf(manifest.cursorField === null ? [] : good, window),
    };
    const step = stepped(state, progress, manifest, {
      ...news,
      next: page.next,
      isNextUnsure: page.isNextUnsure,
      sourceNow: page.sourceNow,
      now,
    });
    const facts = {
      generation,
      sweep: sweepOf(state, progress),
      windowFrom: window.from,
      scan: scan.no,
      begunScan: progress.begunScan ?? progress.firstScan,
      run: this.#deps.lease.run,
      isFirstPass: scan.pass === 1 && progress.leg === 'scan' && progress.secondScan === undefined,
      isFull: progress.kind === 'full',
      isWhole,
      now,
    };
    const pieces = await this.#pieces(work, bad, parked, facts, signal);
    const { counts } = pieces;
    return {
      ...pieces,
      counts: { ...counts, pages: 1, read: counts.read + known, unchanged: counts.unchanged + known },
      generation,
      scan: scan.no,
      sweep: facts.sweep,
      state: withLateness(step.state, state.readTo, progress, work, parked),
      closes: step.isWindowClosed ? { from: progress.bounds.from, scan: progress.firstScan, at: now } : null,
    };
  }

  /** Waiting records, once more; they belong to no scan. */
  async retryOf(
    records: readonly SourceRecord[],
    gone: readonly string[],
    {
      state,
      generation,
      now,
    }: { readonly state: StreamState; readonly generation: number; readonly now: number },
    signal: AbortSignal,
  ): Promise<Omit<PageCommit, 'leaseUntil'>> {
    const { good, bad } = sorted({ records, bad: [], next: null, sourceNow: null });
    const parked = this.#parked(good, bad);
    const work = this.#judge(digested(good, this.#deps.digest), generation);
    const facts = {
      generation,
      sweep: state.sweeps,
      windowFrom: null,
      scan: 0,
      begunScan: 0,
      run: this.#deps.lease.run,
      isFirstPass: true,
      isFull: false,
      isWhole: false,
      now,
    };
    const pieces = await this.#pieces(work, bad, parked, facts, signal);
    const unpark = [...pieces.unpark, ...gone];
    return { ...pieces, unpark, generation, scan: 0, sweep: state.sweeps, state, closes: null };
  }

  /** A source that ignores the lower bound sends rows older than the horizon. */
  #withinHorizon(good: readonly SourceRecord[], { horizon }: StreamState): readonly SourceRecord[] {
    if (horizon === undefined || horizon === null) return good;
    return good.filter(({ updatedAt }) => updatedAt === null || updatedAt >= horizon);
  }

  /** Records at the boundary of the cursor are known without a read of their rows. */
  #split(all: readonly Digested[], bad: readonly BadRecord[], state: StreamState | null) {
    const parked = this.#parked(
      all.map(({ record }) => record),
      bad,
    );
    const boundary = new Set(state?.cursor?.boundary ?? []);
    const markedAs = (one: Digested) => markOf(versionOf(one, this.#deps.digest));
    const isKnown = (one: Digested) => boundary.has(markedAs(one)) && !parked.has(one.record.id);
    const fresh = boundary.size === 0 ? all : all.filter((one) => !isKnown(one));
    return { parked, fresh, known: all.length - fresh.length };
  }

  #parked(good: readonly SourceRecord[], bad: readonly BadRecord[]): ReadonlyMap<string, Parked> {
    const { store, stream, digest } = this.#deps;
    return store.parkedOf(stream, [...good.map(({ id }) => id), ...bad.map((one) => keyOf(one, digest))]);
  }

  #judge(all: readonly Digested[], generation: number): readonly Work[] {
    const { store, stream, map } = this.#deps;
    const ids = all.map(({ record }) => record.id);
    return judged(all, store.rowsOf(stream, generation, ids), map);
  }

  /** Which records this pass had not seen before, and how far the page reaches. */
  #seen(
    work: readonly Work[],
    bad: readonly BadRecord[],
    parked: ReadonlyMap<string, Parked>,
    { scan: { no, firstNo, lastNo }, window: { to } }: Progress,
  ): Omit<PageFacts, 'next'> & Pick<PageNews, 'top'> {
    const { digest, manifest } = this.#deps;
    const isAsked = manifest.cursorField !== null;
    const onPage = new Set<string>();
    const seen = { fresh: 0, ghosts: 0, kept: 0, found: 0, repeats: 0 };
    let top: ListPosition | null = null;
    const see = (key: string, scan: number, isSame: boolean, isNew = false) => {
      const isRepeat = scan === no || onPage.has(key);
      onPage.add(key);
      if (isRepeat) seen.repeats += 1;
      else seen.fresh += 1;
      if (!isRepeat && scan < firstNo && !isNew) seen.found += 1;
      if (!isRepeat && isSame && scan === lastNo) seen.kept += 1;
    };
    for (const one of work) {
      const { record, row, verdict } = one;
      const { id, updatedAt } = record;
      const isNewer = updatedAt !== null && updatedAt > to;
      if (isAsked && isNewer) continue;
      if (updatedAt !== null) top = higher(top, positionOf(updatedAt, id));
      const scan = Math.max(row?.scan ?? 0, parked.get(id)?.scan ?? 0);
      if (leavesNoTrace(one)) seen.ghosts += 1;
      // A list without a filter for changes only needs the same rows in it.
      else see(id, scan, !isAsked || verdict === 'unchanged' || !row || row.hash === '', isNewer);
    }
    for (const one of bad) {
      const key = keyOf(one, digest);
      see(key, parked.get(key)?.scan ?? 0, true);
    }
    return { ...seen, top };
  }

  async #pieces(
    work: readonly Work[],
    bad: readonly BadRecord[],
    parked: ReadonlyMap<string, Parked>,
    facts: Facts,
    signal: AbortSignal,
  ): Promise<Chunks> {
    const { sink, digest, manifest } = this.#deps;
    const latest = decisive(work);
    const puts = latest.flatMap(putOf);
    this.#intend(latest, facts);
    const refused = await this.#send(puts, signal);
    const counters = new RunCounters(facts, parked, keptBy(sink, manifest));
    for (const one of latest) counters.add(one, refused.get(one.record.id));
    for (const one of bad) {
      const key = keyOf(one, digest);
      if (one.id !== null) counters.seen(one.id);
      counters.bad(parkedBad(one, key, { ...facts, before: parked.get(key) }));
    }
    return counters.pieces();
  }

  /** Each batch has the timeout and retries of a request of its own, and payments go first between two batches. @returns why some were refused */
  async #send(puts: readonly SinkWrite[], signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
    const { sink, pages } = this.#deps;
    const refused = new Map<string, string>();
    for (const [at, batch] of sink.batchesOf(puts).entries()) {
      if (at > 0) await pages.yieldToPayments(signal);
      const some = await pages.patiently(signal, (inner) => sink.write(batch, inner));
      for (const [id, reason] of some) refused.set(id, reason);
    }
    return refused;
  }

  /** Notes the id of each new row before a remote sink gets it. */
  #intend(work: readonly Work[], { generation, sweep }: Facts): void {
    const { sink, store, lease } = this.#deps;
    if (sink.keepsBodies) return;
    const ids = work.flatMap((one) => (one.row === undefined ? putOf(one).map(({ id }) => id) : []));
    if (ids.length > 0) store.intend(lease, generation, ids, sweep);
  }
}

function keptBy({ keepsBodies }: SinkWriter, { name }: ResourceManifest): KeptBody {
  if (keepsBodies) return 'all';
  return name === PACKAGES ? 'label' : 'nothing';
}

/** Of several records with one id on a page: the last one that changes something. */
function decisive(work: readonly Work[]): readonly Work[] {
  const byId = new Map<string, Work>();
  for (const one of work) {
    const before = byId.get(one.record.id);
    const changesNothing = one.verdict === 'unchanged' || one.verdict === 'stale';
    if (!before || !changesNothing) byId.set(one.record.id, one);
  }
  return [...byId.values()];
}

function putOf({ record, mapped }: Work): readonly SinkWrite[] {
  if (mapped?.kind !== 'write') return [];
  return [{ op: 'put', id: record.id, updatedAt: record.updatedAt, body: mapped.body }];
}

/** How the rows of a page are spread in time, where they have times. */
function spreadOf(
  good: readonly SourceRecord[],
  { from, to }: SyncWindow,
): Pick<PageNews, 'isBeyond' | 'spread'> {
  const times = good.flatMap(({ updatedAt }) => (updatedAt === null ? [] : [updatedAt]));
  const inOrder = times.toSorted((a, b) => a - b);
  const [middle, latest] = [inOrder[Math.floor(inOrder.length / 2)], inOrder.at(-1)];
  if (middle === undefined || latest === undefined) return { isBeyond: false, spread: null };
  const falls = (times[0] ?? 0) > (times.at(-1) ?? 0);
  return { isBeyond: from !== null && latest > to, spread: { middle, falls } };
}

/** Marks of the newest rows of a window that fitted on one page. */
function boundaryOf(all: readonly Digested[], { window }: Progress, digest: Digest): readonly string[] {
  const newest = all
    .filter(({ record: { updatedAt, deleted } }) => !deleted && updatedAt !== null && updatedAt <= window.to)
    .sort((a, b) => (b.record.updatedAt ?? 0) - (a.record.updatedAt ?? 0));
  return newest.slice(0, MOST_MARKS).map((one) => markOf(versionOf(one, digest)));
}

/** A row that changed before the last window ended, and comes only now, is late. */
function withLateness(
  state: StreamState,
  readTo: number | null,
  { kind }: Progress,
  work: readonly Work[],
  parked: ReadonlyMap<string, Parked>,
): StreamState {
  if (readTo === null || kind === 'full') return state;
  const samples = work.flatMap(({ record: { id, updatedAt }, verdict }) =>
    updatedAt !== null && (verdict === 'created' || verdict === 'updated') && !parked.has(id)
      ? [Math.max(0, readTo - updatedAt)]
      : [],
  );
  return { ...state, lateness: measured(state.lateness, samples) };
}
