import { spawnSync } from 'node:child_process';
import { closeSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';

const SOURCE = join(import.meta.dirname, 'sync-counter.c');
const FLAGS = ['-O2', '-Wall', '-shared', '-fPIC', '-ldl'];
const NUMBERS = 5;

/** What a process has asked of its disk so far. */
export interface SyncCount {
  /** Of the log of the money database. */
  readonly log: number;
  readonly other: number;
  /** Ms that the process waited in all of them. */
  readonly ms: number;
  readonly logBytes: number;
}

/** A counter of syncs that a process is started with. */
export interface SyncCounter {
  readonly env: Readonly<Record<string, string>>;
  read(): SyncCount;
  close(): void;
}

/**
 * `delayMs`: each sync takes so much longer, like one of a slower disk.
 * @throws Error where no C compiler is: syncs are counted or not told.
 */
export function syncCounter(folder: string, delayMs = 0): SyncCounter {
  const library = join(folder, 'sync-counter.so');
  const { status, stderr } = spawnSync('cc', [...FLAGS, '-o', library, SOURCE], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`syncs are counted with a library that cc compiles: ${stderr}`);
  const path = join(folder, 'sync-counts');
  const file = openSync(path, 'w+');
  const bytes = Buffer.alloc(NUMBERS * 8);
  return {
    env: { LD_PRELOAD: library, TILLD_SYNC_COUNTS: path, TILLD_SYNC_DELAY_US: String(delayMs * 1_000) },
    read: () => {
      if (readSync(file, bytes, 0, bytes.length, 0) < bytes.length) throw new Error('nothing was counted');
      const [log = 0, logNs = 0, other = 0, otherNs = 0, logBytes = 0] = Array.from(
        { length: NUMBERS },
        (_, index) => Number(bytes.readBigInt64LE(index * 8)),
      );
      return { log, other, ms: (logNs + otherNs) / 1e6, logBytes };
    },
    close: () => closeSync(file),
  };
}
