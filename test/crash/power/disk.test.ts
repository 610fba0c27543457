import { describe, expect, it } from 'vitest';
import type { RecordedEvent } from '../record/recording.ts';
import { Disk } from './disk.ts';
import { CORNERS, imageAfterCut } from './loss.ts';

const FD = 5;
const FOLDER_FD = 6;
const SEEDS = Array.from({ length: 400 }, (_, seed) => seed);

const open = (path: string, created = true, fd = FD, size = 0): RecordedEvent => ({
  process: 1,
  type: 'open',
  fd,
  path,
  created,
  emptied: false,
  isFolder: false,
  size,
});
const openFolder: RecordedEvent = {
  process: 1,
  type: 'open',
  fd: FOLDER_FD,
  path: '',
  created: false,
  emptied: false,
  isFolder: true,
  size: 0,
};
const write = (offset: number, text: string, fd = FD): RecordedEvent => ({
  process: 1,
  type: 'write',
  fd,
  offset,
  bytes: Buffer.from(text),
});
const sync = (fd = FD): RecordedEvent => ({ process: 1, type: 'sync', fd, dataOnly: true });
const truncate = (size: number): RecordedEvent => ({ process: 1, type: 'truncate', fd: FD, path: '', size });
const rename = (path: string, to: string): RecordedEvent => ({ process: 1, type: 'rename', path, to });
const unlink = (path: string): RecordedEvent => ({ process: 1, type: 'unlink', path });

function diskAfter(events: readonly RecordedEvent[], before: Readonly<Record<string, string>> = {}): Disk {
  const disk = new Disk(new Map(Object.entries(before).map(([path, text]) => [path, Buffer.from(text)])));
  for (const event of events) disk.apply(event);
  return disk;
}

/** What a file may hold after a power cut, over all seeds; `null`: it is not there. */
function outcomes(disk: Disk, path = 'a'): ReadonlySet<string | null> {
  return new Set(
    SEEDS.map((seed) => imageAfterCut(disk, 1, seed).files.get(path)?.toString('latin1') ?? null),
  );
}

const OLD = { a: 'old' };

