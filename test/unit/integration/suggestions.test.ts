import { distance } from 'fastest-levenshtein';
import { describe, expect, it } from 'vitest';
import { suggestionsFor } from '../../../src/integration/mapping/suggestions.ts';

const PRODUCTS = [
  { id: 'cut', name: 'Haircut short', codes: ['HC-100'] },
  { id: 'colour', name: 'Colour', codes: ['CO-200', 'colour_full'] },
  { id: 'nameless', name: null, codes: [] },
  { id: 'wash', name: 'Wash and haircut', codes: ['HC-101'] },
];

function suggested(externalId: string, name: string | null = null, codes: readonly string[] = []) {
  const found = suggestionsFor({ externalId, name, codes, waiting: 1 }, PRODUCTS, distance);
  return found.map(({ product, by, likeness }) => `${product.id} by ${by} ${Math.round(likeness * 100)}`);
}

describe('suggestions for a package', () => {
  it.each([
    ['hc 100', null, ['cut by code 100']],
    ['COLOUR-FULL', null, ['colour by code 100']],
    ['p-7', 'Hair cut, short', ['cut by name 100']],
    ['p-7', 'Haircut shrot', ['cut by name 83']],
    ['CO200', 'Haircut short', ['colour by code 100', 'cut by name 100']],
    ['p-7', null, []],
    ['p-7', 'Manicure', []],
    ['', '', []],
    ['***', '???', []],
  ])('%j called %j are the products that are like it: %j', (id, name, expected) => {
    expect(suggested(id, name)).toEqual(expected);
  });

  it('compare the codes of both sides, not the id of the package alone', () => {
    expect(suggested('4711', null, ['hc-100'])).toEqual(['cut by code 100']);
    expect(suggested('4711', 'Wash and haircut', ['co 200'])).toEqual([
      'colour by code 100',
      'wash by name 100',
    ]);
  });

  it('are three at most, and the same each time', () => {
    const many = Array.from({ length: 9 }, (_, index) => ({ id: `p${index}`, name: 'Haircut', codes: [] }));
    const asked = { externalId: 'x', name: 'haircut', codes: [], waiting: 0 };
    const ids = suggestionsFor(asked, many.toReversed(), distance).map(({ product }) => product.id);
    expect(ids).toEqual(['p0', 'p1', 'p2']);
  });

  it('are not slowed down by a text without end', () => {
    let longest = 0;
    const counting = (one: string, other: string) => {
      longest = Math.max(longest, one.length, other.length);
      return distance(one, other);
    };
    const long = 'x'.repeat(100_000);
    suggestionsFor(
      { externalId: long, name: long, codes: [long], waiting: 0 },
      [{ id: 'p', name: long, codes: [long] }],
      counting,
    );
    expect(longest).toBe(64);
  });
});
