import { describe, expect, it } from 'vitest';
import { retryAfterMs } from '../../../src/net/retry-after.ts';

const NOW = Date.UTC(2026, 0, 5, 9);

describe('Retry-After', () => {
  it.each([
    ['0', 0],
    ['7', 7_000],
    [' 7 ', 7_000],
    ['3600', 3_600_000],
    ['999999999', 3_600_000],
    ['Mon, 05 Jan 2026 09:00:10 GMT', 10_000],
    ['Mon, 05 Jan 2026 08:00:00 GMT', 0],
    ['Mon, 05 Jan 2036 08:00:00 GMT', 3_600_000],
    ['-1', null],
    ['1.5', null],
    ['soon', null],
    ['', null],
    [undefined, null],
  ])('reads %s as %s ms', (header, ms) => {
    expect(retryAfterMs(header, NOW)).toBe(ms);
  });
});
