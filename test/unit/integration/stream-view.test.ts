import { expect, it } from 'vitest';
import { atInterval } from '../../../src/integration/schedule/timetable.ts';
import { viewOfStream } from '../../../src/integration/views/stream-view.ts';
import { SqliteSyncControl } from '../../../src/store/mirror/sqlite-sync-control.ts';
import { SqliteSyncStore } from '../../../src/store/mirror/sqlite-sync-store.ts';
import {
  aMirror,
  anEngine,
  aPage,
  aRecord,
  aSource,
  aStream,
  BY_TIME,
  INVOICES,
} from '../../support/sync.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';

const never = new AbortController().signal;
/** It has no changes to ask for, so each run reads the whole list. */
const LISTED = { ...BY_TIME, cursorField: null };
const FACTS = {
  state: 'running',
  isPaused: false,
  nextRunAt: null,
  nextRuns: [],
  timetable: atInterval(900_000),
  activeSince: 0,
  isOn: true,
  errors: 0,
  lastError: null,
  now: 0,
} as const;

it('how many rows a run will read is not said before one was complete: a part of the list says nothing of the rest', async () => {
  const [database, clock, kill] = [aMirror(), new VirtualClock(), new AbortController()];
  const control = new SqliteSyncControl(database);
  const expected: (number | null)[] = [];
  const source = aSource(async (_resource, _window, cursor) => {
    expected.push(viewOfStream({ store: new SqliteSyncStore(database), control }, INVOICES, FACTS).expected);
    if (cursor !== null && expected.length === 2) kill.abort();
    const first = cursor === null ? 0 : 2;
    const records = [aRecord(`r${first}`, null), aRecord(`r${first + 1}`, null)];
    return aPage(records, { next: cursor === null ? 'second' : null });
  });
  const runs: unknown[] = [];
  for (const signal of [kill.signal, never, never]) {
    const run = anEngine(database, clock).run(aStream(source, { manifest: LISTED }), signal);
    let isOver = false;
    void run.finally(() => {
      isOver = true;
    });
    while (!isOver) await clock.advance(1_000);
    runs.push([(await run)?.outcome, ...new Set(expected.splice(0))]);
    if (runs.length === 2) control.requestFull(INVOICES);
  }
  expect(runs).toEqual([
    ['stopped', null],
    ['complete', null],
    ['complete', 4],
  ]);
});
