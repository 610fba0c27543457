import type { Lease, PageCommit, RunEnd, SyncStore } from '../../../src/integration/ports.ts';
import type { StreamState } from '../../../src/integration/window/stream.ts';

/** The process died. */
export class Killed extends Error {
  override readonly name = 'Killed';
}

/** What the judge hears of each commit. */
export interface Watch {
  /** Whether the process dies here. */
  readonly diesNow: () => boolean;
  readonly onState: (state: StreamState) => void;
  readonly onPage: () => void;
  readonly beforeSwap: () => void;
  readonly afterSwap: () => void;
  readonly onBuried: (ids: readonly string[]) => void;
}

/** A real store of a process that may die just before or just after any commit; a dead one does nothing any more. */
export function watchedStore(store: SyncStore, watch: Watch): SyncStore {
  let isDead = false;
  const alive = () => {
    if (isDead) throw new Killed('the process is dead');
  };
  const mayDie = () => {
    if (!watch.diesNow()) return;
    isDead = true;
    throw new Killed('the process died');
  };
  const committing = (work: () => void, after: () => void = () => undefined) => {
    alive();
    mayDie();
    work();
    after();
    mayDie();
  };
  const reading = <Args extends readonly unknown[], T>(read: (...args: Args) => T) => {
    return (...args: Args): T => {
      alive();
      return read(...args);
    };
  };
  return {
    reclaim: reading((now) => store.reclaim(now)),
    streamOf: reading((stream) => store.streamOf(stream)),
    takeLease: reading((...args) => store.takeLease(...args)),
    renew: reading((...args) => store.renew(...args)),
    rowsOf: reading((...args) => store.rowsOf(...args)),
    parkedOf: reading((...args) => store.parkedOf(...args)),
    dueParked: reading((...args) => store.dueParked(...args)),
    rowCounts: reading((...args) => store.rowCounts(...args)),
    unseen: reading((...args) => store.unseen(...args)),
    hasNameless: reading((...args) => store.hasNameless(...args)),
    leaving: reading((...args) => store.leaving(...args)),
    compare: reading((...args) => store.compare(...args)),
    sweepAway: reading((...args) => store.sweepAway(...args)),
    forgetBuried: reading((...args) => store.forgetBuried(...args)),
    commitPage: (lease: Lease, page: PageCommit) =>
      committing(
        () => store.commitPage(lease, page),
        () => {
          watch.onState(page.state);
          if (page.counts.pages > 0) watch.onPage();
        },
      ),
    commitState: (lease: Lease, state: StreamState) =>
      committing(
        () => store.commitState(lease, state),
        () => watch.onState(state),
      ),
    end: (lease: Lease, end: RunEnd) => committing(() => store.end(lease, end)),
    intend: (...args) => committing(() => store.intend(...args)),
    carryOver: (...args) => committing(() => store.carryOver(...args)),
    markUnseen: (...args) => committing(() => store.markUnseen(...args)),
    unmarkUnseen: (...args) => committing(() => store.unmarkUnseen(...args)),
    bury: (lease, generation, ids, state) =>
      committing(
        () => store.bury(lease, generation, ids, state),
        () => watch.onBuried(ids),
      ),
    swap: (lease, generation, state) =>
      committing(
        () => {
          watch.beforeSwap();
          store.swap(lease, generation, state);
        },
        () => {
          watch.onState(state);
          watch.afterSwap();
        },
      ),
  };
}
