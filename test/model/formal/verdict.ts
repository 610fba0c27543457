import type { PanResult } from './pan-output.ts';

/** Why a search without a planted fault does not show that `formula` holds; null when it does. */
export function controlFailure(result: PanResult, formula: string): string | null {
  if (result.formula !== formula) return `the verifier did not check "${formula}"`;
  if (result.incomplete !== null) return result.incomplete;
  if (!Number.isSafeInteger(result.states) || result.states < 1) return 'no state was stored';
  return result.errors === 0 ? null : `"${formula}" is broken at depth ${result.depth}`;
}

/** Why a search did not find the planted fault as a violation of `formula`; null when it did. */
export function findingFailure(result: PanResult, formula: string, live: boolean): string | null {
  if (result.formula !== formula) return `the verifier did not check "${formula}"`;
  if (result.incomplete !== null) return result.incomplete;
  if (result.errors === 0) return `"${formula}" holds although the fault is planted`;
  const expected = live ? 'cycle' : 'assertion';
  return result.violation === expected
    ? null
    : `the verifier reported another error than a broken "${formula}"`;
}
