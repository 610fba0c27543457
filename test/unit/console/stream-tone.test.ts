import { expect, it } from 'vitest';
import { toneOf } from '../../../src/console/ops/streams.js';

it.each([
  [null, false, 'plain'],
  [null, true, 'bad'],
  ['2026-05-01T10:00:00.000Z', false, 'good'],
  ['2026-05-01T10:00:00.000Z', true, 'bad'],
] as const)(
  'a list that was never complete is not good: fresh at %s, stale %s',
  (fresh_at, is_stale, tone) => {
    expect(toneOf({ fresh_at, is_stale })).toBe(tone);
  },
);
