import { describe, expect, it } from 'vitest';
import { AppError } from '../../../src/base/errors.ts';
import type { SourcePage, SyncWindow } from '../../../src/integration/connector.ts';
import type { SinkWrite } from '../../../src/integration/ports.ts';
import { stopOf } from '../../../src/integration/run/engine.ts';
import { LEASE_MS, type StreamSetup } from '../../../src/integration/run/sync-run.ts';
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

const never = new AbortController().signal;

function ids(database: ReturnType<typeof aMirror>): readonly string[] {
  return new SqliteMirrorReader(database).list(INVOICES, null, 100).map(({ id }) => id);
}

function refusal(code: string, retryAfterMs?: number): AppError {
  return new AppError(
    code,
    code,
    retryAfterMs === undefined ? {} : { context: { details: { retryAfterMs } } },
  );
}

describe('a sync run', () => {
  it('tells a remote sink a hundred records at a time, and lets payments pass in between', async () => {
    const [database, clock, sizes] = [aMirror(), new VirtualClock(), [] as number[]];
    const records = Array.from({ length: 250 }, (_, no) => aRecord(`r${no}`, clock.now() - 1));
    let isBusy = false;
    const write = async (batch: readonly SinkWrite[]) => {
      sizes.push(batch.length);
      isBusy = true;
      return batch.map(({ id }) => ({ id, outcome: 'created' as const }));
    };
    const engine = anEngine(database, clock, { payments: { isBusy: () => isBusy } });
    const run = engine.run(
      aStream(
        aSource(async () => aPage(records)),
        { sink: { kind: 'remote', write } },
      ),
      never,
    );
    for (const expected of [[100], [100, 100], [100, 100, 50]]) {
      await clock.advance(10_000);
      expect(sizes).toEqual(expected);
      isBusy = false;
      await clock.advance(250);
    }
    isBusy = false;
    expect(await clock.runUntil(run)).toMatchObject({ outcome: 'complete' });
  });

  it('freezes its upper bound before the first request and keeps it for every page', async () => {
    const [database, clock, windows] = [aMirror(), new VirtualClock(), [] as SyncWindow[]];
    const startedAt = clock.now();
    const source = aSource(async (_resource, window, token) => {
      windows.push(window);
      clock.jumpWallClock(3_600_000);
      return aPage([aRecord(token ?? 'first', startedAt - 5)], { next: token === null ? 'second' : null });
    });
    const run = anEngine(database, clock).run(aStream(source), never);
    expect(await clock.runUntil(run)).toMatchObject({ outcome: 'complete' });
    expect(windows).toEqual([
      { from: null, to: startedAt },
      { from: null, to: startedAt },
    ]);
    expect(ids(database)).toEqual(['first', 'second']);
  });

  it('begins the next window at the cursor, ten minutes and a clock below it', async () => {
    const [database, clock, windows] = [aMirror(), new VirtualClock(), [] as SyncWindow[]];
    const at = clock.now() - 1_000;
    const source = aSource(async (_resource, window) => {
      windows.push(window);
      return aPage([aRecord('one', at)]);
    });
    const engine = anEngine(database, clock);
    await clock.runUntil(engine.run(aStream(source), never));
    await clock.runUntil(engine.run(aStream(source), never));
    expect(windows[1]?.from).toBe(at - 15 * 60_000);
  });

  it('looks back in days for the first sync of invoices alone, and a full resync reads everything', async () => {
    const [database, clock, windows] = [aMirror(), new VirtualClock(), [] as SyncWindow[]];
    const source = aSource(async (_resource, window) => {
      windows.push(window);
      return aPage([]);
    });
    const engine = anEngine(database, clock);
    const startedAt = clock.now();
    const run = (more: Partial<StreamSetup> = {}) =>
      clock.runUntil(engine.run(aStream(source, { lookbackDays: 30, ...more }), never));
    await run();
    expect(windows[0]?.from).toBe(startedAt - 30 * 86_400_000);
    new SqliteSyncControl(database).requestFull(INVOICES);
    await run();
    expect(windows[1]?.from).toBeNull();
    const manifest = { ...BY_TIME, name: 'customers' };
    await run({ stream: { integration: 'provider_a', resource: 'customers' }, manifest });
    expect(windows.at(-1)?.from).toBeNull();
  });

  it('never puts an older version in the place of a newer one', async () => {
    const [database, clock] = [aMirror(), new VirtualClock()];
    const at = clock.now() - 60_000;
    const pages = [aPage([aRecord('one', at, 2)]), aPage([aRecord('one', at - 1, 1)])];
    const source = aSource(async () => pages.shift() ?? aPage([]));
    const engine = anEngine(database, clock);
    await clock.runUntil(engine.run(aStream(source), never));
    await clock.runUntil(engine.run(aStream(source), never));
    expect(new SqliteMirrorReader(database).find(INVOICES, 'one')?.body).toEqual({
      number: 'one',
      version: 2,
    });
  });

  it('parks a bad record alone and lets it go when it comes good', async () => {
    const [database, clock] = [aMirror(), new VirtualClock()];
    const at = clock.now() - 60_000;
    const bad = [{ id: 'two', reason: 'total is no number', excerpt: '{' }];
    const pages = [aPage([aRecord('one', at)], { bad }), aPage([aRecord('two', at)])];
    const source = aSource(async () => pages.shift() ?? aPage([]));
    const engine = anEngine(database, clock);
    const control = new SqliteSyncControl(database);
    await clock.runUntil(engine.run(aStream(source), never));
    expect(control.parked(INVOICES, '', 10)).toMatchObject([
      { key: 'two', why: 'bad', reason: 'total is no number' },
    ]);
    await clock.runUntil(engine.run(aStream(source), never));
    expect(control.parked(INVOICES, '', 10)).toEqual([]);
    expect(ids(database)).toEqual(['one', 'two']);
  });

  it('takes up what waits for a mapping when the mapping appears', async () => {
    const [database, clock] = [aMirror(), new VirtualClock()];
    const at = clock.now() - 60_000;
    let isMapped = false;
    const source = aSource(async () => aPage(isMapped ? [] : [aRecord('one', at)]));
    const stream = aStream(source, {
      map: ({ fields }) =>
        isMapped ? { kind: 'write', body: fields } : { kind: 'park', reason: 'no mapping', needs: 'P1' },
    });
    const engine = anEngine(database, clock);
    await clock.runUntil(engine.run(stream, never));
    expect(ids(database)).toEqual([]);
    isMapped = true;
    expect(new SqliteSyncControl(database).release('provider_a', ['P1'], clock.now())).toBe(1);
    await clock.runUntil(engine.run(stream, never));
    expect(ids(database)).toEqual(['one']);
  });

  it('is refused by a source that names the same page for ever, and begins that pass again', async () => {
    const [database, clock, tokens] = [aMirror(), new VirtualClock(), [] as (string | null)[]];
    const source = aSource(async (_resource, _window, token) => {
      tokens.push(token);
      return aPage([], { next: 'again' });
    });
    const engine = anEngine(database, clock);
    expect(await clock.runUntil(engine.run(aStream(source), never))).toMatchObject({
      outcome: 'failed',
      failure: { code: 'SOURCE_MALFORMED' },
    });
    await clock.runUntil(engine.run(aStream(source), never));
    expect(tokens).toEqual([null, 'again', null, 'again']);
  });

  it('reads a pass from its first page where the source has forgotten the place', async () => {
    const [database, clock, tokens] = [aMirror(), new VirtualClock(), [] as (string | null)[]];
    const source = aSource(async (_resource, _window, token) => {
      tokens.push(token);
      if (token === 'second' && tokens.length === 2) throw refusal('SOURCE_REFUSED');
      return aPage([aRecord(token ?? 'first', 5)], { next: token === null ? 'second' : null });
    });
    const report = await clock.runUntil(anEngine(database, clock).run(aStream(source), never));
    expect(report).toMatchObject({ outcome: 'complete' });
    expect(tokens).toEqual([null, 'second', null, 'second']);
  });
});

