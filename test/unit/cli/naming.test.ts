import { describe, expect, it } from 'vitest';
import { oneWord, withName } from '../../../src/cli/naming.ts';

describe('what people named', () => {
  const list = ['Counter 1', 'Bar', 'bar', 'Tablet-2', 'Tablet  2', 'Zoë'].map((name) => ({ name }));

  it.each([
    ['Counter 1', ['Counter 1']],
    ['counter 1', ['Counter 1']],
    ['counter-1', ['Counter 1']],
    ['Bar', ['Bar']],
    ['BAR', ['Bar', 'bar']],
    ['Tablet-2', ['Tablet-2']],
    ['tablet 2', ['Tablet-2', 'Tablet  2']],
    ['zoe\u0308', ['Zoë']],
    ['Counter', []],
  ])('%j is %j: written alike before similar', (wanted, found) => {
    expect(withName(list, wanted).map(({ name }) => name)).toEqual(found);
  });

  it('is one word of a command line', () => {
    expect(oneWord(' Anna Maria\tSmith ')).toBe('Anna-Maria-Smith');
  });
});
