import type { Mutant } from './list.ts';

/** Bugs of the sync engine; the simulation of a sync looks for them. */
export const SYNC_MUTANTS: readonly Mutant[] = [
  {
    name: 'cursor-is-exclusive',
    rule: 'the cursor is (updated_at, id), inclusive',
    file: 'src/integration/cursor.ts',
    find: 'return cursor.at - overlapMs - CLOCK_SLACK_MS;',
    replace: 'return cursor.at + 1;',
    scenario: 'sync',
  },
  {
    name: 'no-overlap',
    rule: 'rows come late: the overlap starts at 10 min',
    file: 'src/integration/cursor.ts',
    find: 'return cursor.at - overlapMs - CLOCK_SLACK_MS;',
    replace: 'return cursor.at;',
    scenario: 'sync',
  },
  {
    name: 'place-before-the-page',
    rule: "the page's rows, its counters and the cursor are one transaction",
    file: 'src/integration/sync-run.ts',
    find: '    store.commitPage(this.#lease, { ...commit,',
    replace:
      '    store.commitState(this.#lease, commit.state);\n    store.commitPage(this.#lease, { ...commit,',
    scenario: 'sync',
  },
  {
    name: 'upper-bound-not-frozen',
    rule: 'freeze the upper bound at the start',
    file: 'src/integration/sync-run.ts',
    find: '      await this.#page(progress, signal);',
    replace: `      const to = this.#ports.clock.now() + this.#state.clockOffsetMs;
      const bounds = { ...progress.bounds, to };
      await this.#page({ ...progress, bounds, window: progress.widthMs === null ? bounds : progress.window, ceiling: null }, signal);`,
    scenario: 'sync',
  },
  {
    name: 'swap-takes-what-the-scan-did-not-show',
    rule: 'a full resync takes no row away by itself; deletes are applied only where two complete scans agree',
    file: 'src/integration/generation-swap.ts',
    find: 'store.carryOver(lease, old, progress.generation, ids)',
    replace: 'void ids',
    scenario: 'sync',
  },
  {
    name: 'deleted-after-one-scan',
    rule: 'deletes are applied only where two complete scans agree',
    file: 'src/integration/generation-swap.ts',
    find: "await marked(done.sweeps - 1, 'leaving')",
    replace: "await marked(done.sweeps, 'leaving')",
    scenario: 'sync',
  },
  {
    name: 'deletes-without-a-bound',
    rule: 'never above 5 % of the rows in one run without a person',
    file: 'src/integration/deletes.ts',
    find: 'return leaving <= Math.floor(rows * MOST_DELETED);',
    replace: 'return leaving <= rows;',
    scenario: 'sync',
  },
  {
    name: 'one-pass-is-enough',
    rule: 'pages that shift under us are normal: a window is complete when two passes held the same rows',
    file: 'src/integration/window-scan.ts',
    find: 'if (pages === 1 || holdsStill(style)) return true;',
    replace: 'if (pages > 0 || holdsStill(style)) return true;',
    scenario: 'sync',
  },
  {
    name: 'no-tail-after-a-scan',
    rule: 'what moved while a long scan was read is read before anything is concluded',
    file: 'src/integration/run-plan.ts',
    find: "if (read.leg === 'tail' || manifest.cursorField === null)",
    replace: "if (read.leg === 'scan' || read.leg === 'tail' || manifest.cursorField === null)",
    scenario: 'sync',
  },
  {
    name: 'told-before-it-is-noted',
    rule: 'commit intent before the first byte',
    file: 'src/integration/page-worker.ts',
    find: 'if (ids.length > 0) store.intend(lease, generation, ids, sweep);',
    replace: 'void [ids, store, lease, generation, sweep];',
    scenario: 'sync',
  },
];
