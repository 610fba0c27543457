import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { RETIRED_IN_TESTS, retiredWords } from './dialect.ts';

const TREE = join(import.meta.dirname, '../..');
const READ = /\.(ts|js|md)$/;
/** Of a person nobody in particular: a sentence with a subject says more. */
const VAGUE = /\b(somebody|nobody|whoever|whom|anybody|everybody)\b/gi;
const MOST_VAGUE = 60;

const read = (places: readonly string[], which: RegExp) =>
  execFileSync('git', ['ls-files', ...places], { cwd: TREE, encoding: 'utf8' })
    .split('\n')
    .filter((file) => which.test(file))
    .map((file) => ({ file, text: readFileSync(join(TREE, file), 'utf8') }));

const files = read(['src', 'drivers', 'README.md', '.github'], READ);
/** Its books are what it has opened: a database with its journal. */
const OPENS_BOOKS = 'src/agent/money.ts';
/** The words of checks are examples. */
const tests = read(['test', ':!test/checks'], /\.ts$/);

describe('the words of this repository', () => {
  it('are none that was retired', () => {
    expect(files.length).toBeGreaterThan(700);
    const found = files.flatMap(({ file, text }) => retiredWords(file, text));
    expect(found.map(({ file, line, found: word, use }) => `${file}:${line} ${word} → ${use}`)).toEqual([]);
  });

  it('are none that the tests retired', { timeout: 60_000 }, () => {
    expect(tests.length).toBeGreaterThan(700);
    const all = tests.flatMap(({ file, text }) => retiredWords(file, text, RETIRED_IN_TESTS));
    expect(all.map(({ file, line, found: word, use }) => `${file}:${line} ${word} → ${use}`)).toEqual([]);
  });

  it('are the name of no type "Books": it says which files, rows or sums it is', () => {
    const declared = /^(export )?(class|interface|type) Books\b/m;
    const found = [...files, ...tests].filter(
      ({ file, text }) => file !== OPENS_BOOKS && declared.test(text),
    );
    expect(found.map(({ file }) => file)).toEqual([]);
  });

  it('name who does something', () => {
    const lines = files.flatMap(({ text }) => text.split('\n').filter((line) => line.match(VAGUE) !== null));
    expect(lines.length).toBeLessThanOrEqual(MOST_VAGUE);
  });
});

describe('a retired word', () => {
  it.each([
    ['in a file name', 'src/outbox/courier.ts', 'export {};\n', 1],
    ['in an identifier', 'src/a.ts', '\nclass OutboxCourier {}\n', 2],
    ['in a constant', 'src/a.ts', '\nconst COURIER_MS = 1;\n', 2],
    ['in a private name', 'src/a.ts', 'class A {\n  #courier = 1;\n}\n', 2],
    ['in the name of a property', 'src/a.ts', 'interface A {\n\n  courier: string;\n}\n', 3],
    ['in a comment', 'src/a.ts', '/** Waits for the courier. */\nexport {};\n', 1],
    ['in a README', 'src/outbox/README.md', '# Outbox\n\nThe courier sends.\n', 3],
  ])('is found %s', (_, file, text, line) => {
    expect(retiredWords(file, text)).toMatchObject([{ file, line, found: 'courier', use: 'deliverer' }]);
  });

  it('is found in names only, where sentences may have it', () => {
    const text = '/** What the terminal told. */\nexport const lastTold = 1;\n';
    expect(retiredWords('src/a.ts', text)).toMatchObject([{ line: 2, found: 'told' }]);
  });

  it('is found in the identifiers of a test', () => {
    const text = "it('says what was said', () => {\n  const said = desk();\n});\n";
    const found = retiredWords('test/a.test.ts', text, RETIRED_IN_TESTS);
    expect(found).toMatchObject([
      { line: 2, found: 'said' },
      { line: 2, found: 'desk' },
    ]);
  });

  it.each([
    ['a string, which may be the name of a column', 'src/a.ts', "export const column = 'courier';\n"],
    ['code in a README', 'src/README.md', 'The column `courier`.\n\n```\ncourier\n```\n'],
    ['a part of another word', 'src/a.ts', 'export const couriering = 1;\n'],
  ])('is not found in %s', (_, file, text) => {
    expect(retiredWords(file, text)).toEqual([]);
  });
});
