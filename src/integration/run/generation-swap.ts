import type { PageReader } from '../page/page-reader.ts';
import type { SinkWriter } from '../page/sink-writer.ts';
import { type Lease, MOST_EXAMPLES, type SyncStore, type Unseen } from '../ports.ts';
import { completed, countedSweep, readAgain, uncounted } from '../window/run-plan.ts';
import type { Progress, StreamState } from '../window/stream.ts';
import { isPlausible, mayDelete } from './deletes.ts';

/** Rows that a person must approve before they are deleted. */
export interface Hold {
  readonly kind: 'deletes' | 'resync';
  readonly missing: number;
  readonly rows: number;
  readonly examples: readonly string[];
}

/** The result of the finish of a run. */
export interface SwapResult {
  readonly state: StreamState;
  readonly held: Hold | null;
  readonly usedApproval: boolean;
  /** Set: the run is not over, it reads everything once more. */
  readonly goesOn?: boolean;
}

/** `findsDeletes`: two scans alone show the source's deletes. `isWhole`: the source has no more than it listed, as far as it says. */
interface Seen {
  readonly findsDeletes: boolean;
  readonly isWhole: boolean;
}

export interface GenerationSwapDeps {
  readonly store: SyncStore;
  readonly lease: Lease;
  readonly sink: SinkWriter;
  readonly pages: PageReader;
}

const AT_ONCE = 100;
const COMPARED_AT_ONCE = 2_000;
/** How many sweeps deleted rows are remembered for, so that an old page cannot bring them back. */
const REMEMBERED_SWEEPS = 30;

/**
 * The finish of a run, when all is read: deletes, or the generation swap.
 * Each step survives a kill: leaving rows are marked, a swap is one commit.
 */
export class GenerationSwap {
  readonly #deps: GenerationSwapDeps;

  constructor(deps: GenerationSwapDeps) {
    this.#deps = deps;
  }

  /**
   * After a sweep: rows that two complete sweeps in a row have not seen leave; not while a record without a readable id may be one of them.
   * A sweep that lacks more than a run may delete probably saw only a part of the list: it is not counted. Rows that a second one in a row lacks,
   * too, wait for a person.
   */
  async sweep(
    state: StreamState,
    progress: Progress,
    { findsDeletes, isWhole }: Seen,
    signal: AbortSignal,
  ): Promise<SwapResult> {
    const { store, lease } = this.#deps;
    const { generation } = progress;
    const done = completed(state, progress);
    const isJudged = findsDeletes || state.hasSuspects;
    const swept = isJudged ? await this.#judged(state, done, generation, isWhole, signal) : done;
    store.commitState(lease, swept);
    store.forgetBuried(lease.stream, generation, swept.sweeps - REMEMBERED_SWEEPS, COMPARED_AT_ONCE);
    return this.deletes(swept, generation, signal);
  }

