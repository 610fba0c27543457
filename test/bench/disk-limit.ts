import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median } from './figure.ts';

/** A frame of SQLite's log: a page and its header. */
const FRAME = Buffer.alloc(4152, 1);
const PLACES = 1000;

/** What the disk of this machine can do at best: one frame written in place and made safe; each time in ms. */
export function diskLimit(times: number): readonly number[] {
  const folder = mkdtempSync(join(tmpdir(), 'tilld-bench-disk-'));
  const { write, close } = oneFrame(join(folder, 'log'));
  try {
    return Array.from({ length: times }, (_, index) => {
      const from = performance.now();
      write(index);
      return performance.now() - from;
    });
  } finally {
    close();
    rmSync(folder, { recursive: true });
  }
}

/** A file in which one frame after another is written in place and made safe. */
export function oneFrame(path: string): { readonly write: (no: number) => void; readonly close: () => void } {
  const file = openSync(path, 'w');
  for (let at = 0; at < PLACES; at += 1) writeSync(file, FRAME, 0, FRAME.length, at * FRAME.length);
  fdatasyncSync(file);
  const write = (no: number) => {
    writeSync(file, FRAME, 0, FRAME.length, (no % PLACES) * FRAME.length);
    fdatasyncSync(file);
  };
  return { write, close: () => closeSync(file) };
}

/** The median of {@link diskLimit}, in ms. */
export function syncLimit(times = 300): number {
  return median(diskLimit(times));
}