describe('a stream', () => {
  it('runs once at a time, and a run that shows no life loses it after its deadline', async () => {
    const [database, clock] = [aMirror(), new VirtualClock()];
    const gate: { open: (page: SourcePage) => void } = { open: () => undefined };
    const stuck = aSource(() => new Promise((resolve) => (gate.open = resolve)));
    const engine = anEngine(database, clock);
    const first = engine.run(aStream(stuck), never).catch((error: unknown) => error);
    await clock.settle();
    expect(await engine.run(aStream(stuck), never)).toEqual({ outcome: 'busy' });
    clock.jumpWallClock(LEASE_MS + 1);
    const second = engine.run(aStream(aSource(async () => aPage([aRecord('two', 5)]))), never);
    expect(await clock.runUntil(second)).toMatchObject({ outcome: 'complete' });
    gate.open(aPage([aRecord('one', 5)]));
    expect(await clock.runUntil(first)).toMatchObject({ code: 'LEASE_LOST' });
    expect(ids(database)).toEqual(['two']);
  });

  it('goes on where it was stopped', async () => {
    const [database, clock, tokens] = [aMirror(), new VirtualClock(), [] as (string | null)[]];
    const stop = new AbortController();
    const source = aSource(async (_resource, _window, token) => {
      tokens.push(token);
      if (tokens.length === 1) stop.abort(stopOf());
      return aPage([aRecord(token ?? 'first', 5)], { next: token === null ? 'second' : null });
    });
    const engine = anEngine(database, clock);
    const report = await clock.runUntil(engine.run(aStream(source), stop.signal));
    expect(report).toMatchObject({ outcome: 'stopped' });
    expect(await clock.runUntil(engine.run(aStream(source), never))).toMatchObject({ outcome: 'complete' });
    expect(ids(database)).toEqual(['first', 'second']);
  });

  it('lets payments pass between its pages', async () => {
    const [database, clock, asked] = [aMirror(), new VirtualClock(), [] as number[]];
    let isBusy = true;
    const source = aSource(async () => {
      asked.push(clock.monotonic());
      return aPage([]);
    });
    const engine = anEngine(database, clock, { payments: { isBusy: () => isBusy } });
    const run = engine.run(aStream(source), never);
    await clock.advance(5_000);
    expect(asked).toEqual([]);
    isBusy = false;
    await clock.runUntil(run);
    expect(asked).toHaveLength(1);
  });

  it('waits half a minute for payments that never end, and then a moment before each page', async () => {
    const [database, clock, asked] = [aMirror(), new VirtualClock(), [] as number[]];
    const startedAt = clock.monotonic();
    const source = aSource(async (_resource, _window, token) => {
      asked.push(clock.monotonic() - startedAt);
      const page = Number(token ?? '0');
      return aPage([aRecord(`r${page}`, clock.now() - 1)], { next: page === 40 ? null : `${page + 1}` });
    });
    const run = anEngine(database, clock, { payments: { isBusy: () => true } }).run(aStream(source), never);
    await clock.advance(29_000);
    expect(asked).toEqual([]);
    await clock.advance(3_000);
    expect(asked[0]).toBe(30_000);
    expect(asked.length).toBeGreaterThan(10);
    expect(asked.length).toBeLessThan(20);
    expect(await clock.runUntil(run)).toMatchObject({ outcome: 'complete' });
  });

  it.each([
    ['SOURCE_UNAUTHORISED', undefined, 'failed', 1],
    ['SOURCE_LINE_DOWN', undefined, 'waiting', 1],
    ['SOURCE_RATE_LIMITED', 120_000, 'waiting', 1],
    ['SOURCE_UNAVAILABLE', undefined, 'failed', 3],
    ['SOURCE_MALFORMED', undefined, 'failed', 3],
    ['SOURCE_REFUSED', undefined, 'failed', 1],
  ] as const)(
    'whose source says %s (wait %s ms) is %s after %i requests',
    async (code, waitMs, outcome, requests) => {
      const [database, clock] = [aMirror(), new VirtualClock()];
      let asked = 0;
      const source = aSource(async () => {
        asked += 1;
        throw refusal(code, waitMs);
      });
      const report = await clock.runUntil(anEngine(database, clock).run(aStream(source), never));
      expect(report).toMatchObject({ outcome, failure: { code } });
      expect(asked).toBe(requests);
      expect(new SqliteSyncStore(database).streamOf(INVOICES).freshAt).toBeNull();
    },
  );
});

