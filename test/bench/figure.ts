/** One figure of a run: what was measured, what it is held against, and the ratio of both. */
export interface Figure {
  readonly bench: string;
  readonly metric: string;
  readonly value: number;
  readonly unit: string;
  /** What it is compared with, measured in the same run; null: nothing. */
  readonly against: string | null;
  readonly ratio: number | null;
}

/** Prints a figure as one line of JSON. */
export type Print = (figure: Figure) => void;

/** What a bench is asked for; sizes may be made smaller to try it out. */
export interface Wish {
  readonly rows: number;
}

export function rounded(value: number, digits = 3): number {
  return Number(value.toFixed(digits));
}

/** The share `q` of sorted numbers lies at or below it. */
export function quantile(numbers: readonly number[], q: number): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? Number.NaN;
}
