import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { examineFirst, UnscannedPages } from '../../../../src/store/damage/unscanned-pages.ts';
import { damagePage, leavesOf } from '../../../support/damage.ts';
import { aFolder, aMoneyDatabase } from '../../../support/money-database.ts';

const LARGE = 0;

/** A database at rest, and the note beside it. */
function place(): { readonly path: string; readonly note: string; readonly unread: UnscannedPages } {
  const path = join(aFolder(), 'money.db');
  aMoneyDatabase(path).close();
  const note = join(dirname(path), 'unread-pages');
  return { path, note, unread: new UnscannedPages(note) };
}

function damaged(path: string): void {
  damagePage(path, leavesOf(path, 'attempts')[0] ?? 0);
}

describe('what is still to be read', () => {
  it('is nothing without a note, and what was noted through every start', () => {
    const { note, unread } = place();
    expect(unread.pending).toBe('nothing');
    unread.request('later');
    expect(new UnscannedPages(note).pending).toBe('later');
    unread.request('first');
    expect(new UnscannedPages(note).pending).toBe('first');
    unread.settle();
    expect([unread.pending, existsSync(note)]).toEqual(['nothing', false]);
    unread.settle();
  });

  it('is never put off again once it must be read first', () => {
    const { unread } = place();
    unread.request('first');
    unread.request('later');
    expect(unread.pending).toBe('first');
  });

  it.each(['', 'to be read whi', 'later\n'])('is everything, and first, where the note says %j', (text) => {
    const { note, unread } = place();
    writeFileSync(note, text);
    expect(unread.pending).toBe('first');
  });
});

describe('a start', () => {
  it('reads nothing after an end in order', () => {
    const { path, unread } = place();
    damaged(path);
    expect(examineFirst(path, { endedBadly: false, unread, atOnceBytes: LARGE })).toBeNull();
    expect(unread.pending).toBe('nothing');
  });

  it('reads a small database at once after an end that was none', () => {
    const { path, unread } = place();
    expect(examineFirst(path, { endedBadly: true, unread })).toBeNull();
    expect(unread.pending).toBe('nothing');
    damaged(path);
    expect(examineFirst(path, { endedBadly: true, unread })).toMatch(/.+/);
  });

  it('leaves a large one for later, and the next start does so too', () => {
    const { path, unread } = place();
    damaged(path);
    expect(examineFirst(path, { endedBadly: true, unread, atOnceBytes: LARGE })).toBeNull();
    expect(unread.pending).toBe('later');
    expect(examineFirst(path, { endedBadly: false, unread, atOnceBytes: LARGE })).toBeNull();
    expect(examineFirst(path, { endedBadly: true, unread, atOnceBytes: LARGE })).toBeNull();
    expect(unread.pending).toBe('later');
  });

  it('reads a large one first where a page is known to be bad, also after an end in order, until it was saved', () => {
    const { path, unread } = place();
    damaged(path);
    unread.request('first');
    expect(examineFirst(path, { endedBadly: false, unread, atOnceBytes: LARGE })).toMatch(/.+/);
    expect(unread.pending).toBe('first');
    expect(examineFirst(path, { endedBadly: false, unread, atOnceBytes: LARGE })).toMatch(/.+/);
  });

  it('sells on where what was said to be bad is not', () => {
    const { path, unread } = place();
    unread.request('first');
    expect(examineFirst(path, { endedBadly: true, unread, atOnceBytes: LARGE })).toBeNull();
    expect(unread.pending).toBe('nothing');
  });

  it('reads at once what it cannot note for later', () => {
    const { path, note, unread } = place();
    damaged(path);
    mkdirSync(`${note}.new`);
    expect(examineFirst(path, { endedBadly: true, unread, atOnceBytes: LARGE })).toMatch(/.+/);
    expect(existsSync(note)).toBe(false);
  });

  it('finds nothing to read in a new folder, and notes nothing', () => {
    const folder = aFolder();
    const unread = new UnscannedPages(join(folder, 'unread-pages'));
    const start = { endedBadly: true, unread, atOnceBytes: LARGE };
    expect(examineFirst(join(folder, 'money.db'), start)).toBeNull();
    expect(unread.pending).toBe('nothing');
  });

  it('changes nothing in the file', () => {
    const { path, unread } = place();
    chmodSync(path, 0o600);
    const before = readFileSync(path);
    examineFirst(path, { endedBadly: true, unread, atOnceBytes: LARGE });
    expect(readFileSync(path).equals(before)).toBe(true);
  });
});
