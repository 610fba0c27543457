import { describe, expect, it } from 'vitest';
import { AppError } from '../../../src/base/errors.ts';
import { atInterval, isStale } from '../../../src/integration/schedule/timetable.ts';
import { freshnessMs, statsOf } from '../../../src/integration/views/stats.ts';
import { MOST_MARKS } from '../../../src/integration/window/cursor.ts';
import { positionOf } from '../../../src/integration/window/list-position.ts';
import { LEAST_OVERLAP_MS, measured, overlapMs, p999 } from '../../../src/integration/window/source-lag.ts';
import { NEW_STREAM, type StreamState } from '../../../src/integration/window/stream.ts';
import {
  afterPage,
  isSettled,
  newScan,
  nextPass,
  type WindowScan,
} from '../../../src/integration/window/window-scan.ts';

interface Shown {
  readonly rows: number;
  /** Of those: in the pass before as well. */
  readonly kept: number;
  readonly repeats?: number;
}

function pass(scan: WindowScan, { rows, kept, repeats = 0 }: Shown): WindowScan {
  const none = { fresh: 0, ghosts: 0, kept: 0, found: 0, repeats: 0 };
  const first = afterPage(scan, { ...none, fresh: rows, kept, found: rows - kept, repeats, next: 'next' });
  return afterPage(first, { ...none, next: null });
}

describe('a pass over a list that may move', () => {
  it('proves nothing alone; one that holds every row of the pass before proves that none was missed', () => {
    const first = pass(newScan(1), { rows: 2, kept: 0 });
    expect(isSettled(first, 'offset')).toBe(false);
    expect(isSettled(pass(nextPass(first, 2), { rows: 3, kept: 2 }), 'offset')).toBe(true);
    expect(isSettled(pass(nextPass(first, 2), { rows: 2, kept: 1 }), 'offset')).toBe(false);
  });

  it('in which rows came twice wants four passes in a row that lack nothing', () => {
    let scan = newScan(1);
    const verdicts = [1, 2, 3, 4].map((no) => {
      scan = pass(no === 1 ? scan : nextPass(scan, no), { rows: 2, kept: no === 1 ? 0 : 2, repeats: 1 });
      return isSettled(scan, 'offset');
    });
    expect(verdicts).toEqual([false, false, false, true]);
  });

  it('of a list that never rests is believed after six passes of which three found nothing more', () => {
    let scan = newScan(1);
    const verdicts = [1, 2, 3, 4, 5, 6].map((no) => {
      scan = pass(no === 1 ? scan : nextPass(scan, no), { rows: 2, kept: 1 });
      scan = { ...scan, found: no <= 3 ? 1 : 0 };
      return isSettled(scan, 'offset');
    });
    expect(verdicts).toEqual([false, false, false, false, false, true]);
  });

  it('is enough where the list has a cursor of its own', () => {
    expect(isSettled(pass(newScan(1), { rows: 1, kept: 0 }), 'cursor')).toBe(true);
  });

  it('ends with an error where the next page is this page, or has a name that is too long', () => {
    const NOTHING = { fresh: 0, ghosts: 0, kept: 0, found: 0, repeats: 0 };
    const at = { ...newScan(1), token: 'here' };
    expect(() => afterPage(at, { ...NOTHING, next: 'here' })).toThrow(AppError);
    expect(() => afterPage(at, { ...NOTHING, next: 'ü'.repeat(1_100) })).toThrow(AppError);
  });
});

describe('the state of a stream', () => {
  it('fits into 4 KiB with the longest names that a source can give', () => {
    const place = positionOf(Number.MAX_SAFE_INTEGER, '\u0001'.repeat(256));
    const held = { rows: 2 ** 40, ghosts: 2 ** 40, repeats: 2 ** 40 };
    const window = { from: -8.64e15, to: 8.64e15 };
    const state: StreamState = {
      ...NEW_STREAM,
      cursor: { ...place, boundary: Array.from({ length: MOST_MARKS }, () => 'f'.repeat(16)) },
      horizon: -8.64e15,
      readTo: 8.64e15,
      lateness: Array.from({ length: 18 }, () => 20_000),
      clockOffsetMs: -8.64e15,
      sweptAt: 8.64e15,
      scans: 2 ** 40,
      progress: {
        kind: 'changes',
        leg: 'settle',
        generation: 2 ** 40,
        window,
        bounds: window,
        firstScan: 2 ** 40,
        reach: -8.64e15,
        widthMs: 8.64e15,
        startedAt: 8.64e15,
        ceiling: 8.64e15,
        top: place,
        scan: { ...newScan(2 ** 40), token: 't'.repeat(2_046), held, last: held, kept: 2 ** 40 },
      },
    };
    expect(new TextEncoder().encode(JSON.stringify(state)).length).toBeLessThanOrEqual(4096);
  });
});

describe('the overlap', () => {
  it('is ten minutes until rows were later than that', () => {
    expect(overlapMs([])).toBe(LEAST_OVERLAP_MS);
    const quick = measured(
      [],
      Array.from({ length: 5_000 }, () => 0),
    );
    expect([p999(quick), overlapMs(quick)]).toEqual([0, LEAST_OVERLAP_MS]);
    const late = measured(
      quick,
      Array.from({ length: 10 }, () => 1_500_000),
    );
    expect(overlapMs(late)).toBe(1_800_000);
  });
});

describe('the counts of a stream', () => {
  it('never take a failed run for a success', () => {
    const run = (outcome: 'complete' | 'failed' | 'held', endedAt: number) => ({
      no: 1,
      kind: 'changes' as const,
      startedAt: endedAt - 100,
      endedAt,
      outcome,
      code: null,
      message: null,
      pages: 1,
      read: 3,
      created: 1,
      updated: 1,
      unchanged: 0,
      stale: 0,
      deleted: 0,
      parked: 1,
      ignored: 0,
    });
    const runs = [
      run('complete', 10_000_000),
      run('failed', 9_900_000),
      run('held', 9_800_000),
      run('complete', 1),
    ];
    expect(statsOf(runs, '1h', 10_000_000)).toEqual({
      runs: 3,
      success: 1,
      failure: 1,
      conflict: 3,
      records: 6,
      averageMs: 100,
    });
  });
});

describe('freshness', () => {
  it('is what is alarmed on: three intervals without a complete window, an hour at least', () => {
    const minute = 60_000;
    expect(freshnessMs(null, 5)).toBeNull();
    expect(isStale(atInterval(minute), 0, 0, 59 * minute)).toBe(false);
    expect(isStale(atInterval(minute), 0, 0, 61 * minute)).toBe(true);
    expect(isStale(atInterval(60 * minute), 0, 0, 179 * minute)).toBe(false);
    expect(isStale(atInterval(minute), null, 0, 61 * minute)).toBe(true);
  });
});
