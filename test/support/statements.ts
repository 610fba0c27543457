import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

const STORE = join(import.meta.dirname, '../../src/store');
const LITERAL = /'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`/g;
const CONSTANT = /const (\w+) =\s*(?:'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`);/g;
const NUMBER = /const (\w+) = ([\d_]+);/g;
const COMMENT = /\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm;
const SQL = /^\s*(?:SELECT|INSERT|UPDATE|DELETE|WITH)\b/;
const PLACE = /\$\{(\w+)\}/g;

/** A statement of the store as its source text has it. */
export interface Statement {
  readonly file: string;
  /** With the constants of its file put in; one that is put together at run time still has `${…}`. */
  readonly sql: string;
}

/** Every statement that stands in the source text of the store, the shape of the tables apart. */
export function statementsOfTheStore(): readonly Statement[] {
  const files = readdirSync(STORE, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.includes('migrations'))
    .map((path) => ({
      file: basename(path),
      text: readFileSync(join(STORE, path), 'utf8').replace(COMMENT, ''),
    }));
  const everywhere = files.flatMap(({ text }) => [...constantsOf(text)]);
  return files.flatMap(({ file, text }) => {
    const constants = new Map([...everywhere, ...constantsOf(text)]);
    return textsIn(text)
      .map((sql) => resolved(sql, constants))
      .filter((sql) => SQL.test(sql))
      .map((sql) => ({ file, sql }));
  });
}

function textsIn(text: string): readonly string[] {
  return [...text.matchAll(LITERAL)].map(
    ([, single, double, template]) => single ?? double ?? template ?? '',
  );
}

function constantsOf(text: string): ReadonlyMap<string, string> {
  const texts = [...text.matchAll(CONSTANT)].map(
    ([, name = '', single, double, template]) => [name, single ?? double ?? template ?? ''] as const,
  );
  const numbers = [...text.matchAll(NUMBER)].map(([, name = '', digits = '']) => [name, digits] as const);
  return new Map([...texts, ...numbers]);
}

/** Constants may be made of others. */
function resolved(sql: string, constants: ReadonlyMap<string, string>): string {
  let text = sql;
  for (let depth = 0; depth < 5; depth += 1)
    text = text.replace(PLACE, (place, name: string) => constants.get(name) ?? place);
  return text;
}
