import { randomBytes } from 'node:crypto';
import { copyFileSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { silentLog } from '../../../src/base/log.ts';
import type { Connector } from '../../../src/integration/connector.ts';
import type { Sink } from '../../../src/integration/ports.ts';
import { examine } from '../../../src/store/damage/damage-check.ts';
import type { Database } from '../../../src/store/database.ts';
import { SqliteHorizonStore } from '../../../src/store/integrations/sqlite-horizon-store.ts';
import { mirrorLossIn } from '../../../src/store/mirror/mirror-loss.ts';
import { MirrorPlace } from '../../../src/store/mirror/mirror-place.ts';
import { overwrite } from '../../support/damage.ts';
import { aFolder, aMoneyDatabase } from '../../support/money-database.ts';
import { anEngine, aPage, aRecord, aSource, aStream, BY_TIME, INVOICES } from '../../support/sync.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';

const PAGE_BYTES = 4096;
const never = new AbortController().signal;
const STREAM = { integration: 'service', resource: 'invoices' } as const;
const ROWS = 400;
const RECORDS = Array.from({ length: ROWS }, (_, index) =>
  aRecord(`row ${String(index).padStart(3, '0')}`, 5 + index),
);

interface Shop {
  readonly clock: VirtualClock;
  readonly place: MirrorPlace;
  readonly database: () => Database;
  /** One run of the stream to its end; the outcome, or the code of what it threw. */
  run(): Promise<string>;
}

function aShop(path: string): Shop {
  const clock = new VirtualClock();
  const place = new MirrorPlace({ path, version: '0.1.0', clock, log: silentLog });
  onTestFinished(() => place.close());
  const database = () => place.use((parts) => parts.database);
  const engine = anEngine(database(), clock, { store: place.store });
  const stream = aStream(
    aSource(async () => aPage(RECORDS)),
    { stream: STREAM, manifest: { ...BY_TIME, pageStyle: 'whole', deletes: 'scan' }, sweepEveryMs: 0 },
  );
  return {
    clock,
    place,
    database,
    run: () =>
      clock.runUntil(
        engine.run(stream, never).then(
          ({ outcome }) => outcome,
          (error) => String(Reflect.get(error, 'code')),
        ),
      ),
  };
}

/** A mirror of more than 22 pages, at rest. */
async function aWholeMirror(): Promise<string> {
  const path = join(aFolder(), 'mirror.db');
  const { place, run } = aShop(path);
  expect(await run()).toBe('complete');
  place.store.indexWords();
  place.close();
  return path;
}

function keptBeside(path: string): readonly string[] {
  return readdirSync(dirname(path)).filter((name) => name.includes('.damaged-'));
}

/** Everything that reads or writes the mirror while it is in use; what throws is what a caller would hear of. */
async function work({ place, run }: Shop): Promise<readonly string[]> {
  const heard: string[] = [];
  const measure = (name: string, call: () => unknown) => {
    try {
      call();
    } catch (error) {
      heard.push(`${name}: ${String(error)}`);
    }
  };
  measure('page', () => place.reader.page(STREAM, { place: { offset: 0 }, limit: 500, isCounted: true }));
  measure('search', () => place.reader.page(STREAM, { search: 'row', place: { offset: 0 }, limit: 500 }));
  measure('one', () => place.reader.find(STREAM, 'row 200'));
  measure('size', () => place.reader.sizeOf(STREAM));
  measure('runs', () => place.control.runsSince(STREAM, 0, 10));
  measure('parked', () => place.control.parked(STREAM, '', 10));
  const outcome = await run();
  if (outcome !== 'complete' && outcome !== 'LEASE_LOST') heard.push(`run: ${outcome}`);
  measure('words', () => place.store.indexWords());
  return heard;
}

/** A page comes back from the disk as something else while the mirror is open; what is wrong afterwards. */
async function damagedWhileOpen(whole: string, page: number, bytes: Buffer) {
  const path = join(aFolder(), 'mirror.db');
  copyFileSync(whole, path);
  const shop = aShop(path);
  overwrite(path, page * PAGE_BYTES, bytes);
  const heard = [...(await work(shop))];
  const flaw = examine(path);
  if (flaw !== null) shop.place.replace(flaw);
  await shop.run();
  const isReplaced = shop.place.loss !== null;
  if (shop.place.reader.sizeOf(STREAM).rows !== ROWS) heard.push('rows are missing');
  if ((await shop.run()) !== 'complete') heard.push('a later run is not complete');
  if (keptBeside(path).length > 1) heard.push('it was set aside more than once');
  if (examine(path) !== null) heard.push('it is still damaged');
  shop.place.close();
  return { heard, isReplaced };
}

describe('a mirror that is damaged while it is in use', () => {
  it('in any page is set aside without a restart, and is read again; no caller hears of it', async () => {
    const whole = await aWholeMirror();
    const pages = statSync(whole).size / PAGE_BYTES;
    expect(pages).toBeGreaterThanOrEqual(22);
    const ends = [];
    for (let page = 0; page < pages; page += 1)
      for (const bytes of [Buffer.alloc(PAGE_BYTES), randomBytes(PAGE_BYTES)])
        ends.push({ page, ...(await damagedWhileOpen(whole, page, bytes)) });
    const failures = ends.flatMap(({ page, heard }) => heard.map((text) => `page ${page + 1}: ${text}`));
    const replaced = ends.filter(({ isReplaced }) => isReplaced).length;
    expect(failures).toEqual([]);
    // A page that a commit writes anew before it is read is whole again.
    expect(replaced).toBeGreaterThan(2 * pages * 0.9);
  });

  it('by a row that no check of the pages shows is set aside, too', async () => {
    const path = await aWholeMirror();
    const shop = aShop(path);
    shop.database().run(`UPDATE rows SET body = '[1]' WHERE id = 'row 007'`);
    expect(shop.place.reader.find(STREAM, 'row 007')).toBeNull();
    expect(shop.place.loss).toMatchObject({ what: 'a mirrored row is no JSON object', readAgainAt: null });
    expect(await shop.run()).toBe('complete');
    expect(shop.place.reader.find(STREAM, 'row 007')).toMatchObject({ id: 'row 007' });
  });

  it('has a note of that until everything was read again, and after it; also in the next process', async () => {
    const path = await aWholeMirror();
    const { place, clock } = aShop(path);
    place.replace('a test says so');
    expect(place.loss).toEqual({
      at: clock.now(),
      what: 'a test says so',
      kept: keptBeside(path)[0],
      readAgainAt: null,
    });
    place.settle();
    place.close();
    const again = aShop(path);
    expect(again.place.loss).toMatchObject({ what: 'a test says so', readAgainAt: clock.now() });
    expect(mirrorLossIn(again.database())).toEqual(again.place.loss);
  });

  it('keeps two damaged files and no more', async () => {
    const path = await aWholeMirror();
    const { place, clock } = aShop(path);
    for (let time = 0; time < 5; time += 1) {
      place.replace('again');
      await clock.advance(86_400_001);
    }
    expect(keptBeside(path)).toHaveLength(2);
  });

  it('again and again is not replaced without an end: a pause follows that doubles', async () => {
    const path = await aWholeMirror();
    const { place } = aShop(path);
    for (let time = 0; time < 3; time += 1) place.replace('again');
    expect(() => place.replace('again')).toThrow(
      /mirror\.db cannot be used again.*10 minutes.*Payments do not need it/,
    );
  });

  it('loses no record of the lists to a call that refuses a state by a rule of its table', async () => {
    const path = await aWholeMirror();
    const { place } = aShop(path);
    const lease = place.store.takeLease(INVOICES, 'me', 'changes', 0, 1_000);
    if (!lease) throw new Error('no lease');
    const { state } = place.store.streamOf(INVOICES);
    const large = { ...state, lateness: Array.from({ length: 3_000 }, () => 1) };
    expect(() => place.store.commitState(lease, large)).toThrow();
    expect(place.loss).toBeNull();
    expect(place.reader.sizeOf(STREAM).rows).toBe(ROWS);
  });
});

describe('a mirror that is lost', () => {
  const INVOICES_OF_A = { integration: 'provider_a', resource: 'invoices' } as const;
  const LOOKBACK_DAYS = 30;
  const DAY_MS = 86_400_000;

  /** A provider's invoices on their way to the service; `written`: what the sink got. */
  function imported() {
    const path = join(aFolder(), 'mirror.db');
    const clock = new VirtualClock();
    const place = new MirrorPlace({ path, version: '0.1.0', clock, log: silentLog });
    onTestFinished(() => place.close());
    const written: string[] = [];
    const windows: (number | null)[] = [];
    const sink: Sink = {
      kind: 'remote',
      write: async (batch) => {
        written.push(...batch.map(({ op, id }) => `${op} ${id}`));
        return batch.map(({ id }) => ({ id, outcome: 'updated' }));
      },
    };
    const first = clock.now();
    const records = ['a', 'b', 'c'].map((id, at) => aRecord(id, first - (20 + at) * DAY_MS));
    const list: Connector['list'] = async (_name, { from }) => {
      windows.push(from);
      return aPage(records.filter(({ updatedAt }) => (updatedAt ?? 0) >= (from ?? 0)));
    };
    const horizons = new SqliteHorizonStore(aMoneyDatabase(join(aFolder(), 'money.db')));
    const engine = anEngine(
      place.use(({ database }) => database),
      clock,
      { store: place.store, horizons },
    );
    const stream = aStream(aSource(list), {
      stream: INVOICES_OF_A,
      manifest: { ...BY_TIME, deletes: 'scan' },
      sink,
      lookbackDays: LOOKBACK_DAYS,
      sweepEveryMs: DAY_MS,
    });
    const run = () => clock.runUntil(engine.run(stream, never));
    return { clock, place, written, windows, first, run };
  }

  it('is read again from where its first sync began, and deletes nothing at the service', async () => {
    const { clock, place, written, windows, first, run } = imported();
    await run();
    expect(written).toEqual(['put a', 'put b', 'put c']);
    await clock.advance(25 * DAY_MS);
    written.length = 0;
    place.replace('a test says so');
    await run();
    expect(windows.at(-1)).toBe(first - LOOKBACK_DAYS * DAY_MS);
    expect(written).toEqual(['put a', 'put b', 'put c']);
    written.length = 0;
    for (let day = 0; day < 4; day += 1) {
      await clock.advance(DAY_MS + 1);
      await run();
    }
    expect(written).toEqual([]);
  });

  it('in the middle of a run sends nothing twice within it: the run has no stream any more', async () => {
    const { place, written, run } = imported();

    await run();
    written.length = 0;
    const lease = place.store.takeLease(INVOICES_OF_A, 'a run', 'changes', 0, 1_000);
    if (!lease) throw new Error('no lease');
    place.replace('a test says so');
    expect(() => place.store.intend(lease, 1, ['d'], 0)).toThrow(/another run has taken over/);
    expect(written).toEqual([]);
  });
});
