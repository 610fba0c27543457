/** What one search of SPIN's verifier (`pan`) said. */
export interface PanResult {
  readonly states: number;
  readonly transitions: number;
  readonly depth: number;
  readonly errors: number;
  readonly seconds: number;
  readonly memoryMb: number;
  /** The LTL formula that was checked; empty when it names none. */
  readonly formula: string;
  readonly violation: 'assertion' | 'cycle' | null;
  /** Why the search proves nothing about the states that it did not see; null when it was exhaustive. */
  readonly incomplete: string | null;
}

/** What must stand in the output of an exhaustive search, and what that line proves. */
const NEEDED: readonly (readonly [RegExp, string])[] = [
  [/^Full statespace search for:/m, 'it was not a full state space search'],
  [/^\s+\+ Partial Order Reduction$/m, 'it ran without partial order reduction'],
  [/^\s+\+ Compression$/m, 'it ran without state compression'],
  [/^State-vector \d+ byte, depth reached \d+, errors: \d+$/m, 'it gave no result'],
];

/** What must not stand in it. */
const FORBIDDEN: readonly (readonly [RegExp, string])[] = [
  [/max search depth too small/, 'the depth limit was too small'],
  [/out of memory|reached -DMEMLIM|memory limit|max\. memory/i, 'the memory limit was reached'],
  [/Bit statespace search|Hash-Compact/, 'states were stored as hash values'],
  [/Interrupted|pan: reached time limit/i, 'it was interrupted'],
];

/** Said also by a search that stopped at a violation, where it is no fault of the search. */
const NOT_COMPLETED = /Warning: Search not completed/;

/** Reads what `pan` printed. A result that cannot be read is incomplete, never "no error". */
export function readPanOutput(text: string): PanResult {
  const errors = numberOf(text, /depth reached \d+, errors: (\d+)/);
  return {
    states: numberOf(text, /^\s*([\d.e+]+) states, stored/m),
    transitions: numberOf(text, /^\s*([\d.e+]+) transitions/m),
    depth: numberOf(text, /depth reached (\d+)/),
    errors,
    seconds: numberOf(text, /elapsed time ([\d.e+]+) seconds/),
    memoryMb: numberOf(text, /^\s*([\d.]+)\s+total actual memory usage/m),
    formula: /^pan: ltl formula (\S+)$/m.exec(text)?.[1] ?? '',
    violation: violationOf(text),
    incomplete: incompleteness(text, errors),
  };
}

function violationOf(text: string): PanResult['violation'] {
  if (/^pan:\d+: assertion violated/m.test(text)) return 'assertion';
  return /^pan:\d+: acceptance cycle/m.test(text) ? 'cycle' : null;
}

function incompleteness(text: string, errors: number): string | null {
  const missing = NEEDED.find(([pattern]) => !pattern.test(text));
  if (missing) return missing[1];
  const found = FORBIDDEN.find(([pattern]) => pattern.test(text));
  if (found) return found[1];
  return errors === 0 && NOT_COMPLETED.test(text) ? 'the search was not completed' : null;
}

function numberOf(text: string, pattern: RegExp): number {
  return Number(pattern.exec(text)?.[1] ?? Number.NaN);
}
