import { expect, it } from 'vitest';
import { counted } from '../../../src/base/counted.ts';

it.each([
  [0, '0 reports wait'],
  [1, '1 report waits'],
  [2, '2 reports wait'],
])('%i has the words that fit it', (count, text) => {
  expect(counted(count, 'report waits', 'reports wait')).toBe(text);
});
