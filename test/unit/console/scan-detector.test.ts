import { describe, expect, it } from 'vitest';
import { ScanDetector } from '../../../src/console/till/scan-detector.js';

/** Presses every key, the first one at `from`, with the same pause between them. */
function pressed(detector: ScanDetector, keys: readonly string[], gapMs: number, from = 1_000) {
  return keys.map((key, index) => detector.press({ key, at: from + index * gapMs }));
}

const last = (judged: readonly object[]) => judged.at(-1);
const NUMBER = [...'RE-2026-0042'];

describe('a scan is distinguished from typing by its speed', () => {
  it.each(['Enter', 'Tab'])('characters at once, then %s', (end) => {
    const judged = pressed(new ScanDetector(), [...NUMBER, end], 8);
    expect(judged.map(({ kind }) => kind)).toEqual(['first', ...Array(11).fill('more'), 'scan']);
    expect(last(judged)).toEqual({ kind: 'scan', text: 'RE-2026-0042' });
  });

  it.each([
    [50, 'scan'],
    [51, 'other'],
    [90, 'other'],
    [150, 'other'],
  ])('%i ms between the keys: %s', (gapMs, kind) => {
    expect(last(pressed(new ScanDetector(), [...'5000', 'Enter'], gapMs))).toMatchObject({ kind });
  });

  it.each([
    ['three characters', [...'500', 'Enter'], 'other'],
    ['four', [...'5000', 'Enter'], 'scan'],
    ['no characters', ['Enter'], 'other'],
    ['a key between that no scanner sends', [...'50', 'Backspace', ...'000', 'Enter'], 'other'],
    ['Shift between', ['Shift', 'R', 'Shift', 'E', '-', 'Dead', '7', 'Enter'], 'scan'],
  ])('%s', (_, keys, kind) => {
    expect(last(pressed(new ScanDetector(), keys, 5))).toMatchObject({ kind });
  });

  it('typing by hand before it is not part of it', () => {
    const detector = new ScanDetector();
    pressed(detector, [...'12345'], 140, 0);
    expect(last(pressed(detector, [...'7788', 'Enter'], 10, 700))).toEqual({ kind: 'scan', text: '7788' });
  });

  it('digits at once by a key 000, and Enter by hand, are none', () => {
    const detector = new ScanDetector();
    pressed(detector, [...'1000'], 5, 0);
    expect(detector.press({ key: 'Enter', at: 200 })).toEqual({ kind: 'other' });
  });

  it('a key that is held is none', () => {
    const detector = new ScanDetector();
    for (let at = 0; at < 300; at += 30) detector.press({ key: '0', at, isHeld: true });
    expect(detector.press({ key: 'Enter', at: 320 })).toEqual({ kind: 'other' });
  });

  it('one late key does not end it', () => {
    const detector = new ScanDetector();
    pressed(detector, [...'RE-20'], 8, 0);
    expect(last(pressed(detector, [...'26-0042', 'Enter'], 8, 128))).toMatchObject({ kind: 'scan' });
  });

  it.each([{ key: 'Enter' }, { key: 'j', isChord: true }])(
    'a second key at the end (%o) is not a key by hand',
    (end) => {
      const detector = new ScanDetector();
      pressed(detector, [...NUMBER, 'Enter'], 8, 0);
      expect(detector.press({ ...end, at: 104 })).toEqual({ kind: 'echo' });
      expect(detector.press({ ...end, at: 700 })).toEqual({ kind: 'other' });
    },
  );

  it('without a key at the end it is one after a pause, from eight characters', () => {
    const detector = new ScanDetector();
    pressed(detector, NUMBER, 8, 0);
    expect(detector.pause()).toBe('RE-2026-0042');
    expect(detector.pause()).toBe(null);
    expect(detector.press({ key: 'Enter', at: 250 })).toEqual({ kind: 'echo' });
    pressed(detector, [...'5000000'], 8, 1_000);
    expect(detector.pause()).toBe(null);
    pressed(detector, [...'50000000'], 90, 2_000);
    expect(detector.pause()).toBe(null);
  });
});
