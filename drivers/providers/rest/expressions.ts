import jsonata from 'jsonata';
import { messageOf } from '../../../src/driver-kit/provider.ts';

/**
 * The deepest that an expression may be nested; the longest list that it may make. Why no limit of time: on a busy machine it would park
 * good records. Without functions of its own an expression cannot call itself, so it ends.
 */
const LIMITS = { stack: 100, sequence: 10_000 };

/** What would give another value at every reading, or run text of the source as an expression; a regular expression may run for ever. */
const REFUSED_FUNCTIONS = new Set(['now', 'millis', 'random', 'shuffle', 'eval']);

/** An expression of a recipe, or in words why it is none. */
export type Compiled =
  | { readonly problem: null; readonly evaluate: (input: unknown, values: unknown) => Promise<unknown> }
  | { readonly problem: string };

/**
 * Compiles JSONata. Its evaluator is its own: nothing of an expression, or of the data, is run as JavaScript.
 * `evaluate` rejects with the library's words when the data do not fit; `$values` are the recipe's values.
 */
export function compileExpression(text: string): Compiled {
  try {
    const expression = jsonata(text, LIMITS);
    const refused = refusedIn(expression.ast());
    if (refused !== null) return { problem: refused };
    return { problem: null, evaluate: (input, values) => evaluated(expression, input, values) };
  } catch (error) {
    return { problem: `this is no JSONata: ${wordsOf(error)}` };
  }
}

async function evaluated(expression: jsonata.Expression, input: unknown, values: unknown): Promise<unknown> {
  try {
    return await expression.evaluate(input, { values });
  } catch (error) {
    throw new Error(wordsOf(error));
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

/** JSONata throws plain objects with a message. */
function wordsOf(error: unknown): string {
  if (typeof error === 'object' && error !== null && 'message' in error)
    return String(error.message).slice(0, 200);
  return messageOf(error).slice(0, 200);
}
