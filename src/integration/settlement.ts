import { isPlausible, mayDelete } from './deletes.ts';
import type { Fetcher } from './fetcher.ts';
import type { Lease, SyncStore, Unseen } from './ports.ts';
import { completed } from './run-plan.ts';
import type { SinkWriter } from './sink-writer.ts';
import type { Progress, StreamState } from './stream.ts';

/** Rows that a person must look at before they are taken away. */
export interface Hold {
  readonly kind: 'deletes' | 'resync';
  readonly missing: number;
  readonly rows: number;
}

/** What a settlement came to. */
export interface Settled {
  readonly state: StreamState;
  readonly held: Hold | null;
  readonly usedApproval: boolean;
}

export interface SettlementParts {
  readonly store: SyncStore;
  readonly lease: Lease;
  readonly sink: SinkWriter;
  readonly fetcher: Fetcher;
}

const AT_ONCE = 100;
const COMPARED_AT_ONCE = 2_000;
/** Deleted rows are remembered for so many sweeps, so that an old page cannot bring them back. */
const REMEMBERED_SWEEPS = 30;

/**
 * What happens when all is read: rows that are gone are taken away, generations swapped.
 * Each step is found again after a kill: rows that leave are marked as such, a swap is one commit.
 */
export class Settlement {
  readonly #parts: SettlementParts;

  constructor(parts: SettlementParts) {
    this.#parts = parts;
  }

  /**
   * After a sweep: what two complete ones in a row have not seen leaves; not while a record without a readable id may be one of them.
   * A sweep that lacks more than a run may delete was probably shown a part of everything: it is not counted. What a second one in a row
   * lacks, too, waits for a person.
   */
  async sweep(
    state: StreamState,
    progress: Progress,
    scanTells: boolean,
    signal: AbortSignal,
  ): Promise<Settled> {
    const { store, lease } = this.#parts;
    const { generation } = progress;
    const done = completed(state, progress);
    const isJudged = scanTells || state.hasSuspects;
    const swept = isJudged ? await this.#judged(state, done, generation, signal) : done;
    store.commitState(lease, swept);
    store.forgetBuried(lease.stream, generation, swept.sweeps - REMEMBERED_SWEEPS, COMPARED_AT_ONCE);
    return this.deletes(swept, generation, signal);
  }

