import { copyFileSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { examine } from '../../../../src/store/damage/damage-check.ts';
import { lostPages } from '../../../../src/store/damage/last-checkpoint.ts';
import { examineFirst, UnscannedPages } from '../../../../src/store/damage/unscanned-pages.ts';
import type { Database } from '../../../../src/store/database.ts';
import { WalSpace } from '../../../../src/store/disk/wal-space.ts';
import { framesOf, leavesOf, overwrite } from '../../../support/damage.ts';
import { aFolder, aMoneyDatabase } from '../../../support/money-database.ts';

const PAGE = 4096;
const LOG_HEADER = 32;
const FRAME = 24 + PAGE;
const PUT = 'INSERT OR REPLACE INTO facts (name, value) VALUES (?, ?)';

function put(database: Database, from: number, to: number, word: string): void {
  for (let row = from; row < to; row += 1) database.run(PUT, `row ${row}`, word.repeat(500));
}

/** What a kill leaves: the files as they are, while the log of before still stands behind the one that was begun. */
function cut(database: Database): string {
  const copy = join(aFolder(), 'money.db');
  for (const end of ['', '-wal']) copyFileSync(database.path + end, copy + end);
  return copy;
}

/** A database whose log was emptied, with so many `rows` in it, and then begun again; `after` rows stand in the new one. */
function emptied(after = 1, rows = 100): { readonly path: string; readonly before: Buffer } {
  const database = aMoneyDatabase();
  put(database, 0, rows, 'a');
  new WalSpace(database).restart();
  const before = readFileSync(database.path);
  put(database, 0, rows, 'b');
  new WalSpace(database).restart();
  put(database, 0, after, 'c');
  return { path: cut(database), before };
}

/** Where the frames of the log before this one stand. */
function olderFrames(log: Buffer): readonly number[] {
  const places: number[] = [];
  for (let at = LOG_HEADER; at + FRAME <= log.length; at += FRAME)
    if (log.readUInt32BE(at + 8) === log.readUInt32BE(16) - 1) places.push(at);
  return places;
}

/** The pages that the log has now. */
function newerPages(path: string): readonly number[] {
  const log = readFileSync(`${path}-wal`);
  return [...new Set(framesOf(`${path}-wal`).map((at) => log.readUInt32BE(at)))];
}

/** A leaf of the facts whose rows the new log has not touched. */
function aLeaf(path: string): number {
  const copy = join(aFolder(), 'copy.db');
  copyFileSync(path, copy);
  return leavesOf(copy, 'facts').at(-1) ?? 0;
}

describe('the pages that were written last', () => {
  it.each([0, 1, 40, 300])('are there, with %i rows in the log that was begun since', (after) => {
    expect(lostPages(emptied(after).path)).toBeNull();
  });

  it('are missed where the disk has kept what was there before, which no structure shows', () => {
    const { path, before } = emptied();
    const leaf = aLeaf(path);
    overwrite(path, (leaf - 1) * PAGE, before.subarray((leaf - 1) * PAGE, leaf * PAGE));
    expect(lostPages(path)).toBe(`1 of its pages are not what was written last (${leaf})`);
    expect(examine(path)).toBeNull();
  });

  it('are missed where one sector of them is gone', () => {
    const { path } = emptied();
    const leaf = aLeaf(path);
    overwrite(path, leaf * PAGE - 512, Buffer.alloc(512));
    expect(lostPages(path)).toContain(`(${leaf})`);
  });

  it('are missed where the file is shorter than it was', () => {
    const { path } = emptied();
    writeFileSync(path, readFileSync(path).subarray(0, 3 * PAGE));
    expect(lostPages(path)).toMatch(/^\d+ of its pages are not what was written last \(\d+, \d+, \d+\)$/);
  });

  it('are not asked for where the log has newer ones: half of them may have been moved already', () => {
    const { path } = emptied();
    const pages = newerPages(path);
    expect(pages.length).toBeGreaterThan(1);
    for (const page of pages) overwrite(path, (page - 1) * PAGE + 2000, Buffer.alloc(512, 7));
    expect(lostPages(path)).toBeNull();
  });

  it.each([
    [
      'a frame of the new log',
      0,
      (log: Buffer) => Buffer.concat([Buffer.from([0, 0, 9, 9, 0, 0, 0, 0]), log.subarray(16, 24)]),
    ],
    ['a frame that is torn', 600, () => Buffer.alloc(512)],
    ['zeros', 0, () => Buffer.alloc(24)],
  ] as const)('are not known where %s stands behind them: it may hide newer ones', (_, within, made) => {
    const { path } = emptied();
    const log = readFileSync(`${path}-wal`);
    const frames = olderFrames(log);
    // Down to the last frame, as where a commit was cut that reached as far.
    for (const at of frames.slice(-3)) overwrite(`${path}-wal`, at + within, made(log));
    expect(frames.length).toBeGreaterThan(50);
    expect(lostPages(path)).toBeNull();
  });

  it('are known of a long log, whatever stands behind it', () => {
    const { path, before } = emptied(1, 300);
    const log = readFileSync(`${path}-wal`);
    const end = (olderFrames(log).at(-1) ?? 0) + FRAME;
    writeFileSync(`${path}-wal`, Buffer.concat([log.subarray(0, end), Buffer.alloc(100_000, 0x5a)]));
    expect(lostPages(path)).toBeNull();
    const leaf = aLeaf(path);
    overwrite(path, (leaf - 1) * PAGE, before.subarray((leaf - 1) * PAGE, leaf * PAGE));
    expect(lostPages(path)).toContain(`(${leaf})`);
  });

  it('are not those of a transaction that was rolled back', () => {
    const database = aMoneyDatabase();
    database.run('PRAGMA cache_size = 5');
    put(database, 0, 100, 'a');
    expect(() =>
      database.transaction(() => {
        put(database, 0, 400, 'never');
        throw new Error('rolled back');
      }),
    ).toThrow('rolled back');
    database.checkpoint();
    new WalSpace(database).restart();
    database.run(PUT, 'x', 'y');
    expect(statSync(`${database.path}-wal`).size).toBeGreaterThan(400_000);
    expect(lostPages(cut(database))).toBeNull();
  });

  it('are not known without a log, of a log that was never emptied, or of one that is none', () => {
    const fresh = aMoneyDatabase();
    put(fresh, 0, 50, 'a');
    const path = cut(fresh);
    overwrite(path, PAGE, Buffer.alloc(PAGE, 7));
    expect(lostPages(path)).toBeNull();
    writeFileSync(`${path}-wal`, Buffer.alloc(100_000, 0x5a));
    expect(lostPages(path)).toBeNull();
    writeFileSync(`${path}-wal`, 'short');
    expect(lostPages(path)).toBeNull();
    expect(lostPages(join(aFolder(), 'money.db'))).toBeNull();
  });

  it('are looked at by a start after an end that was none, of a large database too, and by none after an end in order', () => {
    const { path, before } = emptied();
    const unread = new UnscannedPages(join(aFolder(), 'unread-pages'));
    const leaf = aLeaf(path);
    overwrite(path, (leaf - 1) * PAGE, before.subarray((leaf - 1) * PAGE, leaf * PAGE));
    const start = { unread, atOnceBytes: 0 };
    expect(examineFirst(path, { ...start, endedBadly: true })).toMatch(/not what was written last/);
    expect(examineFirst(path, { ...start, endedBadly: false })).toBeNull();
  });

  it('are looked at and not changed', () => {
    const { path } = emptied();
    const before = [readFileSync(path), readFileSync(`${path}-wal`)];
    lostPages(path);
    expect([readFileSync(path), readFileSync(`${path}-wal`)]).toEqual(before);
    expect(existsSync(`${path}-shm`)).toBe(false);
  });
});
