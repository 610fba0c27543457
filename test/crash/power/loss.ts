import { Random } from '../../simulation/random.ts';
import { type Change, changed, type Disk, type FileOnDisk, isIndex, renamed } from './disk.ts';

/** The least that a disk writes as a whole. */
export const SECTOR = 512;
/** SQLite's index after a power cut holds anything; whoever comes first makes it anew. */
const INDEX_BYTES = 32_768;

/** What is on the disk when the power comes back. */
export interface Image {
  readonly files: ReadonlyMap<string, Buffer>;
  /** What became of every change that was not synced: two seeds with the same word give the same image. */
  readonly word: string;
}

/** How likely a change is there as a whole, or in part; the rest of them is lost. */
interface Luck {
  readonly kept: number;
  readonly torn: number;
  /** A sector that was being written may hold zeros, not only its old or its new bytes. */
  readonly scorches: boolean;
}

/**
 * Seeds 0 to 3 are the corners: everything there, everything lost, only the newest change there, only the newest one lost. The others
 * draw what becomes of each change; every fourth of them scorches the sectors that it tears.
 */
export const CORNERS = 4;

/** The disk after a power cut right now. The same disk and seed give the same image. */
export function imageAfterCut(disk: Disk, boundary: number, seed: number): Image {
  const random = new Random(seed, `boundary ${boundary}`);
  const drawn: Luck = {
    kept: random.pick([0.15, 0.5, 0.85]),
    torn: random.pick([0, 0.4, 0.8]),
    scorches: seed % 4 === 3,
  };
  const luck = seed < CORNERS ? null : drawn;
  const names = new Map(disk.durable);
  const count = namesKept(disk.names.length, seed, random);
  for (const change of disk.names.slice(0, count)) renamed(names, change);
  const words = [`${count}/${disk.names.length}`];
  const files = new Map<string, Buffer>();
  for (const [path, file] of names) {
    if (isIndex(path)) continue;
    const { content, word } = contentAfterCut(file, seed, luck, random);
    files.set(path, content);
    words.push(word);
    const index = `${path.replace(/-wal$/, '')}-shm`;
    if (path.endsWith('-wal') && luck?.scorches) files.set(index, noise(random));
  }
  return { files, word: words.join(' ') };
}

function namesKept(count: number, seed: number, random: Random): number {
  if (seed === 0) return count;
  if (seed === 1) return 0;
  return random.int(0, count);
}

function contentAfterCut(
  { durable, pending }: FileOnDisk,
  seed: number,
  luck: Luck | null,
  random: Random,
): { readonly content: Buffer; readonly word: string } {
  let word = '';
  const kept = pending.flatMap((change, index) => {
    const fate = luck ? statusOf(change, luck, random) : corner(change, seed, index === pending.length - 1);
    word += fate.word;
    return fate.changes;
  });
  return { content: changed(durable, kept), word };
}

interface Fate {
  readonly changes: readonly Change[];
  readonly word: string;
}

const LOST: Fate = { changes: [], word: '-' };

function corner(change: Change, seed: number, isNewest: boolean): Fate {
  const isKept = seed === 0 || (seed === 2 && isNewest) || (seed === 3 && !isNewest);
  return isKept ? whole(change) : LOST;
}

function whole(change: Change): Fate {
  return { changes: [change], word: '+' };
}

function statusOf(change: Change, luck: Luck, random: Random): Fate {
  const draw = random.next();
  if (draw < luck.kept) return whole(change);
  if (change.kind === 'size' || draw > luck.kept + (1 - luck.kept) * luck.torn) return LOST;
  return torn(change, luck.scorches, random);
}

/** Of each sector that a write touches its new bytes or its old ones, or zeros where it was being written. */
function torn(change: Change & { kind: 'write' }, scorches: boolean, random: Random): Fate {
  const sectors = sectorsOf(change);
  const how = random.pick(['front', 'back', 'any'] as const);
  const edge = random.int(0, sectors.length);
  const letters = sectors.map((_, index) => {
    const isThere = how === 'any' ? random.chance(0.5) : how === 'front' ? index < edge : index >= edge;
    if (isThere) return '1';
    return scorches && random.chance(0.5) ? 'z' : '0';
  });
  const changes = sectors.flatMap((sector, index) => {
    if (letters[index] === '0') return [];
    const bytes = letters[index] === 'z' ? Buffer.alloc(sector.bytes.length) : sector.bytes;
    return [{ ...sector, bytes }];
  });
  return { changes, word: `(${letters.join('')})` };
}

/** A write cut at the edges of the disk's sectors. */
function sectorsOf({ offset, bytes }: Change & { kind: 'write' }): readonly (Change & { kind: 'write' })[] {
  const pieces: (Change & { kind: 'write' })[] = [];
  for (let at = 0; at < bytes.length; ) {
    const length = Math.min(bytes.length - at, SECTOR - ((offset + at) % SECTOR));
    pieces.push({ kind: 'write', offset: offset + at, bytes: bytes.subarray(at, at + length) });
    at += length;
  }
  return pieces;
}

function noise(random: Random): Buffer {
  const bytes = Buffer.alloc(INDEX_BYTES);
  for (let at = 0; at < bytes.length; at += 4) bytes.writeUInt32LE(Math.floor(random.next() * 2 ** 32), at);
  return bytes;
}