describe('a full resync', () => {
  it('that lacks more than 5 % of the rows changes nothing that readers see, and waits for a person', async () => {
    const [database, clock] = [aMirror(), new VirtualClock()];
    const all = Array.from({ length: 40 }, (_, index) => aRecord(`row ${String(index).padStart(2, '0')}`, 5));
    let shown = all;
    const source = aSource(async () => aPage(shown));
    const engine = anEngine(database, clock);
    const control = new SqliteSyncControl(database);
    await clock.runUntil(engine.run(aStream(source), never));
    shown = all.slice(0, 30);
    control.requestFull(INVOICES);
    expect(await clock.runUntil(engine.run(aStream(source), never))).toMatchObject({
      outcome: 'held',
      held: { kind: 'resync', missing: 10, rows: 40 },
    });
    expect(ids(database)).toHaveLength(40);
  });
});

describe('deletes', () => {
  it('of more than 5 % are held until a person lets these very rows go', async () => {
    const [database, clock] = [aMirror(), new VirtualClock()];
    const all = Array.from({ length: 40 }, (_, index) => aRecord(`row ${String(index).padStart(2, '0')}`, 5));
    let page = aPage(all);
    const manifest = { ...BY_TIME, deletes: 'tombstones' } as const;
    const stream = aStream(
      aSource(async () => page),
      { manifest },
    );
    const engine = anEngine(database, clock);
    await clock.runUntil(engine.run(stream, never));
    page = aPage(all.slice(0, 3).map((record) => ({ ...record, updatedAt: 6, deleted: true })));
    expect(await clock.runUntil(engine.run(stream, never))).toMatchObject({
      held: { kind: 'deletes', missing: 3 },
    });
    expect(ids(database)).toHaveLength(40);
    new SqliteSyncControl(database).approve(INVOICES);
    expect(await clock.runUntil(engine.run(stream, never))).toMatchObject({
      outcome: 'complete',
      held: null,
    });
    expect(ids(database)).toHaveLength(37);
  });
});
