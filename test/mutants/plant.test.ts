import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { MUTANTS } from './list.ts';
import { type Change, changed } from './plant.ts';
import { SYNC_MUTANTS } from './sync-list.ts';

const TREE = join(import.meta.dirname, '../..');

const SOURCE = `
export const limit = 10 * 60;
export class Till {
  #open(amount: number): boolean;
  #open(amount: number, key?: string): boolean {
    if (key) this.store(key);
    log("opened"); return (amount > 0 || // said
      !this.free) && amount < limit;
  }
}
function step(state: { name: string }): string {
  switch (state.name) {
    case 'sent': return ask({ name: 'sent' });
    case 'lost':
      return doubt();
  }
}
`;

function wordsOf(text: string): readonly string[] {
  return text.match(/[a-z_$][\w$]*/gi) ?? [];
}

/** The lines that a change makes, without the indentation. */
function linesOf(change: Change): readonly string[] {
  const before = SOURCE.split('\n');
  const lines = changed(SOURCE, 'till.ts', change).split('\n');
  return lines.filter((line) => !before.includes(line)).map((line) => line.trim());
}

describe('a change', () => {
  it.each<[string, Change, string]>([
    [
      'an expression, without its comments and parentheses',
      { in: 'Till.#open', find: 'amount > 0 || !this.free', replace: '!amount' },
      'log("opened"); return ((!amount)) && amount < limit;',
    ],
    [
      'statements that follow each other, in other quotes and on one line',
      {
        in: 'Till.#open',
        find: "log('opened'); return (amount > 0 || !this.free) && amount < limit",
        replace: 'return true;',
      },
      'return true;',
    ],
    [
      'a statement without braces, in whose place there are two',
      { in: 'Till.#open', find: 'this.store(key);', replace: 'log(); $&' },
      'if (key) { log(); this.store(key); }',
    ],
    [
      'a case',
      { in: 'step', find: "case 'lost': return doubt();", replace: "case 'cut': $&" },
      "case 'cut': case 'lost': return doubt();",
    ],
    ['an object', { in: 'step', find: '{ name: "sent" }', replace: '{}' }, "case 'sent': return ask(({}));"],
    [
      'a constant',
      { in: 'limit', find: '10 * 60', replace: '$& + 1' },
      'export const limit = (10 * 60 + 1);',
    ],
    [
      'a whole body',
      { in: 'step', body: "return 'x';" },
      "function step(state: { name: string }): string { return 'x'; }",
    ],
  ])('is made of %s', (_, change, line) => {
    expect(linesOf(change)).toEqual([line]);
  });

  it('drops what nothing replaces, and nothing besides', () => {
    expect(linesOf({ in: 'Till.#open', find: 'this.store(key);', replace: '' })).toEqual(['if (key) {  }']);
  });

  it.each<[string, Change, RegExp]>([
    ['there is no such function', { in: 'Till.open', body: '' }, /^Till.open of till.ts is there 0 times/],
    ['a constant gets a body', { in: 'limit', body: '' }, /has no body/],
    ['its code is not there', { in: 'step', find: 'limit', replace: '1' }, /"limit" .* is there 0 times/],
    ['its code is there twice', { in: 'step', find: "'sent'", replace: '1' }, /is there 2 times/],
    ['it looks for nothing', { in: 'step', find: '', replace: '' }, /same sort/],
    ['its code does not parse', { in: 'step', find: 'doubt(', replace: '1' }, /same sort/],
    ['what replaces it does not parse', { in: 'step', find: 'doubt()', replace: 'doubt(' }, /same sort/],
    ['what replaces it does not fit', { in: 'step', find: 'doubt();', replace: '1' }, /is there 0 times/],
    ['its body does not parse', { in: 'step', body: 'return (;' }, /till.ts does not parse/],
    ['it names a field that its class lacks', { in: 'Till.#open', body: 'return this.#till;' }, /#till/],
    ['it changes nothing', { in: 'step', find: 'doubt()', replace: '(doubt( ))' }, /nothing changes/],
  ])('is refused where %s', (_, change, why) => {
    expect(() => changed(SOURCE, 'till.ts', change)).toThrow(why);
  });
});

describe('the mutants', () => {
  it.each([...MUTANTS, ...SYNC_MUTANTS].map((mutant) => [mutant.name, mutant] as const))(
    'find their place in the syntax tree: %s',
    (_, mutant) => {
      const source = readFileSync(join(TREE, mutant.file), 'utf8');
      for (const place of [mutant, ...(mutant.also ?? [])])
        expect(changed(source, mutant.file, place)).not.toBe(source);
    },
  );

  it('use no name that the product has not: a mutant that throws at once shows nothing', () => {
    const known = new Set<string>();
    for (const path of globSync('{src,drivers}/**/*.ts', { cwd: TREE }))
      for (const word of wordsOf(readFileSync(join(TREE, path), 'utf8'))) known.add(word);
    const unknown = [...MUTANTS, ...SYNC_MUTANTS].flatMap((mutant) =>
      [mutant, ...(mutant.also ?? [])]
        .flatMap((place) => wordsOf('body' in place ? place.body : place.replace))
        .filter((word) => !known.has(word))
        .map((word) => `${mutant.name}: ${word}`),
    );
    expect(unknown).toEqual([]);
  });
});
