import { hash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../../src/base/errors.ts';
import { silentLog } from '../../../src/base/log.ts';
import type { SourceRecord } from '../../../src/integration/connector.ts';
import type { SinkWrite } from '../../../src/integration/ports.ts';
import type { EngineDeps } from '../../../src/integration/run/engine.ts';
import { refreshRecord } from '../../../src/integration/run/record-refresh.ts';
import { statsOf } from '../../../src/integration/views/stats.ts';
import { SqliteMirrorReader } from '../../../src/store/mirror/sqlite-mirror-reader.ts';
import { SqliteSyncControl } from '../../../src/store/mirror/sqlite-sync-control.ts';
import { SqliteSyncStore } from '../../../src/store/mirror/sqlite-sync-store.ts';
import { aMirror, anEngine, aPage, aRecord, aSource, aStream, INVOICES } from '../../support/sync.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';

const never = new AbortController().signal;

/** A stream that has been read once, with records 1 and 2, and a source that gives what it is told for one. */
async function stage(get: (id: string) => SourceRecord | null, more: Parameters<typeof aStream>[1] = {}) {
  const [database, clock] = [aMirror(), new VirtualClock()];
  const at = clock.now() - 60_000;
  const asked: string[] = [];
  const source = aSource(async () => aPage([aRecord('1', at), aRecord('2', at)]), {
    get: async (_resource, id) => {
      asked.push(id);
      return get(id);
    },
  });
  const setup = aStream(source, more);
  const store = new SqliteSyncStore(database);
  const deps: EngineDeps = {
    store,
    clock,
    digest: (text) => hash('sha256', text, 'hex').slice(0, 32),
    payments: { isBusy: () => false },
    mayWrite: () => true,
    log: silentLog,
    owner: 'this life',
  };
  await clock.runUntil(anEngine(database, clock).run(setup, never));
  const refresh = (id: string) => refreshRecord(setup, deps, id, never);
  const reader = new SqliteMirrorReader(database);
  return { database, clock, at, setup, store, ports: deps, refresh, reader, asked };
}

describe('the refresh of one record', () => {
  it('takes the newer version and leaves cursor, window and freshness as they were', async () => {
    const { refresh, at, store, reader, clock } = await stage((id) =>
      aRecord(id, Date.UTC(2026, 0, 5, 9), 7),
    );
    const before = store.streamOf(INVOICES);
    await clock.advance(5_000);
    expect(await refresh('1')).toEqual({ status: 'succeeded', failure: null });
    expect(store.streamOf(INVOICES)).toEqual(before);
    const rows = reader.list(INVOICES, null, 10);
    expect(rows.map(({ id, body }) => [id, body['version']])).toEqual([
      ['1', 7],
      ['2', 1],
    ]);
    expect(at).toBeLessThan(clock.now());
  });

  it('is no run of the stream: neither its last one, nor a success, failure or interruption', async () => {
    const { refresh, database, clock } = await stage((id) => aRecord(id, null, 2));
    await refresh('1');
    const runs = new SqliteSyncControl(database).runsSince(INVOICES, 0, 10);
    expect(runs.map(({ outcome, message }) => [outcome, message])).toEqual([['complete', null]]);
    expect(statsOf(runs, '1h', clock.now())).toMatchObject({ success: 1, failure: 0 });
  });

  it('waits while the stream runs, and takes its turn after it', async () => {
    const { refresh, store, clock, asked } = await stage((id) => aRecord(id, null, 2));
    const lease = store.takeLease(INVOICES, 'a run', 'changes', clock.now(), clock.now() + 900_000);
    const refreshed = refresh('1');
    await clock.advance(30_000);
    expect(asked).toEqual([]);
    if (lease) store.end(lease, { outcome: 'complete', code: null, message: null, at: clock.now() });
    expect(await clock.runUntil(refreshed)).toMatchObject({ status: 'succeeded' });
  });

  it('gives up after ten minutes of a stream that runs, and disturbs nothing', async () => {
    const { refresh, store, clock } = await stage((id) => aRecord(id, null, 2));
    const lease = store.takeLease(INVOICES, 'a run', 'changes', clock.now(), clock.now() + 3_600_000);
    expect(await clock.runUntil(refresh('1'), 700_000, 1_000)).toMatchObject({
      failure: { code: 'SYNC_BUSY' },
    });
    if (lease) expect(() => store.renew(lease, clock.now() + 1)).not.toThrow();
  });

  it('that the source does not have takes nothing away', async () => {
    const { refresh, reader } = await stage(() => null);
    expect(await refresh('1')).toMatchObject({ status: 'failed', failure: { code: 'RECORD_GONE' } });
    expect(reader.list(INVOICES, null, 10)).toHaveLength(2);
  });

  it('does not believe a source that gives another record', async () => {
    const { refresh, clock, reader } = await stage(() => aRecord('2', null, 9));
    expect(await clock.runUntil(refresh('1'))).toMatchObject({ failure: { code: 'SOURCE_MALFORMED' } });
    expect(reader.list(INVOICES, null, 10).map(({ body }) => body['version'])).toEqual([1, 1]);
  });

  it('tells a remote sink first, and says why it waits where that refuses it', async () => {
    const written: SinkWrite[] = [];
    const { refresh, database } = await stage((id) => aRecord(id, null, 3), {
      sink: {
        kind: 'remote',
        write: async (batch) => {
          written.push(...batch);
          return batch.map(({ id }) =>
            id === '1' && written.length > 2
              ? { id, outcome: 'rejected', reason: 'no' }
              : { id, outcome: 'updated' },
          );
        },
      },
    });
    expect(await refresh('2')).toMatchObject({ status: 'succeeded' });
    expect(await refresh('1')).toMatchObject({
      status: 'failed',
      failure: { code: 'RECORD_PARKED', message: 'no' },
    });
    expect(written.slice(2).map(({ id }) => id)).toEqual(['2', '1']);
    expect(new SqliteSyncControl(database).parked(INVOICES, '', 10)).toMatchObject([
      { recordId: '1', why: 'rejected' },
    ]);
  });

  it('reaches the generation that is shown and the one that is being built', async () => {
    const { refresh, store, database, clock, at } = await stage((id) => aRecord(id, null, 5));
    new SqliteSyncControl(database).requestFull(INVOICES);
    let pages = 0;
    const cut = aStream(
      aSource(async () => {
        pages += 1;
        if (pages > 1) throw new AppError('SOURCE_LINE_DOWN', 'the line is cut');
        return aPage([aRecord('1', at)], { next: 'more' });
      }),
    );
    await clock.runUntil(anEngine(database, clock).run(cut, never));
    const { state, generation } = store.streamOf(INVOICES);
    const building = state.progress?.generation ?? 0;
    expect(building).not.toBe(generation);
    expect(await refresh('1')).toMatchObject({ status: 'succeeded' });
    const hashes = [generation, building].map((one) => store.rowsOf(INVOICES, one, ['1']).get('1')?.hash);
    expect(new Set(hashes).size).toBe(1);
    expect(store.streamOf(INVOICES).state).toEqual(state);
  });
});
