import {
  createScanner,
  findNodeAtLocation,
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser';
import { type LocatedProblem, type Problem, pathText } from './problem.ts';

/** A parsed file: its value, its syntax errors, and the place of a path in it. */
export interface ParsedText {
  readonly value: unknown;
  readonly problems: readonly LocatedProblem[];
  locate(problem: Problem): LocatedProblem;
}

const WORDS: Readonly<Record<string, string>> = {
  InvalidSymbol: 'is not JSON',
  InvalidNumberFormat: 'is not a number',
  PropertyNameExpected: 'a key in double quotes is expected',
  ValueExpected: 'a value is expected',
  ColonExpected: 'a colon is expected',
  CommaExpected: 'a comma is expected',
  CloseBraceExpected: 'a closing brace } is expected',
  CloseBracketExpected: 'a closing bracket ] is expected',
  EndOfFileExpected: 'the end of the file is expected',
  InvalidCommentToken: 'the comment is not valid',
  UnexpectedEndOfComment: 'the comment does not end',
  UnexpectedEndOfString: 'the text does not end',
  UnexpectedEndOfNumber: 'the number does not end',
  InvalidUnicode: 'the \\u escape is not valid',
  InvalidEscapeCharacter: 'the escape is not valid',
  InvalidCharacter: 'the character is not allowed here',
};

/** The limit of reported errors of one file; after the first ones the rest are consequences. */
const MOST_SYNTAX_PROBLEMS = 10;

/** The deepest nesting that is parsed; no configuration needs a tenth of it. */
const DEEPEST = 100;

/** Parses JSON with comments and trailing commas; a repeated key in one object is a problem, too. */
export function parseText(text: string): ParsedText {
  const offset = firstTooDeep(text);
  if (offset === undefined) return parsed(text);
  const problem = { ...positionOf(text, offset), path: '', message: 'syntax: it is nested too deeply' };
  return { value: undefined, problems: [problem], locate: () => problem };
}

const STEPS: Readonly<Record<string, number>> = { '{': 1, '[': 1, '}': -1, ']': -1 };

/** The offset where the text is nested too deeply. Why first: the parser recurses, and its error recovery costs more with every level. */
function firstTooDeep(text: string): number | undefined {
  const scanner = createScanner(text, true);
  let depth = 0;
  while (true) {
    scanner.scan();
    const offset = scanner.getTokenOffset();
    if (offset >= text.length) return undefined;
    depth += STEPS[text.charAt(offset)] ?? 0;
    if (depth > DEEPEST) return offset;
  }
}

function parsed(text: string): ParsedText {
  const errors: ParseError[] = [];
  const tree = parseTree(text, errors, { allowTrailingComma: true, allowEmptyContent: false });
  const syntax = errors.slice(0, MOST_SYNTAX_PROBLEMS).map((error) => {
    const code = printParseErrorCode(error.error);
    return { ...positionOf(text, error.offset), path: '', message: `syntax: ${WORDS[code] ?? code}` };
  });
  return {
    value: tree === undefined ? undefined : getNodeValue(tree),
    problems: [...syntax, ...(tree === undefined ? [] : repeatedKeys(text, tree, []))],
    locate: (problem) => ({
      ...placeOf(text, tree, problem.path),
      path: pathText(problem.path),
      message: problem.message,
    }),
  };
}

function placeOf(
  text: string,
  tree: Node | undefined,
  path: Problem['path'],
): { line?: number; column?: number } {
  for (let length = path.length; tree !== undefined && length >= 0; length -= 1) {
    const node = findNodeAtLocation(tree, path.slice(0, length));
    if (!node) continue;
    const whole = node.parent?.type === 'property' ? node.parent : node;
    return positionOf(text, whole.offset);
  }
  return {};
}

function repeatedKeys(text: string, node: Node, path: readonly (string | number)[]): LocatedProblem[] {
  if (node.type === 'array') {
    return (node.children ?? []).flatMap((child, index) => repeatedKeys(text, child, [...path, index]));
  }
  if (node.type !== 'object') return [];
  const seen = new Set<string>();
  return (node.children ?? []).flatMap((property) => {
    const [name, value] = property.children ?? [];
    if (!name) return [];
    const key = String(name.value);
    const here = [...path, key];
    const problem = {
      ...positionOf(text, name.offset),
      path: pathText(here),
      message: 'stands here a second time',
    };
    const again = seen.has(key) ? [problem] : [];
    seen.add(key);
    return [...again, ...(value ? repeatedKeys(text, value, here) : [])];
  });
}

function positionOf(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset).split(/\r\n|\r|\n/);
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}
