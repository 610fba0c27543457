import { describe, expect, it } from 'vitest';
import type { Json } from '../../../src/integration/connector.ts';
import { CanonicalText, canonical } from '../../../src/integration/page/canonical.ts';

describe('the text of a record', () => {
  it('is the same whatever the order of its fields, at any depth', () => {
    const one = { b: [{ y: 1, x: 2 }, { x: 3 }], a: { d: null, c: 'ü"' } };
    const other = { a: { c: 'ü"', d: null }, b: [{ x: 2, y: 1 }, { x: 3 }] };
    expect(canonical(one)).toBe('{"a":{"c":"ü\\"","d":null},"b":[{"x":2,"y":1},{"x":3}]}');
    expect(canonical(other)).toBe(canonical(one));
    expect(JSON.parse(canonical(one))).toEqual(one);
  });

  it('is that of the record itself, whatever keys those before it had', () => {
    const records: readonly Json[] = [
      { id: 'a', name: 'one', more: { b: 1, a: 2 } },
      { id: 'b', name: 'two', more: { a: 2, b: 1 } },
      { name: 'three', id: 'c', more: [1, { z: true }] },
      { id: 'd' },
      { id: 'e', nAme: 'four' },
      { id: 'f', name: 'five', more: 'text' },
      {},
      JSON.parse('{"__proto__": {"id": 1}, "id": "g"}'),
    ];
    const texts = new CanonicalText();
    for (const record of records) expect(texts.of(record)).toBe(canonical(record));
    expect(texts.of(records[7] ?? null)).toBe('{"__proto__":{"id":1},"id":"g"}');
  });
});
