import type jsonata from 'jsonata';

/**
 * Null through expressions. JSONata makes the text "null" of a null, and stops at a null in arithmetic; here a null is as a missing value: it counts as
 * nothing in `&`, and the result of any other function or operator of texts and numbers is then missing, too, which a field stores as null.
 * Comparisons with `=` and `!=` see the null itself.
 */

/** Functions of texts and numbers: without a value they give none. */
const OF_VALUES = new Set(
  (
    'string length substring substringBefore substringAfter uppercase lowercase trim pad contains split replace number abs floor ceil round power sqrt ' +
    'formatNumber formatBase formatInteger parseInteger toMillis fromMillis base64encode base64decode encodeUrl encodeUrlComponent decodeUrl ' +
    'decodeUrlComponent'
  ).split(' '),
);
const OPERATORS = new Set(['+', '-', '*', '/', '%', '<', '<=', '>', '>=']);

/** No recipe can name these: a name of a variable has no space. */
const PRESENT = ' present';
const IN_TEXT = ' in text';
const JOINED_NULLS = ' joined nulls';

/** Where `&` met a null, as places in the expression. */
export type JoinedNulls = Set<number>;

interface Node {
  readonly type?: string;
  readonly value?: unknown;
  readonly position?: number;
  procedure?: Node;
  arguments?: Node[];
  lhs?: Node | Node[][];
  rhs?: Node | Node[];
}

/** The bindings of one evaluation that notes where `&` meets a null. */
export function notingNulls(found: JoinedNulls): Readonly<Record<string, unknown>> {
  return { [JOINED_NULLS]: found };
}

/** Changes a compiled expression, and gives it `$text` and `$join`. */
export function makeNullSafe(expression: jsonata.Expression): void {
  expression.registerFunction(PRESENT, presentOf);
  expression.registerFunction(IN_TEXT, inText);
  expression.registerFunction('text', text);
  expression.registerFunction('join', join);
  rewrite(expression.ast(), false);
}

/**
 * The name of a function of texts and numbers that an expression uses without calling it, so that another function calls the library's own with a
 * null; null: there is none.
 */
export function uncalledFunction(node: unknown, isCalled = false): string | null {
  if (typeof node !== 'object' || node === null) return null;
  const one: Node = node;
  if (!isCalled && isOfValues(one)) return String(one.value);
  for (const [name, inner] of Object.entries(one)) {
    const isCall = one.type === 'function' ? name === 'procedure' : one.type === 'apply' && name === 'rhs';
    const found = uncalledFunction(inner, isCall);
    if (found !== null) return found;
  }
  return null;
}

function presentOf(value: unknown): unknown {
  return value === null ? undefined : value;
}

function inText(this: unknown, value: unknown, place: unknown): unknown {
  if (value !== null) return value;
  const found = lookedUp(this, JOINED_NULLS);
  if (found instanceof Set) found.add(place);
  return undefined;
}

/** A value as text without the space around it; null where it is null, missing or blank. */
function text(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  if (typeof value === 'object' || typeof value === 'function')
    throw new Error('$text takes no list and no object');
  const words = String(value).trim();
  return words === '' ? null : words;
}

/** As the library's own, without the parts that are null; null where none is left. */
function join(parts: unknown, separator: unknown = ''): string | null {
  const list: readonly unknown[] = Array.isArray(parts) ? parts : [parts];
  const words = list.filter((part) => part !== null && part !== undefined);
  if (words.some((part) => typeof part === 'object' || typeof part === 'function'))
    throw new Error('$join joins texts and numbers');
  return words.length === 0 ? null : words.map(String).join(String(separator ?? ''));
}

/** `isApplied`: its first argument stands before `~>`. */
function rewrite(node: unknown, isApplied: boolean): void {
  if (typeof node !== 'object' || node === null) return;
  if (Array.isArray(node)) {
    for (const inner of node) rewrite(inner, false);
    return;
  }
  const one: Node = node;
  for (const [name, inner] of Object.entries(one))
    rewrite(inner, one.type === 'apply' && name === 'rhs' && typeof inner === 'object');
  if (one.type === 'binary') rewriteOperator(one);
  if (one.type === 'function' && isOfValues(one.procedure)) {
    const given = one.arguments ?? [];
    // A call without arguments reads the value that it is called on.
    const all =
      given.length === 0 && !isApplied
        ? [{ type: 'variable', value: '', position: one.position ?? 0 }]
        : given;
    one.arguments = all.map((argument) => called(PRESENT, [argument], one.position));
  }
  if (one.type === 'apply' && one.lhs && !Array.isArray(one.lhs) && isAppliedOfValues(one.rhs))
    one.lhs = called(PRESENT, [one.lhs], one.position);
}

function rewriteOperator(node: Node): void {
  const { value, lhs, rhs, position = 0 } = node;
  if (!lhs || !rhs || Array.isArray(lhs) || Array.isArray(rhs)) return;
  if (value !== '&' && !OPERATORS.has(String(value))) return;
  const place: Node = { type: 'number', value: position, position };
  const wrapped = (operand: Node) =>
    value === '&' ? called(IN_TEXT, [operand, place], position) : called(PRESENT, [operand], position);
  node.lhs = wrapped(lhs);
  node.rhs = wrapped(rhs);
}

function isOfValues(procedure: Node | undefined): boolean {
  return procedure?.type === 'variable' && OF_VALUES.has(String(procedure.value));
}

function isAppliedOfValues(rhs: Node | Node[] | undefined): boolean {
  if (!rhs || Array.isArray(rhs)) return false;
  return isOfValues(rhs) || (rhs.type === 'function' && isOfValues(rhs.procedure));
}

function called(name: string, given: Node[], position = 0): Node {
  const procedure: Node = { type: 'variable', value: name, position };
  return { type: 'function', value: '(', position, procedure, arguments: given };
}

function lookedUp(focus: unknown, name: string): unknown {
  const environment: unknown = focus instanceof Object ? Reflect.get(focus, 'environment') : undefined;
  const lookup: unknown = environment instanceof Object ? Reflect.get(environment, 'lookup') : undefined;
  return typeof lookup === 'function' ? lookup(name) : undefined;
}
