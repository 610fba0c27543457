import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';
import { describe, expect, it } from 'vitest';

const TREE = join(import.meta.dirname, '../..');
/** From the first line of a function's head to its closing brace. Biome's rule of this name leaves out lines that only close something: 71 were 60. */
const MOST_LINES = 60;
/** Functions that are tables, and why each cannot be split: `file name`. */
const TABLES: Readonly<Record<string, string>> = {};

interface Long {
  readonly file: string;
  readonly name: string;
  readonly lines: number;
}

function longFunctions(file: string, text: string): readonly Long[] {
  const long: Long[] = [];
  const lineAt = (at: number) => text.slice(0, at).split('\n').length;
  const measure = (node: { readonly start: number; readonly end: number }) => {
    const lines = lineAt(node.end) - lineAt(node.start) + 1;
    if (lines > MOST_LINES) long.push({ file, name: nameOf(text.slice(0, node.end), node.start), lines });
  };
  const { program } = parseSync(file, text);
  new Visitor({
    FunctionDeclaration: measure,
    FunctionExpression: measure,
    ArrowFunctionExpression: measure,
  }).visit(program);
  return long;
}

/** The last word in front of a function's first parenthesis: of a declaration its own name, of a method or an arrow that of its line. */
function nameOf(text: string, start: number): string {
  const line = text.lastIndexOf('\n', start) + 1;
  return /([\w$#]+)\W*$/.exec(text.slice(line, text.indexOf('(', start)))?.[1] ?? `at ${start}`;
}

describe('a function of src and drivers', () => {
  const files = execFileSync('git', ['ls-files', 'src', 'drivers'], { cwd: TREE, encoding: 'utf8' })
    .split('\n')
    .filter((file) => /\.(ts|js)$/.test(file));
  const found = files.flatMap((file) => longFunctions(file, readFileSync(join(TREE, file), 'utf8')));

  it(`has ${MOST_LINES} lines at most`, () => {
    expect(files.length).toBeGreaterThan(700);
    expect(found.filter(({ file, name }) => !TABLES[`${file} ${name}`])).toEqual([]);
  });

  it('is a named table where it has more, and no other is named', () => {
    expect(
      Object.keys(TABLES).filter((key) => !found.some((one) => key === `${one.file} ${one.name}`)),
    ).toEqual([]);
  });
});

describe('a function that is too long', () => {
  const body = (lines: number) => `{\n${'  run();\n'.repeat(lines - 2)}}`;

  it.each([
    ['a function', `export function planted() ${body(61)}\n`],
    ['a method', `class A {\n  planted() ${body(61)}\n}\n`],
    ['a private method', `class A {\n  #planted() ${body(61)}\n}\n`],
    ['an arrow', `const planted = () => ${body(61)};\n`],
    ['a head of several lines', `function planted(\n  one,\n  two,\n) ${body(58)}\n`],
    ['lines that only close something', `function planted() {\n${'  run({\n  });\n'.repeat(30)}}\n`],
  ])('is found: %s', (_, text) => {
    const [{ name, lines } = { name: '', lines: 0 }, ...others] = longFunctions('src/a.ts', text);
    expect([name.replace('#', ''), lines > MOST_LINES, others]).toEqual(['planted', true, []]);
  });

  it('is none with one line less', () => {
    expect(longFunctions('src/a.ts', `function planted() ${body(60)}\n`)).toEqual([]);
  });
});
