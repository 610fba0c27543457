import { describe, expect, it } from 'vitest';
import { canonicalId } from '../../../src/base/ids.ts';

const ID = '0199c0de-0001-7000-8000-00000000000b';

describe('an id in canonical form', () => {
  it.each([
    ['capitals', ID.toUpperCase(), ID],
    ['letters of both kinds', '0199C0de-0001-7000-8000-00000000000B', ID],
    ['white space around it', `\t ${ID.toUpperCase()} \n`, ID],
    [
      'no version that is known',
      '0199C0DE-0001-F000-0000-00000000000B',
      '0199c0de-0001-f000-0000-00000000000b',
    ],
    ['an id that is no UUID, which keeps its letters', ' pay_ABC-1 ', 'pay_ABC-1'],
    ['a UUID with something beside it, which is no UUID', `${ID.toUpperCase()}X`, `${ID.toUpperCase()}X`],
    ['nothing but white space', ' \n', ''],
  ])('is one for %s', (_, id, canonical) => {
    expect(canonicalId(id)).toBe(canonical);
    expect(canonicalId(canonical)).toBe(canonical);
  });
});