describe('after a power cut', () => {
  it('what was synced is there, whatever the seed', () => {
    expect(outcomes(diskAfter([open('a'), write(0, 'one'), sync()]))).toEqual(new Set(['one']));
  });

  it('a write that was not synced is there or lost', () => {
    const disk = diskAfter([open('a', false, FD, 3), write(0, 'new')], OLD);
    expect(outcomes(disk)).toEqual(new Set(['old', 'new', '\0\0\0']));
  });

  it('a later write may be there while an earlier one is lost', () => {
    const disk = diskAfter([open('a', false, FD, 3), write(0, '1'), write(2, '3')], OLD);
    expect(outcomes(disk)).toEqual(expect.toSatisfy((all: Set<string>) => all.has('ol3') && all.has('1ld')));
  });

  it('a write is torn at the sectors of the disk, and does no harm beside itself', () => {
    const before = 'o'.repeat(2000);
    const disk = diskAfter([open('a', false, FD, 2000), write(100, 'n'.repeat(1500))], { a: before });
    const all = [...outcomes(disk)].map(String);
    const whole = (letters: string) => letters === letters.charAt(0).repeat(letters.length);
    for (const text of all) {
      expect(text).toMatch(/^o{100}[on\0]{1500}o{400}$/);
      const pieces = [
        text.slice(100, 512),
        text.slice(512, 1024),
        text.slice(1024, 1536),
        text.slice(1536, 1600),
      ];
      expect(pieces.filter((piece) => !whole(piece))).toEqual([]);
    }
    const sectors = new Set(all.map((text) => [100, 512, 1024, 1536].map((at) => text[at]).join('')));
    expect(sectors).toContain('nnoo');
    expect(sectors).toContain('oonn');
    expect(sectors).toContain('nono');
  });

  it('a file that grew holds zeros where an earlier write was lost', () => {
    const disk = diskAfter([open('a', false, FD, 3), write(3, 'XX'), write(5, 'YY')], OLD);
    expect(outcomes(disk)).toContain('old\0\0YY');
  });

  it('a change of the size is there or lost, and a sync makes it last', () => {
    const cut = [open('a', false, FD, 3), truncate(1)];
    expect(outcomes(diskAfter(cut, OLD))).toEqual(new Set(['o', 'old']));
    expect(outcomes(diskAfter([...cut, sync()], OLD))).toEqual(new Set(['o']));
  });

  it('a sync of another file makes nothing of this one last', () => {
    const disk = diskAfter(
      [open('a', false, FD, 3), write(0, 'new'), open('b', true, 7), write(0, 'b', 7), sync(7)],
      OLD,
    );
    expect(outcomes(disk)).toContain('old');
    expect(outcomes(disk, 'b')).toEqual(new Set(['b']));
  });

  it('a new file is there once it or its folder was synced, and may be missing before', () => {
    expect(outcomes(diskAfter([open('a')]))).toEqual(new Set([null, '']));
    expect(outcomes(diskAfter([open('a'), sync()]))).toEqual(new Set(['']));
    expect(outcomes(diskAfter([open('a'), openFolder, sync(FOLDER_FD)]))).toEqual(new Set(['']));
  });

  it('a rename is whole or not there until its folder is synced', () => {
    const moved = [open('a.new'), write(0, 'new'), sync(), rename('a.new', 'a')];
    expect(outcomes(diskAfter(moved, OLD))).toEqual(new Set(['old', 'new']));
    expect(outcomes(diskAfter([...moved, openFolder, sync(FOLDER_FD)], OLD))).toEqual(new Set(['new']));
  });

  it('a rename may lead to a file whose bytes are lost, when it was not synced before', () => {
    expect(outcomes(diskAfter([open('a.new'), write(0, 'new'), rename('a.new', 'a')], OLD))).toContain('');
  });

  it('a file that was taken away may be there again', () => {
    expect(outcomes(diskAfter([unlink('a')], OLD))).toEqual(new Set(['old', null]));
  });

  it('names change in their order: what came later is not there without what came before', () => {
    const disk = diskAfter([open('b'), unlink('a')], OLD);
    const states = new Set(SEEDS.map((seed) => [...imageAfterCut(disk, 1, seed).files.keys()].sort().join()));
    expect(states).toEqual(new Set(['a', 'a,b', 'b']));
  });

  it('the same seed gives the same disk, and another boundary another one', () => {
    const disk = diskAfter(
      [open('a', false, FD, 3), ...Array.from({ length: 20 }, (_, at) => write(at, 'x'))],
      OLD,
    );
    const word = (boundary: number) =>
      SEEDS.slice(CORNERS, 20).map((seed) => imageAfterCut(disk, boundary, seed).word);
    expect(word(1)).toEqual(word(1));
    expect(word(1)).not.toEqual(word(2));
  });
});

describe('the disk while the machine runs', () => {
  it('shows every change at once', () => {
    const disk = diskAfter(
      [
        open('a', false, FD, 3),
        write(5, 'new'),
        truncate(6),
        open('b', true, 7),
        write(0, 'b', 7),
        rename('b', 'c'),
      ],
      OLD,
    );
    expect(Object.fromEntries([...disk.seen()].map(([path, bytes]) => [path, `${bytes}`]))).toEqual({
      a: 'old\0\0n',
      c: 'b',
    });
  });

  it('takes no recording that does not fit it', () => {
    expect(() => diskAfter([write(0, 'x')])).toThrow('never opened');
    expect(() => diskAfter([open('a', false)])).toThrow('never made');
    expect(() => diskAfter([open('a', false, FD, 9)], OLD)).toThrow('9 bytes');
  });
});
