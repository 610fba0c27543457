import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { changed } from '../mutants/plant.ts';
import { BUGS } from './planted/bugs.ts';

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
        expect(changed(source, place.file, place)).not.toBe(source);
      }
    },
  );
});
