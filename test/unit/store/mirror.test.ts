import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { NEW_STREAM } from '../../../src/integration/window/stream.ts';
import type { Database } from '../../../src/store/database.ts';
import { openMirror } from '../../../src/store/mirror/mirror-database.ts';
import { SqliteMirrorReader } from '../../../src/store/mirror/sqlite-mirror-reader.ts';
import { SqliteSyncStore } from '../../../src/store/mirror/sqlite-sync-store.ts';
import { aFolder } from '../../support/money-database.ts';
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

/** A page in the log, with the header before it. */
const FRAME = 4_096 + 24;
const never = new AbortController().signal;
/** Its deletes show only in that rows are missing. */
const SWEPT = { ...BY_TIME, pageStyle: 'whole', deletes: 'scan' } as const;

describe('the mirror', () => {
  it('is opened with a durability that a power cut may cost the last commits, and says so', () => {
    expect(aMirror().get('PRAGMA synchronous')).toEqual({ synchronous: 1 });
  });

  it('that is damaged makes room for a new one', () => {
    const path = join(aFolder(), 'mirror.db');
    writeFileSync(path, Buffer.alloc(8_192, 7));
    const { database, isNew } = openMirror(path, '0.1.0', 0);
    onTestFinished(() => database.close());
    expect(isNew).toBe(true);
    expect(new SqliteSyncStore(database).streamOf(INVOICES).state).toEqual(NEW_STREAM);
  });

  it('finds the row of a UUID whichever letters the source wrote it in', async () => {
    const [database, clock] = [aMirror(), new VirtualClock()];
    const ids = ['0199c0de-0001-7000-8000-00000000000b', '0199C0DE-0002-7000-8000-00000000000B', 'Inv-1'];
    const engine = anEngine(database, clock);
    await clock.runUntil(
      engine.run(aStream(aSource(async () => aPage(ids.map((id) => aRecord(id, 5))))), never),
    );
    const reader = new SqliteMirrorReader(database);
    for (const id of ids) expect(reader.find(INVOICES, id)).toMatchObject({ id });
    expect(reader.find(INVOICES, `${ids[0]?.toUpperCase()}`)).toMatchObject({ id: ids[0] });
    expect(reader.find(INVOICES, `${ids[1]?.toLowerCase()}`)).toMatchObject({ id: ids[1] });
    expect(reader.find(INVOICES, 'inv-1')).toBeNull();
  });

  it('refuses a state of more than 4 KiB, and keeps the one before', () => {
    const database = aMirror();
    const store = new SqliteSyncStore(database);
    const lease = store.takeLease(INVOICES, 'me', 'changes', 0, 1_000);
    if (!lease) throw new Error('no lease');
    const large = { ...NEW_STREAM, lateness: Array.from({ length: 3_000 }, () => 1) };
    expect(() => store.commitState(lease, large)).toThrow();
    expect(store.streamOf(INVOICES).state).toEqual(NEW_STREAM);
  });

  it('is swept without writing an index where nothing has changed', async () => {
    const [database, clock] = [aMirror(), new VirtualClock()];
    const all = Array.from({ length: 300 }, (_, index) =>
      aRecord(`row ${String(index).padStart(3, '0')}`, 5),
    );
    const engine = anEngine(database, clock);
    const stream = aStream(
      aSource(async () => aPage(all)),
      { manifest: SWEPT, sweepEveryMs: 0 },
    );
    await clock.runUntil(engine.run(stream, never));
    database.get('PRAGMA wal_checkpoint(TRUNCATE)');
    await clock.runUntil(engine.run(stream, never));
    expect(sweptIn(database)).toEqual([{ sweep: 1, n: 300 }]);
    expect(writtenIn(database).filter((name) => name.startsWith('rows'))).toEqual(['rows']);
  });

  it('finds rows that left a long list, some rows at a time', async () => {
    const [database, clock] = [aMirror(), new VirtualClock()];
    const all = Array.from({ length: 4_500 }, (_, index) =>
      aRecord(`row ${String(index).padStart(4, '0')}`, 5),
    );
    const gone = new Set([...all.slice(0, 2), ...all.slice(1_999, 2_001), ...all.slice(-2)]);
    let shown = all;
    const engine = anEngine(database, clock);
    const stream = aStream(
      aSource(async () => aPage(shown)),
      { manifest: SWEPT, sweepEveryMs: 0 },
    );
    await clock.runUntil(engine.run(stream, never));
    shown = all.filter((record) => !gone.has(record));
    const reader = new SqliteMirrorReader(database);
    await clock.runUntil(engine.run(stream, never));
    expect(reader.sizeOf(INVOICES).rows).toBe(4_500);
    await clock.runUntil(engine.run(stream, never));
    expect(reader.sizeOf(INVOICES).rows).toBe(4_494);
    expect(reader.list(INVOICES, null, 3).map(({ id }) => id)).toEqual(['row 0002', 'row 0003', 'row 0004']);
  });
});

function sweptIn(database: Database): readonly unknown[] {
  return database.all('SELECT sweep, count(*) AS n FROM rows GROUP BY sweep');
}

/** The tables and indexes of which the log holds pages. */
function writtenIn(database: Database): readonly string[] {
  const log = readFileSync(`${database.path}-wal`);
  const salt = log.readUInt32BE(16);
  const pages = new Set<number>();
  for (let at = 32; at + FRAME <= log.length && log.readUInt32BE(at + 8) === salt; at += FRAME)
    pages.add(log.readUInt32BE(at));
  return (database.all('SELECT pageno, name FROM dbstat') as readonly { pageno: number; name: string }[])
    .filter(({ pageno }) => pages.has(pageno))
    .map(({ name }) => name)
    .filter((name, at, all) => all.indexOf(name) === at);
}
