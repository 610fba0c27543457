import type jsonata from 'jsonata';

/** The maximum nesting of an expression, and the longest list that it may create. */
export const LIMITS = { stack: 100, sequence: 10_000 };

/**
 * What one evaluation may cost: a step {@link STEP}, each element of a list that a step results in 1, each 16 characters of a text 1. That is
 * 200,000 steps, or 32 million characters; a record needs a few hundred. Why no limit of time: on a busy machine it would quarantine good
 * records, and the same record must always end the same way.
 */
const MOST_WORK = 2_000_000;
const STEP = 10;
const CHARACTERS = 16;
/** The longest text that `$pad` makes. */
const LONGEST_PAD = 10_000;

/** What the evaluator calls after each step; the library has no type for it. It awaits the hook, so this one returns nothing. */
const AFTER_STEP = Symbol.for('jsonata.__evaluate_exit');

interface Environment {
  /** The same for every step of one evaluation. */
  readonly base: object;
}

/** Bounds the work of every evaluation of this expression: one that exceeds it rejects with a sentence. */
export function limitWork(expression: jsonata.Expression): void {
  const spent = new WeakMap<object, number>();
  const afterStep = (_step: unknown, _input: unknown, { base }: Environment, result: unknown) => {
    const work = (spent.get(base) ?? 0) + costOf(result);
    spent.set(base, work);
    if (work > MOST_WORK)
      throw new Error('it takes more steps or makes longer lists and texts than a record needs');
  };
  // A symbol is no name of a variable: no expression can bind it.
  Reflect.apply(expression.assign, expression, [AFTER_STEP, afterStep]);
  expression.registerFunction('pad', pad, '<s-ns?:s>');
  expression.registerFunction('distinct', distinct, '<x:x>');
}

function costOf(result: unknown): number {
  if (typeof result === 'string') return STEP + result.length / CHARACTERS;
  return STEP + (Array.isArray(result) ? result.length : 0);
}

/** As the library's own, which would make a text of any length in one step. */
function pad(text: string | undefined, width: number, filler = ' '): string | undefined {
  if (text === undefined) return undefined;
  const missing = Math.abs(width) - [...text].length;
  if (missing <= 0) return text;
  if (missing > LONGEST_PAD) throw new Error(`$pad makes no text of more than ${LONGEST_PAD} characters`);
  const symbols = [...(filler === '' ? ' ' : filler)];
  const filling = Array.from({ length: missing }, (_, at) => symbols[at % symbols.length]).join('');
  return width > 0 ? text + filling : filling + text;
}

/** As the library's own, which compares each element with every other in one step. */
function distinct(list: unknown): unknown {
  if (!Array.isArray(list) || list.length <= 1) return list;
  const seen = new Map<string, unknown>();
  for (const element of list) {
    const key = canonical(element);
    if (!seen.has(key)) seen.set(key, element);
  }
  return Object.assign([...seen.values()], 'sequence' in list ? { sequence: true } : {});
}

/** The same text for equal values, whatever the order of their fields. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, inner) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : inner,
  );
}
