/** How a figure is spread, ms. */
export interface Spread {
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

/** Nearest rank; zeros when there are no values. */
export function spreadOf(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number) => Math.round(sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0);
  return { p50: at(0.5), p99: at(0.99), max: at(1) };
}
