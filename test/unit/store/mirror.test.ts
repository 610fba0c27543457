import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { NEW_STREAM } from '../../../src/integration/stream.ts';
import { openMirror } from '../../../src/store/mirror/mirror-database.ts';
import { SqliteMirrorReader } from '../../../src/store/mirror/sqlite-mirror-reader.ts';
import { SqliteSyncStore } from '../../../src/store/mirror/sqlite-sync-store.ts';
import { aFolder } from '../../support/money-database.ts';
import { aMirror, anEngine, aPage, aRecord, aSource, aStream, INVOICES } from '../../support/sync.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';

describe('the mirror', () => {
  it('is opened with a durability that a power cut may cost the last commits, and says so', () => {
    expect(aMirror().get('PRAGMA synchronous')).toEqual({ synchronous: 1 });
  });

  it('that is damaged makes room for a new one', () => {
    const path = join(aFolder(), 'mirror.db');
    writeFileSync(path, Buffer.alloc(8_192, 7));
    const { database, isNew } = openMirror(path, '0.1.0');
    onTestFinished(() => database.close());
    expect(isNew).toBe(true);
    expect(new SqliteSyncStore(database).streamOf(INVOICES).state).toEqual(NEW_STREAM);
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

  it('is searched by words and fields, some rows at a time', async () => {
    const [database, clock] = [aMirror(), new VirtualClock()];
    const records = Array.from({ length: 30 }, (_, index) => {
      const id = `inv-${String(index).padStart(3, '0')}`;
      return {
        ...aRecord(id, 5),
        fields: { number: id, status: index % 2 === 0 ? 'open' : 'paid', name: `Łuk ${index}` },
      };
    });
    const source = aSource(async () => aPage(records));
    await clock.runUntil(anEngine(database, clock).run(aStream(source), new AbortController().signal));
    const reader = new SqliteMirrorReader(database);
    const query = { words: ['ŁUK 1'], where: { status: 'open' }, limit: 3 };
    const first = reader.search(INVOICES, query, null, 15);
    expect(first.rows.map(({ id }) => id)).toEqual(['inv-010', 'inv-012', 'inv-014']);
    expect(reader.search(INVOICES, query, first.next, 15).rows.map(({ id }) => id)).toEqual([
      'inv-016',
      'inv-018',
    ]);
    expect(reader.sizeOf(INVOICES).rows).toBe(30);
  });
});
