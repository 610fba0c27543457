import { closest, distance } from 'fastest-levenshtein';
import type { z } from 'zod';
import { knownKeysAt } from '../driver-kit/known-keys.ts';
import type { Problem } from './problem.ts';

/** The typed value, or all of its problems; `pruned` is the value without its unknown keys where the rest is valid. */
export type ShapeResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problems: readonly Problem[]; readonly pruned: T | undefined };

/** Checks `value` against a strict schema; a message about an unknown key names the nearest known one. */
export function checkShape<T extends z.ZodType>(schema: T, value: unknown): ShapeResult<z.output<T>> {
  const result = schema.safeParse(value);
  if (result.success) return { ok: true, value: result.data };
  const issues = result.error.issues;
  const again = schema.safeParse(withoutUnknownKeys(value, issues));
  return {
    ok: false,
    problems: issues.flatMap((issue) => problemsOf(schema, value, issue)),
    pruned: again.success ? again.data : undefined,
  };
}

function problemsOf(schema: z.ZodType, value: unknown, issue: z.core.$ZodIssue): Problem[] {
  const path = issue.path.filter((step) => typeof step !== 'symbol');
  if (issue.code !== 'unrecognized_keys') return [{ path, message: wordsOf(issue, valueAt(value, path)) }];
  const known = knownKeysAt(schema, path, value);
  return issue.keys.map((key) => ({ path: [...path, key], message: unknownKeyMessage(key, known) }));
}

/** `unknown key "prot", did you mean "port"?` */
function unknownKeyMessage(key: string, known: readonly string[]): string {
  const shown = key.length > 64 ? `${key.slice(0, 64)}…` : key;
  const intro = `unknown key ${JSON.stringify(shown)}`;
  if (known.length === 0) return intro;
  const nearest = closest(shown, known);
  const near = distance(shown, nearest) <= Math.max(2, Math.floor(nearest.length / 2));
  return near
    ? `${intro}, did you mean "${nearest}"?`
    : `${intro}; known here: ${known.join(', ')} (nearest: "${nearest}")`;
}

/** A message about a number outside its range names the limit, too. */
function wordsOf(issue: z.core.$ZodIssue, found: unknown): string {
  if (found === undefined) return 'is missing';
  if (issue.code === 'too_big' && typeof found === 'number')
    return `is ${found}; at most ${issue.maximum} is allowed`;
  if (issue.code === 'too_small' && typeof found === 'number')
    return `is ${found}; at least ${issue.minimum} is allowed`;
  return issue.message.replace(/^Invalid (?:input|option|discriminator value)[:.] E/i, 'e').slice(0, 400);
}

function withoutUnknownKeys(value: unknown, issues: readonly z.core.$ZodIssue[]): unknown {
  const copy: unknown = structuredClone(value);
  for (const issue of issues) {
    if (issue.code !== 'unrecognized_keys') continue;
    const holder = valueAt(copy, issue.path);
    if (typeof holder === 'object' && holder !== null)
      for (const key of issue.keys) Reflect.deleteProperty(holder, key);
  }
  return copy;
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce(
    (at, step) => (typeof at === 'object' && at !== null ? Reflect.get(at, step) : undefined),
    value,
  );
}
