import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { JournalAnchors } from '../../../src/store/journal/journal-anchors.ts';
import { aFolder } from '../../support/money-database.ts';

const end = (count: number) => ({ count, hash: `${count}`.repeat(64).slice(0, 64) });

/** Two anchors, the file of which ends after so many bytes of the second one. */
function cutWithin(bytes: (line: string) => number) {
  const path = join(aFolder(), 'journal-anchors');
  const anchors = new JournalAnchors(path);
  anchors.add(end(1), '2026-01-05');
  const first = readFileSync(path, 'utf8');
  anchors.add(end(2), '2026-01-06');
  const text = readFileSync(path, 'utf8');
  writeFileSync(path, text.slice(0, first.length + bytes(text.slice(first.length))));
  return { path, anchors };
}

describe('the anchors of the journal after a power cut', () => {
  it.each([
    ['nothing', () => 0, [1, 3]],
    ['half', () => 60, [1, 3]],
    ['all but its end of line', (line: string) => line.length - 1, [1, 2, 3]],
  ] as const)('with %s of the last line go on with the next one', (_, bytes, counts) => {
    const { path, anchors } = cutWithin(bytes);
    anchors.add(end(3), '2026-01-07');
    expect(anchors.read().map(({ count }) => count)).toEqual(counts);
    expect(new JournalAnchors(path).damage()).toEqual({ lines: [], cutShort: false });
  });

  it('with a half line know of a database that was restored right afterwards', () => {
    const { anchors } = cutWithin(() => 60);
    anchors.restored(end(0), '2026-01-07', () => false);
    expect(anchors.read()).toMatchObject([{ count: 0, restored: true }]);
  });
});
