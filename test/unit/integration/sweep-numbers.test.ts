import { describe, expect, it } from 'vitest';
import { AppError } from '../../../src/base/errors.ts';
import type { ResourceManifest } from '../../../src/integration/connector.ts';
import { SqliteMirrorReader } from '../../../src/store/mirror/sqlite-mirror-reader.ts';
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

const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;
const BY_SCAN: ResourceManifest = { ...BY_TIME, deletes: 'scan' };
const never = new AbortController().signal;

/** A source of forty records and one without a time, which makes runs read everything; its runs may fail at their end, or on a second page. */
function aLife(manifest: ResourceManifest) {
  const [database, clock] = [aMirror(), new VirtualClock()];
  const records = [aRecord('timeless', null)];
  for (let no = 0; no < 40; no += 1) records.push(aRecord(`r${no}`, clock.now() - DAY + no));
  const source = { records, cutOff: '', failsAt: 'nothing' as 'nothing' | 'second page' | 'end' };
  let isAtEnd = false;
  const assertNotAtEnd = () => {
    if (isAtEnd) throw new AppError('STORAGE_FULL', 'no space left', { retry: 'safe' });
  };
  class Store extends SqliteSyncStore {
    override commitState(...args: Parameters<SqliteSyncStore['commitState']>): void {
      assertNotAtEnd();
      super.commitState(...args);
    }
    override swap(...args: Parameters<SqliteSyncStore['swap']>): void {
      assertNotAtEnd();
      super.swap(...args);
    }
  }
  const connector = aSource(async (_resource, { from }, token) => {
    const breaks = source.failsAt === 'second page';
    if (token !== null && breaks) throw new AppError('SOURCE_FORBIDDEN', 'not any more');
    if (from === null) {
      const note = source.cutOff === '' ? {} : { cutOff: source.cutOff };
      return aPage(source.records, { next: breaks ? 'second' : null, ...note });
    }
    isAtEnd = source.failsAt === 'end';
    return aPage(source.records.filter(({ updatedAt }) => updatedAt !== null && updatedAt >= from));
  });
  const engine = anEngine(database, clock, { store: new Store(database) });
  const stream = aStream(connector, { manifest, sweepEveryMs: DAY });
  const control = new SqliteSyncControl(database);
  return {
    ...{ database, source, control },
    run: async (afterMs: number) => {
      isAtEnd = false;
      clock.jumpWallClock(afterMs);
      const report = await clock.runUntil(engine.run(stream, never));
      return report.outcome === 'busy' ? 'busy' : `${report.kind} ${report.outcome}`;
    },
    shows: (id: string) =>
      new SqliteMirrorReader(database).list(INVOICES, null, 100).some((row) => row.id === id),
    lastMessage: () => control.runsSince(INVOICES, 0, 1)[0]?.message,
  };
}

describe('a row that an unfinished or uncounted sweep has seen', () => {
  it('is not taken for seen by the full resync behind it, which failed at its swap and went on', async () => {
    const { source, control, run, shows } = aLife(BY_TIME);
    expect(await run(0)).toBe('changes complete');
    source.failsAt = 'second page';
    expect(await run(2 * DAY)).toBe('null failed');
    source.records[8] = { ...aRecord('r7', source.records[40]?.updatedAt ?? 0), deleted: true };
    control.requestFull(INVOICES);
    source.failsAt = 'end';
    expect(await run(MINUTE)).toBe('null waiting');
    source.failsAt = 'nothing';
    expect(await run(MINUTE)).toBe('full complete');
    expect(await run(31 * MINUTE)).toBe('sweep complete');
    expect(shows('r7')).toBe(false);
  });

  it('is gone after the two complete sweeps that lack it', async () => {
    const { source, run, shows } = aLife(BY_SCAN);
    expect([await run(0), await run(2 * DAY)]).toEqual(['changes complete', 'sweep complete']);
    source.cutOff = 'there are more';
    expect(await run(2 * DAY)).toBe('sweep complete');
    source.cutOff = '';
    source.records.splice(7, 1);
    expect(await run(2 * DAY)).toBe('sweep complete');
    expect(shows('r6')).toBe(true);
    expect(await run(31 * MINUTE)).toBe('sweep complete');
    expect(shows('r6')).toBe(false);
  });
});

