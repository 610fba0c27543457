import { describe, expect, it } from 'vitest';
import {
  diffMappings,
  inputOf,
  MappingsUnreadable,
  readMappings,
} from '../../../src/console/ops/mapping-diff.js';

const [GOLD, SILVER, BRONZE] = ['gold', 'silver', 'bronze'].map((externalId) => inputOf({ externalId })) as [
  ReturnType<typeof inputOf>,
  ReturnType<typeof inputOf>,
  ReturnType<typeof inputOf>,
];

describe('the difference of two sets of mappings', () => {
  it('says what comes, what goes, and which fields of what stays change', () => {
    const priced = { ...SILVER, priceOverride: 500 };
    const gold = { ...GOLD, ignored: true };
    const undecided = { ...GOLD, externalId: 'listed alone' };
    expect(diffMappings([gold, SILVER, undecided], [priced, BRONZE])).toEqual({
      added: [BRONZE],
      changed: [{ before: SILVER, after: priced, fields: ['priceOverride'] }],
      removed: [gold],
    });
  });

  it('is nothing where only the order of names and the case of an id differ', () => {
    const id = '0199C0DE-0000-7000-8000-0000000000AA';
    const before = inputOf({
      externalId: 'a',
      internalId: id.toLowerCase(),
      metadata: { name: 'n', type: 't' },
    });
    const [after] = readMappings(
      JSON.stringify([{ externalId: 'a', internalId: id, metadata: { type: 't', name: 'n' } }]),
    );
    expect(diffMappings([before], after ? [after] : [])).toEqual({ added: [], changed: [], removed: [] });
  });
});

describe('a text with mappings', () => {
  it('is read as a list, as the body of PUT, and as the answer of GET', () => {
    const list = [{ externalId: 'gold', product: { id: 'x', name: 'shown only' } }];
    for (const text of [list, { mappings: list }, { object: 'list', data: list }].map((it) =>
      JSON.stringify(it),
    ))
      expect(readMappings(text)).toEqual([GOLD]);
  });

  it.each([
    ['no JSON', '{', 'not_json'],
    ['no list', '{"a":1}', 'not_mappings'],
    ['nothing', 'null', 'not_mappings'],
    ['an entry without its id', '[{"internalId":null}]', 'not_mappings'],
    ['an entry that is no object', '[null]', 'not_mappings'],
    ['an id twice', '[{"externalId":"a"},{"externalId":"a"}]', 'twice'],
  ])('is refused with the reason: %s', (_what, text, key) => {
    expect(() => readMappings(text)).toThrow(MappingsUnreadable);
    expect(() => readMappings(text)).toThrow(key);
  });
});
