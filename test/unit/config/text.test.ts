import { describe, expect, it } from 'vitest';
import { parseText } from '../../../src/config/text.ts';

describe('the text of a configuration', () => {
  it('that is nested without an end is one problem in words, not a crash', () => {
    expect(parseText('['.repeat(50_000)).problems).toMatchObject([
      { message: expect.stringContaining('nested') },
    ]);
  });
});
