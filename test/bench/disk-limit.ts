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
  const file = openSync(join(folder, 'log'), 'w');
  try {
    for (let at = 0; at < PLACES; at += 1) writeSync(file, FRAME, 0, FRAME.length, at * FRAME.length);
    fdatasyncSync(file);
    return Array.from({ length: times }, (_, index) => {
      const from = performance.now();
      writeSync(file, FRAME, 0, FRAME.length, (index % PLACES) * FRAME.length);
      fdatasyncSync(file);
      return performance.now() - from;
    });
  } finally {
    closeSync(file);
    rmSync(folder, { recursive: true });
  }
}

/** The median of {@link diskLimit}, in ms. */
export function syncLimit(times = 300): number {
  return median(diskLimit(times));
}
