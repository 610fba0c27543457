import { expect, it } from 'vitest';
import { resultCodes } from '../../../src/driver-kit/result-codes.ts';

it('a result code that is not on the list is unclear, whatever its name', () => {
  const codes = resultCodes({ '51': ['refused', 'declined'], '02': ['unclear', 'call the bank'] });
  const read = ['51', '02', '99', 'constructor', ''].map((code) => [codes.verdictOf(code), codes.has(code)]);
  expect(read).toEqual([
    ['refused', true],
    ['unclear', true],
    ['unclear', false],
    ['unclear', false],
    ['unclear', false],
  ]);
  expect(codes.wordsOf('99')).toContain('99');
});
