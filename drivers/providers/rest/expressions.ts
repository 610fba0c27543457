import jsonata from 'jsonata';
import { messageOf } from '../../../src/driver-kit/provider.ts';

/** The longest that one record may take, ms; the deepest that an expression may call itself; the longest list that it may make. */
const LIMITS = { timeout: 250, stack: 100, sequence: 10_000 };

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
  if ('type' in node && node.type === 'regex')
    return 'regular expressions are refused: one text could stop the sync';
  if (
    'type' in node &&
    node.type === 'variable' &&
    'value' in node &&
    REFUSED_FUNCTIONS.has(String(node.value))
  ) {
    return `$${String(node.value)} is refused: its value does not depend on the record alone`;
  }
  for (const inner of Object.values(node)) {
    const refused = refusedIn(inner, depth + 1);
    if (refused !== null) return refused;
  }
  return null;
}

/** JSONata throws plain objects with a message. */
function wordsOf(error: unknown): string {
  if (typeof error === 'object' && error !== null && 'message' in error)
    return String(error.message).slice(0, 200);
  return messageOf(error).slice(0, 200);
}
