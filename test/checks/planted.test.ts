import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { BUGS } from './planted/bugs.ts';
import { changed } from './planted/tree.ts';

const TREE = join(import.meta.dirname, '../..');

describe('the bugs that are planted for the reproductions', () => {
  it('are one at least for each', () => {
    const numbers = readdirSync(join(TREE, 'test/reproductions')).map((name) => name.slice(0, 2));
    expect(new Set(BUGS.map(({ reproduction }) => reproduction))).toEqual(new Set(numbers));
  });

  it.each(BUGS.map((bug) => [bug.promise, bug] as const))(
    'find their place in the syntax tree: %s',
    (_, bug) => {
      for (const place of [bug, ...(bug.also ?? [])]) {
        const source = readFileSync(join(TREE, place.file), 'utf8');
        expect(changed(source, place, place.change)).not.toBe(source);
      }
    },
  );
});

describe('a change on the syntax tree', () => {
  const source =
    'class A { #b(x: number) { if (x > 1) return 1; return x ? 2 : 3; } }\nfunction c(): void {}\n';
  const place = (name: string) => ({ file: 'a.ts', in: name });

  it('takes a body or a condition, whatever it is written like', () => {
    expect(changed(source, place('c'), { kind: 'body', statement: 'return;' })).toContain(
      'function c(): void { return; }',
    );
    expect(changed(source, place('A.#b'), { kind: 'condition', index: 1, becomes: 'false' })).toContain(
      'return false ? 2 : 3',
    );
  });

  it.each(['d', 'A.b', '#b'])('is refused where there is no function %s', (name) => {
    expect(() => changed(source, place(name), { kind: 'body', statement: '' })).toThrow(/0 functions/);
  });

  it('is refused where there is no such condition', () => {
    const none = { kind: 'condition', index: 2, becomes: 'true' } as const;
    expect(() => changed(source, place('A.#b'), none)).toThrow(/no condition 2/);
  });
});
