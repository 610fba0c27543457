import { describe, expect, it } from 'vitest';
import type { SourceRecord, SyncWindow } from '../../../src/integration/connector.ts';
import { SqliteMirrorReader } from '../../../src/store/mirror/sqlite-mirror-reader.ts';
import { SqliteSyncControl } from '../../../src/store/mirror/sqlite-sync-control.ts';
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
const MINUTE = 60_000;
const DAY = 86_400_000;

function ids(database: ReturnType<typeof aMirror>): readonly string[] {
  return new SqliteMirrorReader(database).list(INVOICES, null, 100).map(({ id }) => id);
}

function within({ from, to }: SyncWindow) {
  return ({ updatedAt }: SourceRecord) => (updatedAt ?? 0) >= (from ?? 0) && (updatedAt ?? 0) <= to;
}

describe('a window that reaches back to a bad record', () => {
  it('never moves the cursor, for a source may silently show a part of a long list', async () => {
    const [database, clock] = [aMirror(), new VirtualClock()];
    const rows = [aRecord('old', clock.now() - 40 * DAY)];
    let bad: readonly { readonly id: string; readonly reason: string; readonly excerpt: string }[] = [
      { id: 'broken', reason: 'total is no number', excerpt: '{}' },
    ];
    let hides = false;
    const source = aSource(async (_resource, window) => {
      const all = rows.filter(within(window)).toReversed();
      const isLong = window.from === null || window.to - window.from > 20 * DAY;
      return aPage(hides && isLong ? all.slice(0, 1) : all, { bad: isLong ? bad : [] });
    });
    const engine = anEngine(database, clock);
    expect(await clock.runUntil(engine.run(aStream(source), never))).toMatchObject({ outcome: 'complete' });
    bad = [];
    hides = true;
    for (const id of ['a', 'b', 'c']) {
      rows.push(aRecord(id, clock.now()));
      await clock.advance(20 * MINUTE);
    }
    await clock.advance(MINUTE);
    await clock.runUntil(engine.run(aStream(source), never));
    for (let run = 0; run < 3; run += 1) {
      await clock.advance(30 * MINUTE);
      await clock.runUntil(engine.run(aStream(source), never));
    }
    expect(ids(database)).toEqual(['a', 'b', 'c', 'old']);
  });

  it('shows the record when it has come good, without the source being asked for it alone', async () => {
    const [database, clock] = [aMirror(), new VirtualClock()];
    const [old, recent] = [aRecord('old', clock.now() - 40 * DAY), aRecord('recent', clock.now() - 1_000)];
    let isBroken = true;
    const source = aSource(async (_resource, window) => {
      const shown = [...(isBroken ? [] : [old]), recent].filter(within(window));
      const bad = isBroken && window.from === null ? [{ id: 'old', reason: 'no', excerpt: '{}' }] : [];
      return aPage(shown, { bad });
    });
    const engine = anEngine(database, clock);
    await clock.runUntil(engine.run(aStream(source), never));
    expect(ids(database)).toEqual(['recent']);
    isBroken = false;
    await clock.advance(2 * MINUTE);
    await clock.runUntil(engine.run(aStream(source), never));
    expect(ids(database)).toEqual(['old', 'recent']);
  });
});

describe('the tail of a sweep', () => {
  it('has no end: a row that is newer by its own clock than by the clock of the answers is seen', async () => {
    const [database, clock] = [aMirror(), new VirtualClock()];
    const lag = 3 * MINUTE;
    const still = Array.from({ length: 30 }, (_, index) => aRecord(`still ${index}`, clock.now() - DAY));
    let busy = aRecord('busy', clock.now() - DAY);
    const manifest = { ...BY_TIME, deletes: 'scan' } as const;
    const source = aSource(async (_resource, window) => {
      const shown = [...still, busy].filter(within(window));
      return aPage(shown, { sourceNow: clock.now() - lag });
    });
    const [engine, stream] = [
      anEngine(database, clock),
      aStream(source, { manifest, sweepEveryMs: 30 * MINUTE }),
    ];
    await clock.runUntil(engine.run(stream, never));
    new SqliteSyncControl(database).requestFull(INVOICES);
    for (let run = 0; run < 4; run += 1) {
      await clock.advance(31 * MINUTE);
      busy = aRecord('busy', clock.now(), run + 2);
      await clock.runUntil(engine.run(stream, never));
      expect(ids(database)).toContain('busy');
    }
  });

  it('puts no cursor into the future, whatever time a row claims', async () => {
    const [database, clock] = [aMirror(), new VirtualClock()];
    const rows = [aRecord('one', clock.now() - DAY), aRecord('odd', clock.now() + 90 * DAY)];
    const windows: SyncWindow[] = [];
    const manifest = { ...BY_TIME, deletes: 'scan' } as const;
    const source = aSource(async (_resource, window) => {
      windows.push(window);
      return aPage(rows.filter(within(window)));
    });
    const engine = anEngine(database, clock);
    const stream = aStream(source, { manifest, sweepEveryMs: 10 * DAY });
    await clock.runUntil(engine.run(stream, never));
    new SqliteSyncControl(database).requestFull(INVOICES);
    await clock.runUntil(engine.run(stream, never));
    await clock.advance(MINUTE);
    await clock.runUntil(engine.run(stream, never));
    expect(windows.at(-1)?.from).toBeLessThan(clock.now());
  });
});