describe('a row that a list lacks which says that there is more', () => {
  it.each(['nothing', 'end'] as const)(
    'stays until two others lack it, although the end of the changes says nothing of it: the run fails at %s',
    async (failsAt) => {
      const { source, run, shows, lastMessage } = aLife(BY_SCAN);
      expect([await run(0), await run(2 * DAY)]).toEqual(['changes complete', 'sweep complete']);
      Object.assign(source, { failsAt, cutOff: 'there are more' });
      source.records.splice(7, 1);
      if (failsAt === 'end') expect(await run(2 * DAY)).toBe('null waiting');
      source.failsAt = 'nothing';
      expect(await run(2 * DAY)).toBe('sweep complete');
      expect(lastMessage()).toBe('there are more');
      source.cutOff = '';
      expect(await run(2 * DAY)).toBe('sweep complete');
      expect(shows('r6')).toBe(true);
      expect(await run(31 * MINUTE)).toBe('sweep complete');
      expect(shows('r6')).toBe(false);
    },
  );

  it('stays after a full resync of such a list, until two sweeps lack it', async () => {
    const { source, control, run, shows } = aLife(BY_SCAN);
    expect(await run(0)).toBe('changes complete');
    control.requestFull(INVOICES);
    source.cutOff = 'there are more';
    source.records.splice(7, 1);
    expect(await run(MINUTE)).toBe('full complete');
    source.cutOff = '';
    expect(await run(31 * MINUTE)).toBe('sweep complete');
    expect(shows('r6')).toBe(true);
    expect(await run(31 * MINUTE)).toBe('sweep complete');
    expect(shows('r6')).toBe(false);
  });
});

describe('a stream whose state cannot be read', () => {
  it('starts over, but with no number of a sweep or generation that its rows have already', async () => {
    const { database, source, control, run, shows } = aLife(BY_SCAN);
    expect(await run(0)).toBe('changes complete');
    for (let times = 0; times < 3; times += 1) expect(await run(2 * DAY)).toBe('sweep complete');
    control.requestFull(INVOICES);
    expect(await run(MINUTE)).toBe('full complete');
    database.run("UPDATE streams SET state = json_remove(state, '$.lateness')");
    expect(await run(MINUTE)).toBe('changes complete');
    source.records.splice(7, 1);
    expect([await run(2 * DAY), await run(31 * MINUTE)]).toEqual(['sweep complete', 'sweep complete']);
    expect(shows('r6')).toBe(false);
    source.records.splice(8, 1);
    control.requestFull(INVOICES);
    expect(await run(MINUTE)).toBe('full complete');
    expect(shows('r8')).toBe(false);
  });
});

describe('a record without a time that moves past the cursor of a list', () => {
  /** Newest first by a time that is shown of all records but r0: pages of ten, each behind the last record of the one before. */
  function aList() {
    const [database, clock] = [aMirror(), new VirtualClock()];
    const rows = Array.from({ length: 40 }, (_, no) => ({ id: `r${no}`, at: clock.now() - DAY + no }));
    /** Until the changes are asked for r0 is not shown; once the first page of everything was read it changes, and is the newest. */
    const list = { hides: false, moves: false };
    const connector = aSource(async (_resource, { from }, token) => {
      if (from !== null) list.hides = false;
      const isAsked = ({ id, at }: { id: string; at: number }) =>
        from === null ? !(list.hides && id === 'r0') : id !== 'r0' && at >= from;
      const behind = rows
        .filter((row) => isAsked(row) && (token === null || row.at < Number(token)))
        .toSorted((one, other) => other.at - one.at);
      const page = behind.slice(0, 10);
      if (list.moves && !list.hides && from === null && token === null) {
        rows[0] = { id: 'r0', at: clock.now() };
        list.moves = false;
      }
      return aPage(
        page.map(({ id, at }) => aRecord(id, id === 'r0' ? null : at)),
        { next: behind.length > 10 ? String(page.at(-1)?.at) : null },
      );
    });
    const engine = anEngine(database, clock);
    const stream = aStream(connector, { manifest: BY_SCAN, sweepEveryMs: DAY });
    return {
      list,
      run: async (afterMs: number) => {
        clock.jumpWallClock(afterMs);
        const report = await clock.runUntil(engine.run(stream, never));
        return report.outcome === 'busy' ? 'busy' : `${report.kind} ${report.outcome}`;
      },
      shows: () => new SqliteMirrorReader(database).list(INVOICES, null, 100).some(({ id }) => id === 'r0'),
      requestFull: () => new SqliteSyncControl(database).requestFull(INVOICES),
    };
  }

  it('is not deleted by a full resync whose first list was a part, and whose second one it moved past', async () => {
    const { list, run, shows, requestFull } = aList();
    expect(await run(0)).toBe('changes complete');
    requestFull();
    Object.assign(list, { hides: true, moves: true });
    expect(await run(MINUTE)).toBe('full complete');
    expect(list).toEqual({ hides: false, moves: false });
    expect(shows()).toBe(true);
  });
});
