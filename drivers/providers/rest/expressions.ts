import jsonata from 'jsonata';
import { messageOf } from '../../../src/driver-kit/provider.ts';
import { LIMITS, limitWork } from './expression-limits.ts';
import { type JoinedNulls, makeNullSafe, notingNulls, uncalledFunction } from './null-safe.ts';

/** Characters of an expression that an error shows. */
const SHOWN = 100;

/** Functions that return another value at every reading or evaluate text of the source; a regular expression may run without end. */
const REFUSED_FUNCTIONS = new Set(['now', 'millis', 'random', 'shuffle', 'eval']);

/** What one evaluation has beside the record and `$values`. */
export interface Bound {
  /** Bound as `$payment`. */
  readonly payment?: unknown;
  /** Gets the places where `&` met a null. */
  readonly nulls?: JoinedNulls;
}

export type Evaluate = (input: unknown, values: unknown, bound?: Bound) => Promise<unknown>;

/** A compiled expression of a recipe, or the reason why it is invalid. */
export type Compiled = { readonly problem: null; readonly evaluate: Evaluate } | { readonly problem: string };

/**
 * Compiles JSONata. It has its own evaluator: no part of an expression, or of the data, runs as JavaScript. Without functions of its own an
 * expression cannot call itself, so it ends; how soon is bounded by {@link limitWork}.
 * `evaluate` rejects with the library's message when the data do not fit; `$values` are the recipe's values.
 */
export function compileExpression(text: string): Compiled {
  try {
    const expression = jsonata(text, LIMITS);
    const ast = expression.ast();
    const refused = refusedIn(ast) ?? uncalledIn(ast);
    if (refused !== null) return { problem: refused };
    limitWork(expression);
    makeNullSafe(expression);
    return { problem: null, evaluate: (...given) => evaluated(expression, text, ...given) };
  } catch (error) {
    return { problem: `this is no JSONata: ${wordsOf(error)}${placeOf(error)}` };
  }
}

async function evaluated(
  expression: jsonata.Expression,
  text: string,
  input: unknown,
  values: unknown,
  { payment, nulls }: Bound = {},
): Promise<unknown> {
  const bindings = {
    values,
    ...(payment === undefined ? {} : { payment }),
    ...(nulls ? notingNulls(nulls) : {}),
  };
  try {
    return await expression.evaluate(input, bindings);
  } catch (error) {
    throw new Error(`${wordsOf(error)} (${shortened(text)})`);
  }
}

function refusedIn(node: unknown, depth = 0): string | null {
  if (typeof node !== 'object' || node === null) return null;
  if (depth > LIMITS.stack) return 'it is nested too deep';
  const refused = refusedNode(node);
  if (refused !== null) return refused;
  for (const inner of Object.values(node)) {
    const within = refusedIn(inner, depth + 1);
    if (within !== null) return within;
  }
  return null;
}

function refusedNode(node: object): string | null {
  const { type, value } = { type: undefined, value: undefined, ...node };
  if (type === 'regex') return 'regular expressions are refused: one text could stop the sync';
  if (type === 'lambda') return 'functions of its own are refused: one could run for ever';
  if (type !== 'variable' || !REFUSED_FUNCTIONS.has(String(value))) return null;
  return `$${String(value)} is refused: its value does not depend on the record alone`;
}

function uncalledIn(ast: unknown): string | null {
  const name = uncalledFunction(ast);
  return name === null
    ? null
    : `$${name} is passed on and not called, so a null would reach it: call it for each element, as in list.$${name}($), or use $text or $join`;
}

/** The expression, so that the person who wrote it finds it. */
function shortened(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length > SHOWN ? `${line.slice(0, SHOWN)}…` : line;
}

/** Where JSONata stood in the expression when it failed. */
function placeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null || !('position' in error)) return '';
  return ` (near character ${Number(error.position)})`;
}

/** JSONata throws plain objects with a message. */
function wordsOf(error: unknown): string {
  if (typeof error === 'object' && error !== null && 'message' in error)
    return String(error.message).slice(0, 200);
  return messageOf(error).slice(0, 200);
}