  /** After a kill before the state is committed this runs again, with the same result. */
  async #judged(
    state: StreamState,
    done: StreamState,
    generation: number,
    isWhole: boolean,
    signal: AbortSignal,
  ): Promise<StreamState> {
    const { store, lease } = this.#deps;
    const { stream } = lease;
    // Not counted, or the next sweep would count as the second one that lacks a row.
    if (!isWhole || store.hasNameless(stream)) return { ...done, ...uncounted(state) };
    const counted = countedSweep(state);
    store.unmarkUnseen(lease, generation, done.sweeps);
    const marked = (seenBefore: number, fate: 'leaving' | 'doubtful') =>
      this.#unseen(generation, seenBefore, signal, (rows) => store.markUnseen(lease, generation, rows, fate));
    const unseen = await this.#unseen(generation, done.sweeps, signal);
    if (mayDelete({ leaving: unseen, rows: store.rowCounts(stream, generation).rows })) {
      const leaving = unseen === 0 ? 0 : await marked(counted, 'leaving');
      return { ...done, hasSuspects: unseen > leaving, doubtedSweep: null };
    }
    if (state.doubtedSweep !== null) await marked(state.doubtedSweep, 'doubtful');
    return { ...done, ...uncounted(state), hasSuspects: true, doubtedSweep: done.sweeps };
  }

  /** Reads the live rows in slices; passes those last seen before that sweep, or scan, to `onUnseen`. @returns how many they are */
  async #unseen(
    generation: number,
    seenBefore: number,
    signal: AbortSignal,
    onUnseen: (rows: readonly number[]) => void = () => undefined,
    by: 'sweep' | 'scan' = 'sweep',
  ): Promise<number> {
    const { store, lease, pages } = this.#deps;
    let count = 0;
    for (let after: number | null = 0; after !== null; ) {
      const slice: Unseen = store.unseen(
        lease.stream,
        generation,
        { by, before: seenBefore },
        after,
        COMPARED_AT_ONCE,
      );
      count += slice.rows.length;
      if (slice.rows.length > 0) onUnseen(slice.rows);
      after = slice.last;
      if (after !== null) await pages.yieldToOtherWork(signal);
    }
    return count;
  }

  /** Deletes the rows that a person has approved, and the leaving rows if they are not too many. */
  async deletes(state: StreamState, generation: number, signal: AbortSignal): Promise<SwapResult> {
    const { store, lease } = this.#deps;
    const { leaving, doubtful, rows } = store.rowCounts(lease.stream, generation);
    const isTooMuch = leaving > 0 && !mayDelete({ leaving, rows });
    const kept = await this.#bury(state, generation, isTooMuch ? 'allowed' : 'all', signal);
    const missing = (isTooMuch ? leaving : 0) + doubtful;
    if (missing === 0) return { state: kept, held: null, usedApproval: false };
    const which = doubtful > 0 ? 'doubtful' : 'all';
    const examples = store.leaving(lease.stream, generation, which, MOST_EXAMPLES);
    return { state: kept, held: { kind: 'deletes', missing, rows, examples }, usedApproval: false };
  }

  /** The boundary of the cursor must not mark a deleted row as known. */
  async #bury(state: StreamState, generation: number, which: 'all' | 'allowed', signal: AbortSignal) {
    const { store, lease, sink, pages } = this.#deps;
    const next = () => store.leaving(lease.stream, generation, which, AT_ONCE);
    const forgetful = { ...state, cursor: state.cursor && { ...state.cursor, boundary: [] } };
    let kept = state;
    for (let ids = next(); ids.length > 0; ids = next()) {
      const batch = ids;
      await pages.patiently(signal, (inner) => sink.remove(batch, inner));
      store.bury(lease, generation, batch, forgetful);
      kept = forgetful;
      await pages.yieldToOtherWork(signal);
    }
    return kept;
  }

  /**
   * After a full resync: the generation swap, if the new generation lacks few rows.
   * Rows that it lacks are deleted where two complete scans of this run did not show them: the second scan is read only where the first one lacks some.
   * Where scans alone show no deletes, or a record without a readable id may be one of them, they are copied, and the next sweep decides.
   */
  async swap(
    state: StreamState,
    progress: Progress,
    { findsDeletes, isWhole, now }: Seen & { readonly now: number },
    signal: AbortSignal,
  ): Promise<SwapResult> {
    const { store, lease } = this.#deps;
    const { stream } = lease;
    const { generation: old, approved } = store.streamOf(stream);
    const { before, missing: lacking, examples } = await this.#compare(old, progress.generation, signal);
    const isComplete = isWhole && !store.hasNameless(stream);
    if (lacking > 0 && findsDeletes && isComplete && progress.secondScan === undefined)
      return this.#secondScan(state, progress, lacking, now);
    const isCounted = isComplete && (await this.#isWhole(progress, { before, lacking }, signal));
    const isCertain = findsDeletes && isCounted;
    const done = { ...completed(state, progress), ...(isCounted ? {} : uncounted(state)) };
    // A swap that was killed may have copied some already.
    const copied = await this.#unseen(progress.generation, done.sweeps, signal);
    const missing = lacking + copied + store.rowCounts(stream, progress.generation).leaving;
    if (!isPlausible({ before, missing, approved }))
      return this.#discard(state, { missing, rows: before, examples });
    const fate = !isCertain ? 'live' : missing <= approved ? 'allowed' : 'leaving';
    await this.#compare(old, progress.generation, signal, (ids) =>
      store.carryOver(lease, old, progress.generation, ids, fate),
    );
    const swapped = { ...done, hasSuspects: !isCertain && missing > 0 };
    store.swap(lease, progress.generation, swapped);
    const settled = await this.deletes(swapped, progress.generation, signal);
    return { ...settled, usedApproval: approved > 0 };
  }

  /** One of two scans that lacks many rows of the other one has seen a part of the list, and proves nothing. */
  async #isWhole(
    { generation, secondScan, lacked = 0 }: Progress,
    { before: rows, lacking }: { readonly before: number; readonly lacking: number },
    signal: AbortSignal,
  ): Promise<boolean> {
    if (secondScan === undefined) return true;
    const leaving = await this.#unseen(generation, secondScan, signal, undefined, 'scan');
    return mayDelete({ leaving, rows }) && mayDelete({ leaving: lacked - lacking, rows });
  }

  #secondScan(state: StreamState, progress: Progress, lacked: number, now: number): SwapResult {
    const again = readAgain(state, progress, lacked, now);
    this.#deps.store.commitState(this.#deps.lease, again);
    return { state: again, held: null, usedApproval: false, goesOn: true };
  }

  /** The old generation stays; the cleanup after the run deletes the new one. */
  #discard(state: StreamState, facts: Omit<Hold, 'kind'>): SwapResult {
    const kept = { ...state, ...uncounted(state), progress: null };
    this.#deps.store.commitState(this.#deps.lease, kept);
    return { state: kept, held: { kind: 'resync', ...facts }, usedApproval: false };
  }

  /** Reads the rows that readers see in slices; passes those that the new generation lacks to `onMissing`. */
  async #compare(
    old: number,
    generation: number,
    signal: AbortSignal,
    onMissing: (ids: readonly string[]) => void = () => undefined,
  ): Promise<{ readonly before: number; readonly missing: number; readonly examples: readonly string[] }> {
    const { store, lease, pages } = this.#deps;
    let [before, missing] = [0, 0];
    const examples: string[] = [];
    for (let after: string | null = ''; after !== null; ) {
      const slice: ReturnType<SyncStore['compare']> = store.compare(
        lease.stream,
        old,
        generation,
        after,
        COMPARED_AT_ONCE,
      );
      before += slice.rows;
      missing += slice.missing.length;
      examples.push(...slice.missing.slice(0, MOST_EXAMPLES - examples.length));
      if (slice.missing.length > 0) onMissing(slice.missing);
      after = slice.last;
      if (after !== null) await pages.yieldToOtherWork(signal);
    }
    return { before, missing, examples };
  }
}
