/** One figure of a run: what was measured, what it is held against, and the ratio of both. */
export interface Figure {
  readonly bench: string;
  readonly metric: string;
  readonly value: number;
  readonly unit: string;
  /** What it is compared with, measured in the same run, or a limit that was set; null: nothing. */
  readonly against: string | null;
  readonly ratio: number | null;
}

/** Prints a figure as one line of JSON. */
export type Print = (figure: Figure) => void;

/** What a bench is asked for; sizes may be made smaller to try it out. */
export interface BenchOptions {
  /** Rows of a list or a file that is synced. */
  readonly rows: number;
  /** Payments, jobs, round trips: how often one thing is done. */
  readonly times: number;
  /** Payments in the large store. */
  readonly attempts: number;
  /** How long something is watched, or a load goes on. */
  readonly seconds: number;
  /** Each sync of the daemon takes so much longer, ms: an SD card takes 5 to 60. */
  readonly syncMs: number;
  /** The daemon gets a seventh of a core, as on a small board. */
  readonly seventh: boolean;
}

export function rounded(value: number, digits = 3): number {
  return Number(value.toFixed(digits));
}

/** The share `q` of sorted numbers lies at or below it. */
export function quantile(numbers: readonly number[], q: number): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? Number.NaN;
}

export function median(numbers: readonly number[]): number {
  return quantile(numbers, 0.5);
}

/** What a figure is held against. */
export interface Against {
  readonly name: string;
  readonly value: number;
}

/** Makes figures of one bench. */
export function figuresOf(bench: string, print: Print) {
  return (metric: string, value: number, unit: string, against: Against | null = null): void =>
    print({
      bench,
      metric,
      value: rounded(value),
      unit,
      against: against?.name ?? null,
      ratio: against === null ? null : rounded(value / against.value),
    });
}