  /** A kill before the state is committed judges once more, to the same end. */
  async #judged(
    state: StreamState,
    done: StreamState,
    generation: number,
    signal: AbortSignal,
  ): Promise<StreamState> {
    const { store, lease } = this.#parts;
    const { stream } = lease;
    // It is not counted, or the next one would be taken for the second that lacks a row.
    if (store.hasNameless(stream)) return { ...done, sweeps: state.sweeps };
    store.unmarkUnseen(lease, generation, done.sweeps);
    const marked = (seenBefore: number, fate: 'leaving' | 'doubtful') =>
      this.#unseen(generation, seenBefore, signal, (rows) => store.markUnseen(lease, generation, rows, fate));
    const unseen = await this.#unseen(generation, done.sweeps, signal);
    if (mayDelete({ leaving: unseen, rows: store.fates(stream, generation).rows })) {
      const leaving = unseen === 0 ? 0 : await marked(done.sweeps - 1, 'leaving');
      return { ...done, hasSuspects: unseen > leaving, isDoubted: false };
    }
    if (state.isDoubted) await marked(done.sweeps, 'doubtful');
    return { ...done, sweeps: state.sweeps, hasSuspects: true, isDoubted: true };
  }

  /** Goes through the live rows, some at a time; gives those last seen before that sweep to `onUnseen`. @returns how many they are */
  async #unseen(
    generation: number,
    seenBefore: number,
    signal: AbortSignal,
    onUnseen: (rows: readonly number[]) => void = () => undefined,
  ): Promise<number> {
    const { store, lease, fetcher } = this.#parts;
    let count = 0;
    for (let after: number | null = 0; after !== null; ) {
      const slice: Unseen = store.unseen(lease.stream, generation, seenBefore, after, COMPARED_AT_ONCE);
      count += slice.rows.length;
      if (slice.rows.length > 0) onUnseen(slice.rows);
      after = slice.last;
      if (after !== null) await fetcher.breathe(signal);
    }
    return count;
  }

  /** Takes away what a person has let go, and what leaves, if that is not too much. */
  async deletes(state: StreamState, generation: number, signal: AbortSignal): Promise<Settled> {
    const { store, lease } = this.#parts;
    const { leaving, doubtful, rows } = store.fates(lease.stream, generation);
    const isTooMuch = leaving > 0 && !mayDelete({ leaving, rows });
    const kept = await this.#bury(state, generation, isTooMuch ? 'allowed' : 'all', signal);
    const missing = (isTooMuch ? leaving : 0) + doubtful;
    const held = missing > 0 ? { kind: 'deletes' as const, missing, rows } : null;
    return { state: kept, held, usedApproval: false };
  }

  /** The boundary of the cursor must not vouch for a row that is gone. */
  async #bury(state: StreamState, generation: number, which: 'all' | 'allowed', signal: AbortSignal) {
    const { store, lease, sink, fetcher } = this.#parts;
    const next = () => store.leaving(lease.stream, generation, which, AT_ONCE);
    const forgetful = { ...state, cursor: state.cursor && { ...state.cursor, boundary: [] } };
    let kept = state;
    for (let ids = next(); ids.length > 0; ids = next()) {
      const batch = ids;
      await fetcher.patiently(signal, (inner) => sink.remove(batch, inner));
      store.bury(lease, generation, batch, forgetful);
      kept = forgetful;
      await fetcher.breathe(signal);
    }
    return kept;
  }

  /**
   * After a full resync: the new generation takes the old one's place, if it lacks hardly anything.
   * What it lacks comes along: one scan alone takes nothing away, the next sweep is the second one.
   */
  async swap(state: StreamState, progress: Progress, signal: AbortSignal): Promise<Settled> {
    const { store, lease } = this.#parts;
    const { generation: old, approved } = store.streamOf(lease.stream);
    const compared = await this.#compare(old, progress.generation, signal);
    const done = completed(state, progress);
    // A swap that was killed may have brought some along already.
    const { before } = compared;
    const missing = compared.missing + (await this.#unseen(progress.generation, done.sweeps, signal));
    if (!isPlausible({ before, missing, approved })) return this.#discard(state, { missing, rows: before });
    await this.#compare(old, progress.generation, signal, (ids) =>
      store.carryOver(lease, old, progress.generation, ids),
    );
    const swapped = { ...done, hasSuspects: missing > 0 };
    store.swap(lease, progress.generation, swapped);
    const settled = await this.deletes(swapped, progress.generation, signal);
    return { ...settled, usedApproval: approved > 0 };
  }

  /** The old generation stays; the new one is nobody's, and goes with the next tidying. */
  #discard(
    state: StreamState,
    { missing, rows }: { readonly missing: number; readonly rows: number },
  ): Settled {
    const kept = { ...state, progress: null };
    this.#parts.store.commitState(this.#parts.lease, kept);
    return { state: kept, held: { kind: 'resync', missing, rows }, usedApproval: false };
  }

  /** Goes through the rows that readers see, some at a time; gives those that the new generation lacks to `onMissing`. */
  async #compare(
    old: number,
    generation: number,
    signal: AbortSignal,
    onMissing: (ids: readonly string[]) => void = () => undefined,
  ): Promise<{ readonly before: number; readonly missing: number }> {
    const { store, lease, fetcher } = this.#parts;
    let [before, missing] = [0, 0];
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
      if (slice.missing.length > 0) onMissing(slice.missing);
      after = slice.last;
      if (after !== null) await fetcher.breathe(signal);
    }
    return { before, missing };
  }
}
